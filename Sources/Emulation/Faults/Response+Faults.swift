import CivilTime
import HTTPMessage

extension Response {
    /// Returns a timeline without a response; the last of the steps ends it.
    static func silent(_ steps: [Step]) -> Response {
        var response = Response(status: .unanswered)
        response.prelude = steps
        return response
    }

    /// Tells whether its content is server-sent events over time.
    var isEventStream: Bool {
        guard case .steps = body, let type = fields[.contentType] else { return false }
        return MediaType(type)?.essence == "text/event-stream"
    }

    /// Returns the response after a wait.
    func delayed(by length: Interval, _ waiting: Waiting) -> Response {
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

    /// Replaces the content by other content in one piece; the effects of the old one's delivery on the world are kept.
    mutating func replaceContent(_ bytes: [UInt8]) {
        guard case .steps(let steps) = body else {
            body = .bytes(bytes)
            return
        }
        let effects = steps.filter { if case .effect = $0 { true } else { false } }
        body = .steps(effects + [.bytes(bytes), .end])
    }

    /// Removes the changes of the world that are tied to delivery.
    mutating func dropEffects() {
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
        case .interim, .head, .bytes, .raw, .belowTLS, .wait, .effect, .trailers, .halfClose: true
        }
    }
}
