/// The rule for the name of a custom API (own-API contract, section 1).
package enum CustomAPIName {
    /// Returns the reason why a text is not the name of a custom API; nil if it is one.
    package static func refusal(of name: String) -> String? {
        let bytes = Array(name.utf8)
        let isSpelled = bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        guard (1...32).contains(bytes.count), isSpelled, let first = bytes.first, (0x61...0x7A).contains(first),
            bytes.last != 0x2D
        else {
            return "a name has 1 to 32 of a-z, 0-9 and -, begins with a letter and does not end with -"
        }
        return ["all", "hub", "control", "docs"].contains(name) ? "the name \(name) is taken" : nil
    }
}
