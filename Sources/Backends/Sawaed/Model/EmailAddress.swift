/// The form of an e-mail address (contract, section 4.1).
enum EmailAddress {
    static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at == bytes.lastIndex(of: UInt8(ascii: "@")) else {
            return false
        }
        return isLocalPart(bytes[..<at]) && isDomain(bytes[(at + 1)...])
    }

    private static func isLocalPart(_ bytes: ArraySlice<UInt8>) -> Bool {
        let dot = UInt8(ascii: ".")
        guard let first = bytes.first, let last = bytes.last, first != dot, last != dot,
            last != UInt8(ascii: "'")
        else { return false }
        return zip(bytes, bytes.dropFirst()).allSatisfy { $0 != dot || $1 != dot }
            && bytes.allSatisfy { $0.isLetterOrDigit || "_'+-.".utf8.contains($0) }
    }

    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count > 1, let top = labels.last else { return false }
        let dash = UInt8(ascii: "-")
        return top.count >= 2 && top.allSatisfy(\.isLetter)
            && labels.allSatisfy { label in
                label.first.map { $0 != dash } == true && label.allSatisfy { $0.isLetterOrDigit || $0 == dash }
            }
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }
    fileprivate var isLetterOrDigit: Bool { isLetter || isDigit }
}
