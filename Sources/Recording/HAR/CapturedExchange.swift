import Backend
package import CivilTime
package import HTTPMessage
package import JSON

/// An exchange as a proxy recorded it, before it becomes an entry.
package struct CapturedExchange: Sendable {
    /// The length up to which bodies are kept; for longer ones only the length is.
    package static let bodyLimit = 32 * 1024 * 1024

    /// The ends of the phases, counted from the start; nil for a phase that was not reached.
    package struct Marks: Sendable, Equatable {
        package var resolved: Interval?
        package var connected: Interval?
        package var secured: Interval?
        package var sent: Interval?
        package var firstByte: Interval?
        package var ended = Interval.zero

        package init() {}
    }

    package var started: Instant
    package var marks = Marks()
    package var method: String
    /// The request's address at the upstream.
    package var url: String
    /// The fields in order, as sent upstream.
    package var requestFields: Fields
    package var requestBody: [UInt8]
    package var requestBodyLength: Int
    /// The bytes on the wire of content that is here without its coding; nil for content as it came.
    package var codedRequestLength: Int?
    package var codedResponseLength: Int?
    package var status: Int?
    package var reason = ""
    package var responseFields = Fields()
    /// Bytes of the status line and header section.
    package var responseHeadLength = -1
    /// The content as it came, still encoded but without framing.
    package var responseBody: [UInt8] = []
    package var responseBodyLength = 0
    /// True if the content is too long to be kept.
    package private(set) var isLeftOut = false
    /// The amount of content at each arrival, for the times of server-sent events.
    package var arrivals: [(length: Int, at: Interval)] = []
    package var serverAddress: String?
    /// The client's connection, by its number, and its address and port.
    package var connection: String?
    package var peer: String?
    package var error: String?
    package var world: String?
    package var virtualTime: Instant?
    package var fault: JSON?

    package init(started: Instant, method: String, url: String, fields: Fields, body: [UInt8]) {
        self.started = started
        self.method = method
        self.url = url
        requestFields = fields
        requestBody = body.count <= Self.bodyLimit ? body : []
        requestBodyLength = body.count
    }

    /// Drops the content of the response, past and future.
    package mutating func leaveOut() {
        isLeftOut = true
        responseBody = []
    }

    /// Adds content that has arrived.
    package mutating func received(_ bytes: [UInt8], at: Interval) {
        responseBodyLength += bytes.count
        if responseBodyLength > Self.bodyLimit { isLeftOut = true }
        if isLeftOut {
            responseBody = []
        } else {
            responseBody += bytes
        }
        if arrivals.count < 100_000 { arrivals.append((responseBodyLength, at)) }
    }

    /// Returns the entry.
    ///
    /// Content that can't be decoded is left out unless `keepsUndecoded`, because it can't be searched for secrets.
    package func entry(keepsUndecoded: Bool) -> HAREntry {
        var entry = HAREntry(
            started: started,
            request: request(keepsUndecoded),
            response: response(keepsUndecoded),
            timings: timings
        )
        entry.serverAddress = serverAddress
        entry.connection = connection
        entry.peer = peer
        entry.world = world
        entry.virtualTime = virtualTime
        entry.fault = fault
        if entry.response.content.mimeType.lowercased().hasPrefix("text/event-stream") {
            entry.events = events(entry.response.content)
        }
        return entry
    }

    // MARK: Request

    private func request(_ keepsUndecoded: Bool) -> HARRequest {
        let address = HARAddress(url)
        var request = HARRequest(method: method, url: url, headers: HARPair.fields(requestFields))
        request.query = address?.queryPairs ?? []
        request.cookies = requestFields.values("Cookie").flatMap { line in
            line.split(separator: ";").compactMap { piece in
                let parts = piece.drop { $0 == " " }.split(
                    separator: "=",
                    maxSplits: 1,
                    omittingEmptySubsequences: false
                )
                return parts.count == 2 ? HARCookie(name: String(parts[0]), value: String(parts[1])) : nil
            }
        }
        let target = (address?.path ?? "/") + (address?.query.map { "?" + $0 } ?? "")
        request.headersSize = method.utf8.count + target.utf8.count + 12 + requestFields.wire.count + 2
        request.bodySize = codedRequestLength ?? requestBodyLength
        guard requestBodyLength > 0 else { return request }
        let type = requestFields[.contentType] ?? ""
        var post = HARPostData(mimeType: type, bytes: requestBody)
        if requestBody.isEmpty { post.comment = "left out: \(requestBodyLength) bytes" }
        let codings = requestFields.listElements("Content-Encoding").filter { $0 != "identity" }
        if codedRequestLength != nil {
            post.comment = "decoded (\(codings.joined(separator: ", ")))"
        } else if !requestBody.isEmpty, !codings.isEmpty {
            if let plain = ContentCoding.original(requestBody, codings, limit: Self.bodyLimit) {
                if plain != requestBody { post.comment = "decoded (\(codings.joined(separator: ", ")))" }
                post.bytes = plain
            } else {
                if !keepsUndecoded { post.bytes = [] }
                post.comment = Self.stillCoded(codings.joined(separator: ", "), isKept: keepsUndecoded)
            }
        }
        post.parameters = Self.parameters(post.bytes, type)
        request.postData = post
        return request
    }

    static func stillCoded(_ coding: String, isKept: Bool) -> String {
        "still coded (\(coding))" + (isKept ? "" : "; left out, since secrets in it could not be seen")
    }

    private static func parameters(_ body: [UInt8], _ type: String) -> [HARParameter] {
        switch MediaType(type)?.essence {
        case "application/x-www-form-urlencoded"? where body.first != 0x7B && body.first != 0x5B:
            return QueryItems(bytes: body[...]).items.map { HARParameter(name: $0.name, value: $0.value) }
        case "multipart/form-data"?:
            let parts = (try? MultipartParser.parse(body: body, contentType: type)) ?? []
            return parts.map { part in
                let text = part.filename == nil ? String(validating: part.content, as: UTF8.self) : nil
                return HARParameter(
                    name: part.name,
                    value: text,
                    fileName: part.filename,
                    contentType: part.contentType
                )
            }
        default: return []
        }
    }

    // MARK: Response

    private func response(_ keepsUndecoded: Bool) -> HARResponse {
        guard let status else { return .none(error ?? "no answer came") }
        var response = HARResponse(
            status: status,
            statusText: reason,
            headers: HARPair.fields(responseFields),
            content: content(keepsUndecoded)
        )
        response.cookies = responseFields.values("Set-Cookie").compactMap(Self.cookie)
        if (300..<400).contains(status) { response.redirectURL = responseFields[.location] ?? "" }
        response.headersSize = responseHeadLength
        response.bodySize = codedResponseLength ?? responseBodyLength
        response.error = error
        return response
    }

    private func content(_ keepsUndecoded: Bool) -> HARContent {
        let type = responseFields[.contentType] ?? "x-unknown"
        var content = HARContent(size: responseBodyLength, mimeType: type, bytes: responseBody)
        guard responseBodyLength > 0 else {
            content.bytes = []
            return content
        }
        guard !responseBody.isEmpty else {
            content.bytes = nil
            content.comment =
                responseBodyLength > Self.bodyLimit
                ? "left out: over \(Self.bodyLimit) bytes" : "left out: too much was under way at once"
            return content
        }
        if let codedResponseLength {
            content.compression = responseBodyLength - codedResponseLength
            return content
        }
        let codings = responseFields.listElements("Content-Encoding").filter { $0 != "identity" }
        guard !codings.isEmpty else { return content }
        guard let decoded = ContentCoding.original(responseBody, codings, limit: Self.bodyLimit) else {
            content.bytes = keepsUndecoded ? responseBody : nil
            content.isEncoded = true
            content.comment = Self.stillCoded(codings.joined(separator: ", "), isKept: keepsUndecoded)
            return content
        }
        content.bytes = decoded
        content.size = decoded.count
        content.compression = decoded.count - responseBodyLength
        return content
    }

    private static func cookie(_ line: String) -> HARCookie? {
        let pieces = line.split(separator: ";").map { $0.drop { $0 == " " } }
        guard let first = pieces.first, let equals = first.firstIndex(of: "=") else { return nil }
        var cookie = HARCookie(name: String(first[..<equals]), value: String(first[first.index(after: equals)...]))
        for piece in pieces.dropFirst() {
            let parts = piece.split(separator: "=", maxSplits: 1).map(String.init)
            switch parts.first?.lowercased() {
            case "path": cookie.path = parts.count > 1 ? parts[1] : nil
            case "domain": cookie.domain = parts.count > 1 ? parts[1] : nil
            case "expires":
                cookie.expires = parts.count > 1 ? Instant(httpDate: parts[1])?.iso8601(.milliseconds) : nil
            case "httponly": cookie.isHTTPOnly = true
            case "secure": cookie.isSecure = true
            default: break
            }
        }
        return cookie
    }

    private func events(_ content: HARContent) -> [HAREvent] {
        guard let bytes = content.bytes, !content.isEncoded else { return [] }
        var parser = EventStreamParser()
        // For a stream that came compressed only the end is known.
        let isPlain = bytes.count == responseBodyLength
        var next = 0
        return parser.feed(bytes[...]).map { event in
            while next < arrivals.count, arrivals[next].length < event.end { next += 1 }
            let at = isPlain && next < arrivals.count ? arrivals[next].at : marks.ended
            return HAREvent(offset: Self.milliseconds(at), name: event.type, id: event.id, data: event.data)
        }
    }

    // MARK: Timings

    private var timings: HARTimings {
        var timings = HARTimings()
        var last = Interval.zero
        func phase(_ end: Interval?) -> Double? {
            guard let end else { return nil }
            defer { last = max(end, last) }
            return Self.milliseconds(max(end - last, .zero))
        }
        timings.dns = phase(marks.resolved) ?? -1
        let beforeConnect = last
        if let end = marks.secured ?? marks.connected {
            timings.connect = Self.milliseconds(max(end - beforeConnect, .zero))
            if let connected = marks.connected, marks.secured != nil {
                timings.ssl = Self.milliseconds(max(end - connected, .zero))
            }
            last = max(end, last)
        }
        timings.send = phase(marks.sent) ?? 0
        timings.wait = phase(marks.firstByte) ?? 0
        if marks.firstByte == nil {
            timings.wait = phase(marks.ended) ?? 0
        } else {
            timings.receive = phase(marks.ended) ?? 0
        }
        return timings
    }

    static func milliseconds(_ interval: Interval) -> Double { Double(interval.microseconds) / 1_000 }
}
