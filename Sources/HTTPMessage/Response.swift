import CivilTime

/// A response as a value: the bytes to send, and the time of each step.
package struct Response: Sendable, Equatable {
    /// The source of the content.
    package enum Body: Sendable, Equatable {
        /// No content. `Content-Length: 0` is sent where the status allows content.
        case empty
        /// Known in full: one head, one write.
        case bytes([UInt8])
        /// Steps over time, sent with chunked coding to HTTP/1.1 clients. Only `bytes`, `wait`, `effect`, `trailers`,
        /// `end`, `raw`, `stray`, `halfClose`, `close`, `abort` and `hold` may occur: the head is made from the response.
        case steps([Step])
    }

    /// The conditions and ranges of a request that the content answers to (wire contract, section 1).
    package enum Selection: Sendable {
        /// Sent as it is, whatever the request says.
        case none
        case conditions
        case ranges
        /// The same of a response that another server has sent: only a part of it says so, where it does not itself.
        case rangesOfOther
    }

    package var status: Status
    /// A reason phrase chosen by another server; nil for the standard one.
    package var reason: String?
    package var fields: Fields
    package var body: Body
    /// The steps before the head: waits, effects and interim responses.
    ///
    /// Empty for an answer that is ready at once.
    package var prelude: [Step] = []
    /// The framing of content that comes in steps; chunked if nil.
    ///
    /// With a length the steps may bring less, and the connection then closes.
    package var framing: ResponseHead.Framing?
    /// Closes the connection after this response whatever the client asked for.
    package var closesConnection: Bool
    package var selection = Selection.none

    package init(status: Status, fields: Fields = Fields(), body: Body = .empty, closesConnection: Bool = false) {
        self.status = status
        self.fields = fields
        self.body = body
        self.closesConnection = closesConnection
    }

    /// The length in bytes up to which content is written in one go; longer content would delay other connections.
    private static let longestAtOnce = 256 * 1024

    /// True if the response can be written in one go: nothing before the head, and the content known in full and not
    /// long.
    package var isImmediate: Bool {
        guard prelude.isEmpty else { return false }
        return switch body {
        case .empty: true
        case .bytes(let bytes): bytes.count <= Self.longestAtOnce
        case .steps: false
        }
    }

    /// True if playing the response takes a while by itself: it waits, tells the application something, or never ends.
    package var takesTime: Bool {
        func takesTime(_ step: Step) -> Bool {
            switch step {
            case .wait(let length, _): length > .zero
            case .effect, .hold: true
            default: false
            }
        }
        if prelude.contains(where: takesTime) { return true }
        guard case .steps(let steps) = body else { return false }
        return steps.contains(where: takesTime)
    }

    /// The steps that a player performs for this answer: the prelude, the head, the content, the end.
    package var timeline: [Step] { prelude + mainSteps }

    private var mainSteps: [Step] {
        switch body {
        case .empty:
            [.head(head(.length(0))), .end]
        case .bytes(let bytes):
            [.head(head(.length(bytes.count))), .bytes(bytes), .end]
        case .steps(let steps):
            [.head(head(framing ?? .chunked))] + steps
        }
    }

    private func head(_ framing: ResponseHead.Framing) -> ResponseHead {
        var head = ResponseHead(status: status, fields: fields, framing: framing, closes: closesConnection)
        head.reason = reason
        return head
    }
}

/// The head of an answer with the framing its content gets.
package struct ResponseHead: Sendable, Equatable {
    package enum Framing: Sendable, Equatable {
        /// `Content-Length: n` (left out where the status forbids content).
        case length(Int)
        /// `Transfer-Encoding: chunked`; ended by closing the connection for HTTP/1.0 clients.
        case chunked
        /// Neither: the content ends with the connection.
        case untilClose
    }

    package var status: Status
    /// See `Response.reason`.
    package var reason: String?
    package var fields: Fields
    package var framing: Framing
    package var closes: Bool

    package init(status: Status, fields: Fields, framing: Framing, closes: Bool = false) {
        self.status = status
        self.fields = fields
        self.framing = framing
        self.closes = closes
    }
}
