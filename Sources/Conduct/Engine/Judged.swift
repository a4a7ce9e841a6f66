import Basics
import Crypto
import HTTPMessage
import JSON

/// An exchange while it is judged: its row, and what is read of its content when a rule needs it.
final class Judged {
    let exchange: ConductExchange
    let index: Int32
    let row: Row
    let operation: OperationKnowledge?
    let role: OperationKnowledge.Role
    /// The credential of `Authorization`; negative if it has none of ours.
    let bearer: Int32
    /// The credential in the body of a refresh or sign-out; negative if there is none of ours.
    let bodyCredential: Int32
    /// The session behind the credential, or the one that a sign-in began; negative if there is none.
    let session: Int32
    /// The tokens that the answer issued; negative if there are none.
    let issuedAccess: Int32
    let issuedRefresh: Int32

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

    var method: HTTPMethod { exchange.method }
    var isGet: Bool { exchange.method == .get }

    /// The content of the request as JSON; nil if it is none or was not kept whole.
    var requestJSON: JSON? {
        if let readRequest { return readRequest }
        let json = Content.json(exchange.body)
        readRequest = .some(json)
        return json
    }

    /// The content of the answer as JSON; nil if it is none or was not kept whole.
    var responseJSON: JSON? {
        if let readResponse { return readResponse }
        let json = Content.json(exchange.responseBody)
        readResponse = .some(json)
        return json
    }

    var query: QueryItems {
        if let readQuery { return readQuery }
        let items = QueryItems(exchange.query)
        readQuery = items
        return items
    }

    /// The same number for the same content of the answer; nil where it is not known.
    var responseMark: UInt64? {
        if let readMark { return readMark }
        let mark = Content.mark(exchange.responseBody)
        readMark = .some(mark)
        return mark
    }

    /// The value at a path of the answer.
    func answer(_ path: [String]) -> JSON? { Content.value(at: path, in: responseJSON) }

    /// The field of the request.
    func field(_ name: FieldName) -> String? { exchange.fields[name] }

    /// Tells whether the answer is a stream of events.
    var isEventStream: Bool {
        if let readStream { return readStream }
        let isStream =
            exchange.responseFields[.contentType]?.lowercased().hasPrefix("text/event-stream") == true
            || field(.accept)?.lowercased().contains("text/event-stream") == true
        readStream = isStream
        return isStream
    }
}
