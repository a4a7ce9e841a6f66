/// What the search has to know of each byte, in the form that is read fastest.
///
/// Unchecked: written once, before anybody has it.
final class ByteTables: @unchecked Sendable {
    static let shared = ByteTables()

    /// The line ends that may stand inside Base64.
    static let lineEnd: UInt8 = 64
    /// No character of Base64.
    static let other: UInt8 = 255

    /// The six bits of a character of Base64, in its own or in the alphabet of addresses.
    let sextets: UnsafeMutablePointer<UInt8>
    /// Whether a byte is a lower-case letter or a digit.
    let isShort: UnsafeMutablePointer<Bool>

    /// 1 for a byte that an escape or compressed data can begin with.
    let isSign: UnsafeMutablePointer<UInt8>

    private init() {
        isSign = .allocate(capacity: 256)
        isSign.initialize(repeating: 0, count: 256)
        for byte in [0x25, 0x5C, 0x26, 0x3D, 0x1F] { isSign[byte] = 1 }
        sextets = .allocate(capacity: 256)
        sextets.initialize(repeating: Self.other, count: 256)
        isShort = .allocate(capacity: 256)
        isShort.initialize(repeating: false, count: 256)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        for (value, byte) in alphabet.enumerated() { sextets[Int(byte)] = UInt8(value) }
        sextets[0x2D] = 62
        sextets[0x5F] = 63
        sextets[0x0D] = Self.lineEnd
        sextets[0x0A] = Self.lineEnd
        for byte in Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8) { isShort[Int(byte)] = true }
    }
}
