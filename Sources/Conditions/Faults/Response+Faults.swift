import Backend
package import CivilTime
package import HTTPMessage

extension Response {
    /// Returns a timeline without a response; the last of the steps ends it.
    package static func silent(_ steps: [Step]) -> Response {
        var response = Response(status: .unanswered)
        response.prelude = steps
        return response
    }

    /// Tells whether its content is server-sent events over time.
    package var isEventStream: Bool {
        guard case .steps = body else { return false }
        return hasEvents
    }

    /// Tells whether its content is server-sent events.
    var hasEvents: Bool {
        // Looked at for every response, of which few are text.
        guard let type = fields.bytes(.contentType), let first = type.first, first | 0x20 == UInt8(ascii: "t") else {
            return false
        }
        return MediaType(bytes: type)?.essence == "text/event-stream"
    }

    /// Makes server-sent events a stream, whatever kind of content they came as (wire contract, section 9).
    package mutating func streamEvents() {
        guard hasEvents, !status.forbidsBody else { return }
        fields.remove(.contentLength)
        framing = nil
        selection = .none
        switch body {
        case .empty: body = .steps([.end])
        case .bytes(let bytes): body = .steps([.bytes(bytes), .end])
        case .steps: break
        }
    }

    /// Returns the response after a wait.
    package func delayed(by length: Interval, _ waiting: Waiting) -> Response {
        guard length > .zero else { return self }
        var delayed = self
        delayed.prelude.insert(.wait(length, waiting), at: 0)
        return delayed
    }

    /// Returns the response with its content up to that many bytes, framed as if all came, followed by those steps.
    func cut(after count: Int, _ ending: [Step]) -> Response {
        var cut = self
        switch body {
        case .empty: cut.body = .steps(ending)
        case .bytes(let bytes): cut.body = .steps([.bytes(Array(bytes.prefix(count)))] + ending)
        case .steps(let steps):
            var left = count
            var kept: [Step] = []
            for step in steps {
                guard case .bytes(let bytes) = step else {
                    guard step.goesOn, left > 0 else { break }
                    kept.append(step)
                    continue
                }
                kept.append(.bytes(Array(bytes.prefix(left))))
                left -= min(left, bytes.count)
                if left == 0 { break }
            }
            cut.body = .steps(kept + ending)
            return cut
        }
        cut.framing = .length(body.content.count)
        return cut
    }

    /// Tells whether it has no content for the client, as far as it is known before it is sent.
    var isWithoutContent: Bool {
        if status.forbidsBody { return true }
        switch body {
        case .empty: return true
        case .bytes(let bytes): return bytes.isEmpty
        case .steps(let steps):
            // Steps without an end are still to come.
            guard let last = steps.last, !last.goesOn else { return false }
            return steps.allSatisfy { step in
                switch step {
                case .bytes(let bytes), .raw(let bytes), .stray(let bytes), .belowTLS(let bytes): bytes.isEmpty
                default: true
                }
            }
        }
    }

    /// The maximum length of content that an effect changes (control contract, section 13).
    private static let longestDecoded = 32 << 20

    /// The response with its content as it is without `Content-Encoding`; nil if a coding is unknown or broken.
    var decoded: Response? {
        let codings = codings
        guard !codings.isEmpty, !isWithoutContent else { return self }
        guard let plain = ContentCoding.decoded(body.content, codings, limit: Self.longestDecoded) else { return nil }
        return self.plain(with: plain)
    }

    /// The codings of the content, but for `identity`, in lower case.
    var codings: [String] {
        guard fields.contains(.contentEncoding) else { return [] }
        return fields.listElements(.contentEncoding).filter { $0 != "identity" }
    }

    /// Returns the response with plain content.
    func plain(with content: [UInt8]) -> Response {
        var response = self
        response.fields.remove(.contentEncoding)
        response.replaceContent(content)
        return response
    }

    /// Removes what a client would later ask by whether its content is still current: it never was.
    mutating func dropValidators() {
        fields.remove("ETag")
        fields.remove(.lastModified)
    }

    /// Replaces the content by other content in one piece; the effects of the old one's delivery on the world and its
    /// ending are kept.
    mutating func replaceContent(_ bytes: [UInt8]) {
        guard case .steps(let steps) = body else {
            body = .bytes(bytes)
            return
        }
        let effects = steps.filter { if case .effect = $0 { true } else { false } }
        let ending = steps.filter { if case .trailers = $0 { true } else { !$0.goesOn } }
        body = .steps(effects + [.bytes(bytes)] + (ending.isEmpty ? [.end] : ending))
        if case .length? = framing { framing = .length(bytes.count) }
    }

    /// Removes the changes of the world that are tied to delivery.
    package mutating func dropEffects() {
        func rest(_ steps: [Step]) -> [Step] { steps.filter { if case .effect = $0 { false } else { true } } }
        prelude = rest(prelude)
        if case .steps(let steps) = body { body = .steps(rest(steps)) }
    }
}

extension Step {
    /// Tells whether the timeline continues after it.
    var goesOn: Bool {
        switch self {
        case .end, .close, .abort, .hold: false
        case .interim, .head, .bytes, .raw, .stray, .belowTLS, .wait, .effect, .closeAfter, .trailers, .halfClose: true
        }
    }
}
