import HTTPMessage

/// The id of an exchange (control contract, section 3).
package enum RequestID {
    private static let ownPrefix = "req_"

    /// Returns a client's id if it is valid: 1 to 128 visible ASCII characters.
    package static func sane(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...128).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func own(_ number: UInt64) -> String { ownPrefix + String(number) }

    /// Returns the number in an id spelled like our own; nil if it is spelled differently.
    package static func number(ofOwn id: String) -> UInt64? {
        guard id.hasPrefix(ownPrefix), let number = UInt64(id.dropFirst(ownPrefix.count)), own(number) == id else {
            return nil
        }
        return number
    }
}
