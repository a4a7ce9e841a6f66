import Compression

/// Contents at random, in which a secret stands in codings within codings, or what is nearly one.
struct PlantedContents<Generator: RandomNumberGenerator> {
    private static var base64: [UInt8] {
        Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    }

    var stream: Generator

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &stream) }

    private mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &stream) }
    }

    private mutating func text(_ alphabet: String, _ count: Int) -> String {
        let alphabet = Array(alphabet)
        return String((0..<count).map { _ in alphabet[below(alphabet.count)] })
    }

    /// Secrets of every length that ours have.
    mutating func secrets() -> [String] {
        [10, 11, 12, 13, 16, 24, 43, 64]
            .map { text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", $0) }
    }

    /// A content, and whether a whole secret was put in.
    mutating func content(_ secrets: [String]) -> (bytes: [UInt8], isPlanted: Bool) {
        var planted = Array(secrets[below(secrets.count)].utf8)
        let isWhole = below(4) > 0
        if !isWhole {
            switch below(3) {
            case 0: planted.removeLast()
            case 1: planted[below(planted.count)] = UInt8(ascii: "~")
            default: planted.insert(UInt8(ascii: "."), at: 1 + below(planted.count - 1))
            }
        }
        for _ in 0..<below(5) { planted = coded(noise() + planted + noise()) }
        return (noise() + planted + noise(), isWhole)
    }

    /// Enough in front of a secret that it stands about where a run is decoded in pieces.
    mutating func longContent(_ secrets: [String]) -> [UInt8] {
        let secret = Array(secrets[below(secrets.count)].utf8)
        let inner = below(2) == 0 ? secret : coded(secret)
        let front = (Int(512 * 1_024 * (1 + below(2))) + below(200) - 150) * 3 / 4
        return Self.encoded(bytes(front) + [0xFF] + inner + [0xFF] + bytes(below(2_000)))
    }

    /// The text around a secret.
    private mutating func noise() -> [UInt8] {
        switch below(9) {
        case 0, 1: []
        case 2: bytes(below(40))
        case 3: Array(text("ABCDEFGHIJKLMNOPabcdefghijklmnop0123456789+/", below(200)).utf8)
        case 4: Array(#"{"a":"b\n","c":[1,2],"d":""#.utf8)
        case 5: [UInt8](repeating: 0, count: below(30))
        // A sign right in front of a coded text would make another text of it.
        case 6: Array((text("aeiou tnsr%&=\\<>\"-_.", below(60)) + " ").utf8)
        case 7: bytes(below(700)) + [0xFF]
        default: Array(text("A\r\n ", below(6)).utf8)
        }
    }

    private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = base64
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 4 / 3 + 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = (0..<3).reduce(UInt32(0)) { $0 << 8 | UInt32(start + $1 < bytes.count ? bytes[start + $1] : 0) }
            let characters = (0..<4).map { alphabet[Int(group >> UInt32(18 - 6 * $0) & 63)] }
            text += characters.prefix(min(bytes.count - start, 3) + 1)
        }
        return text
    }

    private static func each(_ bytes: [UInt8], _ form: (UInt8) -> String) -> [UInt8] { bytes.flatMap { form($0).utf8 } }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    private static func lines(_ text: [UInt8], _ width: Int, _ end: String) -> [UInt8] {
        stride(from: 0, to: text.count, by: width).flatMap { text[$0..<min($0 + width, text.count)] + Array(end.utf8) }
    }

    private mutating func coded(_ bytes: [UInt8]) -> [UInt8] {
        let isOften = below(2) == 0
        func some(_ byte: UInt8, _ form: String) -> String {
            let isPlain = byte > 0x20 && byte < 0x7F && !"%\\&=\"<>".utf8.contains(byte)
            return isPlain && !isOften ? String(UnicodeScalar(byte)) : form
        }
        switch below(12) {
        case 0: return Self.encoded(bytes)
        case 1: return Self.encoded(bytes).map { $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0 }
        case 2: return Self.lines(Self.encoded(bytes), 20 + below(57), below(2) == 0 ? "\r\n" : "\n")
        case 3: return Self.each(bytes) { some($0, "%" + Self.hex($0).uppercased()) }
        case 4: return Self.each(bytes) { some($0, #"\u00"# + Self.hex($0)) }
        case 5: return Self.each(bytes) { some($0, #"\x"# + Self.hex($0)) }
        case 6: return Self.each(bytes) { some($0, "&#\($0);") }
        case 7: return Self.each(bytes) { some($0, "&#x" + Self.hex($0) + ";") }
        case 8: return Self.lines(Self.each(bytes) { "=" + Self.hex($0).uppercased() }, 72, "=\r\n")
        // Only text is spelled in two bytes a character, and not twice.
        case 9 where bytes.allSatisfy({ $0 > 0 && $0 < 0x80 }): return bytes.flatMap { [$0, 0] }
        case 10 where bytes.allSatisfy({ $0 > 0 && $0 < 0x80 }): return bytes.flatMap { [0, $0] }
        default: return Deflate.compress(bytes, .gzip) ?? bytes
        }
    }
}
