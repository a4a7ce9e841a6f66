import Basics
package import CivilTime
package import JSON

/// One exchange of an HTTP archive (HAR 1.2, `log.entries`).
package struct HAREntry: Sendable, Equatable {
    package var started: Instant
    /// Tells whether `started` is written with microseconds, as the journal has it, or with milliseconds, as browsers do.
    package var isPrecise = false
    /// The total in milliseconds, as written; see `HARTimings.total`.
    package var time: Double
    package var request: HARRequest
    package var response: HARResponse
    package var timings: HARTimings
    package var serverAddress: String?
    package var connection: String?
    package var comment: String?
    /// Server-sent events with their times; nil where the response is not an event stream.
    package var events: [HAREvent]?
    /// `_world`: the world in which it was recorded.
    package var world: String?
    /// `_virtualTime`: that world's clock at the request.
    package var virtualTime: Instant?
    /// `_fault`: the fault that Understudy applied to the response.
    package var fault: JSON?
    /// `_source`: the source that answered.
    package var source: String?
    /// `_tls`: the TLS of the connection.
    package var tls: JSON?
    /// `_stub`: the id of the stub that answered.
    package var stub: String?
    /// `_peer`: address and port of the client.
    package var peer: String?
    /// `_gate`: the gate that held it.
    package var gate: String?
    /// `_replayOf`: the journal key of the exchange that it repeats.
    package var replayOf: String?
    /// Tells that the browser answered from a cache of its own, so that nothing was sent.
    package var isFromCache = false
    /// The bytes of contents that were read from files beside the archive.
    package var attachedBytes = 0

    /// The contents that a recorder left out, each with its reason.
    package var omissions: [String] {
        let comments = [("request", request.postData?.comment), ("response", response.content.comment)]
        return comments.compactMap { part, comment in
            guard let comment, comment.contains("left out") else { return nil }
            return "the content of the \(part) is not recorded: \(comment)"
        }
    }

    package init(started: Instant, request: HARRequest, response: HARResponse, timings: HARTimings) {
        self.started = started
        self.request = request
        self.response = response
        self.timings = timings
        time = timings.total
    }
}

