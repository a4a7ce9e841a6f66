/// Returns true if two byte strings are equal, in a time that depends on their lengths only.
///
/// For authentication codes: an ordinary comparison stops at the first difference and so tells how much was right.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt8 = 0
    for index in left.indices { difference |= left[index] ^ right[index] }
    return difference == 0
}
