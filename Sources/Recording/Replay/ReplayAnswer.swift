import Basics
import CivilTime
package import HTTPMessage

/// Makes the response of a recorded entry.
package struct ReplayAnswer: Sendable {
    /// The factor by which the replay is faster than the recording; 0 for no waits.
    package var speed: Double
    /// Moves dates and token lifetimes; nil leaves them as recorded.
    package var shift: DateShift?

    /// Replaces addresses of the recorded backend; nil leaves them as recorded.
    package var links: LinkRewriter?

    package init(speed: Double = 0, shift: DateShift? = nil, links: LinkRewriter? = nil) {
        self.speed = speed
        self.shift = shift
        self.links = links
    }

    /// Returns the recorded response for a request that matches the recorded one.
    ///
    /// The caller's own request id replaces the recorded one (control contract, section 3). `isWhole` makes a 200 of a
    /// 304, or of a 206 that has all of the content.
    package func response(_ entry: HAREntry, requestID: String?, isHead: Bool, isWhole: Bool = false) -> Response {
        var recorded = entry.response
        if isWhole {
            (recorded.status, recorded.statusText) = (200, "")
            recorded.headers.removeAll { $0.name.lowercased() == "content-range" }
        }
        var content = recorded.content.bytes ?? []
        let isStream = recorded.content.mimeType.lowercased().hasPrefix("text/event-stream")
        if !recorded.content.isEncoded {
            if let shift { content = shift.content(content, isEventStream: isStream) }
            if let links { content = links.content(content, type: recorded.content.mimeType) }
        }
        let framing = recorded.headers.value("content-length").flatMap { Int($0) }
        if isHead, content.isEmpty, let framing, (1...16 * 1024 * 1024).contains(framing) {
            // Never sent: only the length of the content of a response to HEAD is visible.
            content = [UInt8](repeating: 0, count: framing)
        }
        var response = Response(status: Status(recorded.status), fields: fields(recorded, content.count, requestID))
        // A tool that saw HTTP/2 has none.
        if !recorded.statusText.isEmpty { response.reason = recorded.statusText }
        let isChunked = recorded.headers.value("transfer-encoding")?.lowercased().contains("chunked") ?? false
        let isCut = recorded.error != nil
        let wait = wait(entry, isStream: isStream && entry.events != nil)
        if let wait { response.prelude = [wait] }
        if isStream, !recorded.content.isEncoded {
            response.body = .steps(stream(content, entry.events ?? [], from: wait == nil ? 0 : firstByte(entry)))
        } else if isChunked {
            response.body = .steps(content.isEmpty ? [.end] : [.bytes(content), .end])
        } else {
            response.body = content.isEmpty ? .empty : .bytes(content)
        }
        if isCut { response.body = .steps(cut(response.body)) }
        if recorded.status == 200, !isCut, !isStream, ["GET", "HEAD"].contains(entry.request.method) {
            response.selection = Self.takesRanges(entry) ? .rangesOfOther : .conditions
        }
        return response
    }

    /// Tells whether the backend takes ranges of the content, as far as is known (wire contract, section 2).
    private static func takesRanges(_ entry: HAREntry) -> Bool {
        let ignoredOne = entry.response.status == 200 && entry.request.headers.value("range") != nil
        return !ignoredOne && entry.response.headers.value("accept-ranges")?.lowercased() != "none"
    }

    private func cut(_ body: Response.Body) -> [Step] {
        switch body {
        case .empty: [.abort]
        case .bytes(let bytes): [.bytes(bytes), .abort]
        case .steps(let steps): steps.filter { $0 != .end } + [.abort]
        }
    }

    // MARK: Fields

    private func fields(_ recorded: HARResponse, _ length: Int, _ requestID: String?) -> Fields {
        var fields = Fields()
        let hop = ConnectionField(recorded.headers)
        for pair in recorded.headers {
            let name = pair.name.lowercased()
            // The framing keeps its place; the length is that of the content that is sent now.
            if name == "transfer-encoding", pair.value.lowercased() == "chunked" {
                fields.append(.transferEncoding, "chunked")
                continue
            }
            if name == "content-length" {
                fields.append(.contentLength, "\(length)")
                continue
            }
            if hop.isOfOneHop(name, pair.value) || name == "trailer" || name == "transfer-encoding" { continue }
            // The content has been decoded.
            if name == "content-encoding", !recorded.content.isEncoded { continue }
            guard let field = FieldName(pair.name) else { continue }
            if name == "x-request-id", let requestID {
                if !fields.contains(field) { fields.append(field, requestID) }
                continue
            }
            let moved = shift.map { $0.header(pair.name, pair.value) } ?? pair.value
            fields.append(field, pair.with(links.map { $0.header(pair.name, moved) } ?? moved).bytes)
        }
        // Some tools record the target of a redirect but not the field.
        if (300..<400).contains(recorded.status), recorded.status != 304, !recorded.redirectURL.isEmpty,
            fields["Location"] == nil, !recorded.redirectURL.contains(where: \.isNewline)
        {
            fields.append("Location", links.map { $0.header("Location", recorded.redirectURL) } ?? recorded.redirectURL)
        }
        // Some tools record the type of the content but not the field.
        let type = recorded.content.mimeType
        if length > 0, !type.isEmpty, type != "x-unknown", fields[.contentType] == nil {
            fields.append(.contentType, type.filter { !$0.isNewline })
        }
        return fields
    }

    // MARK: Time

    private func firstByte(_ entry: HAREntry) -> Double {
        max(entry.time - max(entry.timings.receive, 0), 0)
    }

    private func wait(_ entry: HAREntry, isStream: Bool) -> Step? {
        guard speed > 0 else { return nil }
        return Self.step(isStream ? firstByte(entry) : entry.time, speed)
    }

    private static func step(_ milliseconds: Double, _ speed: Double) -> Step? {
        let length = milliseconds * 1_000 / speed
        guard length >= 1, length < 1e15 else { return nil }
        return .wait(.microseconds(Int64(length)), .either)
    }

    /// Returns a step for each event, with the recorded time between them.
    private func stream(_ content: [UInt8], _ events: [HAREvent], from start: Double) -> [Step] {
        var parser = EventStreamParser()
        var steps: [Step] = []
        var place = 0
        var last = start
        for (index, event) in parser.feed(content[...]).enumerated() where event.end > place {
            if speed > 0, index < events.count {
                if let wait = Self.step(events[index].offset - last, speed) { steps.append(wait) }
                last = max(last, events[index].offset)
            }
            steps.append(.bytes(Array(content[place..<event.end])))
            place = event.end
        }
        if place < content.count { steps.append(.bytes(Array(content[place...]))) }
        return steps + [.end]
    }
}