/// A cookie as the archive lists it beside the header fields.
package struct HARCookie: Sendable, Equatable {
    package var name: String
    package var value: String
    package var path: String?
    package var domain: String?
    package var expires: String?
    package var isHTTPOnly: Bool?
    package var isSecure: Bool?

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Content with its form: text, or base64 of other bytes.
package struct HARContent: Sendable, Equatable {
    /// The number of decoded bytes on the wire, however many are kept here; -1 when unknown.
    package var size: Int
    /// Bytes that a content coding saved.
    package var compression: Int?
    package var mimeType: String
    /// The decoded content; nil when the recorder left it out.
    package var bytes: [UInt8]?
    /// True if `bytes` are still in the response's content coding.
    package var isEncoded = false
    /// `_truncated`: only a part of the content is here.
    package var isTruncated = false
    package var comment: String?
    /// `_file`: the file beside the archive that has the content, if it was not read.
    package var file: String?

    package init(size: Int, mimeType: String, bytes: [UInt8]?) {
        self.size = size
        self.mimeType = mimeType
        self.bytes = bytes
    }
}

/// A form field of a request's content.
package struct HARParameter: Sendable, Equatable {
    package var name: String
    package var value: String?
    package var fileName: String?
    package var contentType: String?

    package init(name: String, value: String?, fileName: String? = nil, contentType: String? = nil) {
        self.name = name
        self.value = value
        self.fileName = fileName
        self.contentType = contentType
    }
}

/// The content of a request.
package struct HARPostData: Sendable, Equatable {
    package var mimeType: String
    package var parameters: [HARParameter]
    package var bytes: [UInt8]
    /// `_truncated`: only a part of the content is here.
    package var isTruncated = false
    package var comment: String?
    /// `_file`: the file beside the archive that has the content, if it was not read.
    package var file: String?

    package init(mimeType: String, parameters: [HARParameter] = [], bytes: [UInt8]) {
        self.mimeType = mimeType
        self.parameters = parameters
        self.bytes = bytes
    }
}

/// The request of an entry.
package struct HARRequest: Sendable, Equatable {
    package var method: String
    package var url: String
    package var httpVersion: String
    package var cookies: [HARCookie] = []
    package var headers: [HARPair]
    package var query: [HARPair] = []
    package var postData: HARPostData?
    /// Bytes from the request line to the empty line; -1 when unknown.
    package var headersSize = -1
    /// Bytes of the content; -1 when unknown.
    package var bodySize = -1

    package init(method: String, url: String, httpVersion: String = "HTTP/1.1", headers: [HARPair] = []) {
        self.method = method
        self.url = url
        self.httpVersion = httpVersion
        self.headers = headers
    }
}

/// The response of an entry; status 0 when there was none.
package struct HARResponse: Sendable, Equatable {
    package var status: Int
    package var statusText: String
    package var httpVersion: String
    package var cookies: [HARCookie] = []
    package var headers: [HARPair]
    package var content: HARContent
    package var redirectURL = ""
    package var headersSize = -1
    package var bodySize = -1
    /// `_error`: the reason why there is no response, or an incomplete one.
    package var error: String?

    package init(
        status: Int,
        statusText: String,
        httpVersion: String = "HTTP/1.1",
        headers: [HARPair] = [],
        content: HARContent
    ) {
        self.status = status
        self.statusText = statusText
        self.httpVersion = httpVersion
        self.headers = headers
        self.content = content
    }

    /// Returns the response of an exchange without one.
    package static func none(_ error: String) -> HARResponse {
        var response = HARResponse(
            status: 0,
            statusText: "",
            httpVersion: "",
            content: HARContent(size: 0, mimeType: "x-unknown", bytes: nil)
        )
        response.error = error
        return response
    }
}

/// Milliseconds of each phase; -1 where a phase does not apply.
package struct HARTimings: Sendable, Equatable {
    package var blocked: Double = -1
    package var dns: Double = -1
    /// Includes `ssl`.
    package var connect: Double = -1
    package var send: Double = 0
    package var wait: Double = 0
    package var receive: Double = 0
    package var ssl: Double = -1

    package init() {}

    /// The sum of the phases that apply; `ssl` lies inside `connect`.
    package var total: Double {
        let sum = [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max($1, 0) }
        return (sum * 1_000).rounded() / 1_000
    }
}

/// One server-sent event of `_eventSourceMessages`.
package struct HAREvent: Sendable, Equatable {
    /// Milliseconds from the start of the entry to the last byte of the event.
    package var offset: Double
    /// The event's type; `message` when the stream names none.
    package var name: String
    /// The last event id as of this event.
    package var id: String
    package var data: String

    package init(offset: Double, name: String, id: String, data: String) {
        self.offset = offset
        self.name = name
        self.id = id
        self.data = data
    }

    /// A stream that has these events.
    static func stream(_ events: [HAREvent]) -> [UInt8] {
        var text = ""
        var lastID = ""
        for event in events {
            if !event.name.isEmpty, event.name != "message" { text += "event: \(event.name.firstLine)\n" }
            let id = String(event.id.firstLine)
            // An id holds until the next one.
            if id != lastID { text += "id: \(id)\n" }
            lastID = id
            for line in event.data.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine) {
                text += "data: \(line)\n"
            }
            text += "\n"
        }
        return Array(text.utf8)
    }
}

extension String {
    fileprivate var firstLine: Substring { prefix { !$0.endsLine } }
}

extension Character {
    /// True if the character ends a line of an event stream, which fewer characters do than those of Unicode's
    /// newlines.
    fileprivate var endsLine: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}

/// The words of comments on content of which only a part is kept, in lower case.
private let wordsOfCuts = ["truncated", "left out", "cut off", "the journal keeps", " bytes came"]

/// Tells whether the comment on a content says that not all of it is here.
private func saysCut(_ comment: String?) -> Bool {
    guard let text = comment?.lowercased() else { return false }
    return wordsOfCuts.contains(where: text.contains)
}

extension HARPostData {
    /// Tells whether not all of the content is here, by `_truncated` or the comment.
    package var isCut: Bool { isTruncated || saysCut(comment) }
}

extension HARContent {
    /// Tells whether not all of the content is here, by `_truncated` or the comment.
    package var isCut: Bool { isTruncated || saysCut(comment) }
}
