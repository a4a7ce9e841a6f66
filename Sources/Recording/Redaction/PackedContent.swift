import Compression

/// Content that is a compressed file by its bytes, whatever its declared type and coding.
enum PackedContent {
    case plain
    /// It can be decoded.
    case packed([UInt8], Inflater.Coding)
    /// It can't be decoded, or only in part.
    case closed

    /// The first bytes of files that can't be opened here.
    private static let closedMarks: [[UInt8]] = [
        [0x50, 0x4B, 0x03, 0x04], [0x42, 0x5A, 0x68, 0x31], [0x42, 0x5A, 0x68, 0x39],
        [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00],
        [0x28, 0xB5, 0x2F, 0xFD], [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], Array("Rar!".utf8), [0x1F, 0x9D],
        [0x04, 0x22, 0x4D, 0x18],
    ]

    init(_ bytes: [UInt8]) {
        self = .plain
        if bytes.starts(with: [0x1F, 0x8B, 0x08]) {
            self = Self.opened(bytes, .gzip) ?? .closed
        } else if bytes.count > 8, bytes[0] == 0x78, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0,
            String(validating: bytes, as: UTF8.self) == nil
        {
            // Two bytes are no proof, so content that can't be opened is taken for something else.
            self = Self.opened(bytes, .deflate) ?? .plain
        } else if Self.closedMarks.contains(where: { bytes.starts(with: $0) }) {
            self = .closed
        }
    }

    var isClosed: Bool { if case .closed = self { true } else { false } }

    private static func opened(_ bytes: [UInt8], _ coding: Inflater.Coding) -> PackedContent? {
        guard let plain = try? Inflater.inflate(bytes, coding, limit: CapturedExchange.bodyLimit) else { return nil }
        return .packed(plain, coding)
    }
}
