import CivilTime
import HTTPMessage

extension Response {
    /// No answer: these steps, of which the last ends the timeline.
    static func silent(_ steps: [Step]) -> Response {
        var response = Response(status: .unanswered)
        response.prelude = steps
        return response
    }

    /// Tells that its content is server-sent events over time.
    var isEventStream: Bool {
        guard case .steps = body, let type = fields[.contentType] else { return false }
        return MediaType(type)?.essence == "text/event-stream"
    }

    /// A wait before everything else.
    func delayed(by length: Interval, _ waiting: Waiting) -> Response {
        guard length > .zero else { return self }
        var delayed = self
        delayed.prelude.insert(.wait(length, waiting), at: 0)
        return delayed
    }

    /// The content up to that many bytes, framed as if all came, then those steps.
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

    /// Other content in one piece; what the old one did to the world when it was delivered still happens.
    mutating func replaceContent(_ bytes: [UInt8]) {
        guard case .steps(let steps) = body else {
            body = .bytes(bytes)
            return
        }
        let effects = steps.filter { if case .effect = $0 { true } else { false } }
        body = .steps(effects + [.bytes(bytes), .end])
    }

    /// Takes out the changes of the world that are tied to delivery.
    mutating func dropEffects() {
        func rest(_ steps: [Step]) -> [Step] { steps.filter { if case .effect = $0 { false } else { true } } }
        prelude = rest(prelude)
        if case .steps(let steps) = body { body = .steps(rest(steps)) }
    }
}

extension Step {
    /// Tells that the timeline continues after it.
    var goesOn: Bool {
        switch self {
        case .end, .close, .abort, .hold: false
        case .interim, .head, .bytes, .raw, .wait, .effect, .trailers, .halfClose: true
        }
    }
}
