import Backend
package import HTTPMessage

/// The form in which the journal shows an exchange whose own content must not be kept.
package struct JournalDisclosure: Sendable {
    /// The path; nil for the API's own path, unchanged.
    package var path: String?
    package var query: String?
    package var fields: Fields
    package var body: [UInt8]
    /// The length of the body, where its head alone is shown.
    package var length: Int
    /// The fields of the response; nil for those that were sent.
    package var responseFields: Fields?
    /// The number of secrets that were known when it was made.
    package var secrets = 0
    /// Makes other texts fit to be shown, such as the id of the request; nil if they are.
    package var text: (@Sendable (String) -> String)?
    /// The form of a response that was changed on its way; nil for the response as it is.
    package var clean: (@Sendable (Response, [UInt8]) -> (fields: Fields, body: JournalEntry.Body))?

    /// Creates a disclosure that shows the request unchanged.
    package init(_ request: HTTPRequest) {
        query = request.head.target.rawQuery
        fields = request.head.fields
        body = request.body.bytes
        length = request.body.length
    }

    /// The length of content above which its form is made after a real backend has ended, since that may take long.
    package static let longestAtOnce = 2 * 1_024

    /// Returns the fields as they left: a response from elsewhere has an id of ours, too.
    package func sentFields(_ answered: Fields) -> Fields {
        guard var fields = responseFields else { return answered }
        if !fields.contains(.requestID), let id = answered[.requestID] { fields.append(.requestID, id) }
        return fields
    }
}
