package import HTTPMessage

/// The refusal of a request for a resumable upload, before it has the form of the API's errors.
package struct UploadRefusal: Error, Sendable {
    /// The reason, with tus's status in brackets.
    package enum Reason: Sendable {
        /// A missing or malformed field (400).
        case malformed
        /// No such upload (404).
        case unknown
        /// A method that the address does not take (405).
        case method
        /// Another offset than the upload's (409).
        case offset
        /// Another version of the protocol (412).
        case version
        /// Too many bytes (413).
        case tooLong
        /// Content of another type (415).
        case mediaType
    }

    package let reason: Reason
    package let message: String
    package let fields: Fields

    init(_ reason: Reason, _ message: String, fields: Fields = Fields()) {
        self.reason = reason
        self.message = message
        self.fields = fields
    }
}
