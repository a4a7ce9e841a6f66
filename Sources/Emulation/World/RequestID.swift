/// The id that every exchange has (control contract, section 3).
enum RequestID {
    /// A caller's id if it is sane: 1 to 128 visible ASCII characters.
    static func sane(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...128).contains(bytes.count), bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func own(_ number: UInt64) -> String { "req_\(number)" }
}
