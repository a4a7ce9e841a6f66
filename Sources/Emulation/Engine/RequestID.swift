/// The id that every exchange has (control contract, section 3).
package enum RequestID {
    private static let ownPrefix = "req_"

    /// A caller's id if it is sane: 1 to 128 visible ASCII characters.
    package static func sane(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...128).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func own(_ number: UInt64) -> String { "\(ownPrefix)\(number)" }

    /// The number of an id spelled as our own are; nil if it is spelled differently.
    static func number(ofOwn id: String) -> UInt64? {
        guard id.hasPrefix(ownPrefix), let number = UInt64(id.dropFirst(ownPrefix.count)), own(number) == id else {
            return nil
        }
        return number
    }
}
