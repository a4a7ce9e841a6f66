package import Backend
package import CivilTime
package import JSON

/// A resumable upload, of whose content only the length is known (wire contract, section 8).
package struct Upload: Row, Codable, Sendable, Equatable {
    package let id: String
    /// The path below which it is; nil below the first of its API, if that has no other.
    package let path: String?
    /// The bytes of the whole.
    package let length: Int64
    /// The bytes that have come.
    package internal(set) var offset: Int64
    /// The values of `Upload-Metadata`: texts, `null` for a key alone, and `{"base64":…}` for what is no text.
    package let metadata: JSONObject
    package let createdAt: Instant

    package var group: String { "" }

    /// The numbers of a stored upload.
    package static let ranges: StoredRanges = [
        "length": .whole(0...UploadProtocol.longest), "offset": .whole(0...UploadProtocol.longest), "createdAt": .date,
    ]
}
