package import HTTPMessage

/// The shape in which the journal shows an exchange whose own content must not be kept.
package struct JournalDisclosure: Sendable {
    /// Nil: the API's own path as it is.
    package var path: String?
    package var query: String?
    package var fields: Fields
    package var body: [UInt8]
    /// How long the body is, where its head alone is shown.
    package var length: Int
    /// Nil: those that were answered.
    package var responseFields: Fields?
    /// Makes other texts fit to be shown, such as the id of the request; nil: they are.
    package var text: (@Sendable (String) -> String)?
    /// The shape of an answer that was changed on its way; nil: the answer as it is.
    package var clean: (@Sendable (Response, [UInt8]) -> (fields: Fields, body: JournalEntry.Body))?

    /// Shows the request as it is.
    package init(_ request: HTTPRequest) {
        query = request.head.target.rawQuery
        fields = request.head.fields
        body = request.body.bytes
        length = request.body.length
    }

    /// The fields as they left: an answer from elsewhere has an id of ours, too.
    func sentFields(_ answered: Fields) -> Fields {
        guard var fields = responseFields else { return answered }
        if !fields.contains(.requestID), let id = answered[.requestID] { fields.append(.requestID, id) }
        return fields
    }
}
