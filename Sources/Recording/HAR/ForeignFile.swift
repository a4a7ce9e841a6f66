/// A file whose first bytes show that it is no JSON in UTF-8, although an archive may be inside.
package struct ForeignFile: Sendable {
    /// The kind of the file, and the way to the archive in it.
    package let refusal: String

    private static let utf16 = "the file is UTF-16, as PowerShell's > writes it; save it as UTF-8"
    private static let kinds: [(opening: [UInt8], refusal: String)] = [
        ([0x1F, 0x8B], "the file is compressed with gzip; unpack it with gunzip"),
        (Array("PK".utf8) + [0x03, 0x04], "the file is a zip archive; unpack it and take the .har in it"),
        (Array("PK".utf8) + [0x05, 0x06], "the file is an empty zip archive"),
        ([0x28, 0xB5, 0x2F, 0xFD], "the file is compressed with zstd; unpack it with unzstd"),
        (Array("BZh".utf8), "the file is compressed with bzip2; unpack it with bunzip2"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "the file is compressed with xz; unpack it with unxz"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "the file is a 7z archive; unpack it and take the .har in it"),
        ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16), ([0x7B, 0x00], utf16), ([0x00, 0x7B], utf16),
    ]

    /// Creates the kind of a file that begins with these bytes; nil while they don't tell.
    package init?(_ opening: [UInt8]) {
        guard let kind = Self.kinds.first(where: { opening.starts(with: $0.opening) }) else { return nil }
        refusal = kind.refusal
    }

    /// Returns true if more bytes may tell the kind.
    static func mayBegin(with opening: [UInt8]) -> Bool { kinds.contains { $0.opening.starts(with: opening) } }
}
