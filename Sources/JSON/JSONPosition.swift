/// A place in a text as editors count it.
public struct JSONPosition: Hashable, Sendable {
    /// The line, from 1; lines end at U+000A.
    public var line: Int
    /// The place on that line, from 1, in code points.
    public var column: Int

    /// The place of a byte; malformed UTF-8 counts one column for each byte that does not continue a sequence.
    public init(offset: Int, in bytes: [UInt8]) {
        line = 1
        column = 1
        for byte in bytes.prefix(offset) {
            if byte == 0x0A {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}
