import Basics
import Crypto
package import HTTPMessage
package import JSON

/// An exchange while it is judged: its row, and what is read of its content when a rule needs it.
package final class JudgedExchange {
    package let exchange: ConductExchange
    package let index: Int32
    package let row: Row
    package let operation: OperationKnowledge?
    package let role: OperationKnowledge.Role
    /// The credential of `Authorization`; negative if it has none of ours.
    package let bearer: Int32
    /// The credential in the body of a refresh or sign-out; negative if there is none of ours.
    package let bodyCredential: Int32
    /// The session behind the credential, or the one that a sign-in began; negative if there is none.
    package let session: Int32
    /// The tokens that the answer issued; negative if there are none.
    package let issuedAccess: Int32
    package let issuedRefresh: Int32

    init(
        _ exchange: ConductExchange,
        index: Int32,
        row: Row,
        operation: OperationKnowledge?,
        role: OperationKnowledge.Role,
        bearer: Int32,
        bodyCredential: Int32,
        session: Int32,
        issuedAccess: Int32,
        issuedRefresh: Int32,
        requestJSON: JSON??,
        responseJSON: JSON??
    ) {
        self.exchange = exchange
        self.index = index
        self.row = row
        self.operation = operation
        self.role = role
        self.bearer = bearer
        self.bodyCredential = bodyCredential
        self.session = session
        self.issuedAccess = issuedAccess
        self.issuedRefresh = issuedRefresh
        readRequest = requestJSON
        readResponse = responseJSON
    }

    private var readRequest: JSON??
    private var readResponse: JSON??
    private var readQuery: QueryItems?
    private var readMark: UInt64??
    private var readStream: Bool?

    package var method: HTTPMethod { exchange.method }
    package var isGet: Bool { exchange.method == .get }

    /// The content of the request as JSON; nil if it is none or was not kept whole.
    package var requestJSON: JSON? {
        if let readRequest { return readRequest }
        let json = Content.json(exchange.body)
        readRequest = .some(json)
        return json
    }

    /// The content of the answer as JSON; nil if it is none or was not kept whole.
    package var responseJSON: JSON? {
        if let readResponse { return readResponse }
        let json = Content.json(exchange.responseBody)
        readResponse = .some(json)
        return json
    }

    package var query: QueryItems {
        if let readQuery { return readQuery }
        let items = QueryItems(exchange.query)
        readQuery = items
        return items
    }

    /// The same number for the same content of the answer; nil where it is not known.
    package var responseMark: UInt64? {
        if let readMark { return readMark }
        let mark = Content.mark(exchange.responseBody)
        readMark = .some(mark)
        return mark
    }

    /// The value at a path of the answer.
    package func answer(_ path: [String]) -> JSON? { Content.value(at: path, in: responseJSON) }

    /// The field of the request.
    package func field(_ name: FieldName) -> String? { exchange.fields[name] }

    /// Tells whether the answer is a stream of events.
    package var isEventStream: Bool {
        if let readStream { return readStream }
        let isStream =
            exchange.responseFields[.contentType]?.lowercased().hasPrefix("text/event-stream") == true
            || field(.accept)?.lowercased().contains("text/event-stream") == true
        readStream = isStream
        return isStream
    }
}
