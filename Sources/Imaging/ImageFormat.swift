/// The format of an image according to its bytes.
package enum ImageFormat: String, Sendable {
    case jpeg
    case png

    /// The media type of the format.
    package var contentType: String { "image/\(rawValue)" }

    /// The format that the signature at the beginning of `bytes` names, or nil for any other bytes.
    package static func of(_ bytes: [UInt8]) -> ImageFormat? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: PNGStructure.signature) { return .png }
        return nil
    }
}
