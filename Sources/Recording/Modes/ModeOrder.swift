package import Backend
package import JSON

/// The mode of an API, which decides the source of its responses (control contract, section 13).
package enum APIMode: String, Sendable, CaseIterable {
    case emulate, record, replay
    case recordMissing = "record-missing"
    case spy, diff

    /// Tells whether requests may go to the real backend.
    package var needsUpstream: Bool {
        switch self {
        case .record, .recordMissing, .spy, .diff: true
        case .emulate, .replay: false
        }
    }
}

/// The response to a request that no recording has.
package enum MissPolicy: Sendable, Equatable {
    case fail, emulate, forward
    case status(Int)

    /// `fail`, `emulate`, `forward`, or a status from 200 to 599; nil for anything else.
    package init?(_ text: String) {
        switch text {
        case "fail": self = .fail
        case "emulate": self = .emulate
        case "forward": self = .forward
        default:
            guard let code = Int(text), (200...599).contains(code) else { return nil }
            self = .status(code)
        }
    }

    package var json: JSON {
        switch self {
        case .fail: "fail"
        case .emulate: "emulate"
        case .forward: "forward"
        case .status(let code): .integer(Int64(code))
        }
    }
}

/// The setting of one API's mode, with its form checked.
package struct ModeOrder: Sendable {
    package var api: Int
    package var mode: APIMode
    /// Tells whether requests may go to the real backend.
    package var reachesUpstream: Bool { mode.needsUpstream || miss == .forward }
    package var upstream: String?
    package var recording: String?
    /// Globs of the recorded hosts that answer; empty for all.
    package var hosts: [String] = []
    package var miss = MissPolicy.fail
    package var failsWhenExhausted = false
    package var speed = 0.0
    package var ignoredHeaders: [String] = []
    package var ignoredQuery: [String] = []
    package var ignoredBody: [String] = []
    package var refresh = false
    /// Tells whether forwarded requests lose the conditions of a client's cache (wire contract, section 2).
    package var fresh = false
    /// The target of the links in responses; nil for the usual one of the source.
    package var links: Links?
    /// The fate of a request whose path differs from a recorded one by the slash at its end.
    package var slashes = Slashes.strict

    /// A target of links.
    package enum Links: String, Sendable, CaseIterable {
        /// This server.
        case here
        /// The recorded or the real backend.
        case keep
    }

    /// Tells whether replayed responses keep the recorded backend's address in their links.
    package var keepsLinks: Bool { links == .keep }
    /// Tells whether links of a real backend's responses lead here.
    package var leadsLinksHere: Bool { links == .here }

    package init(api: Int, mode: APIMode) {
        self.api = api
        self.mode = mode
    }

    /// Returns the form of GET and PUT.
    package func json(name: String) -> JSON {
        var object: JSONObject = ["api": .string(name), "mode": .string(mode.rawValue)]
        if let upstream { object.append("upstream", .string(upstream)) }
        if let recording { object.append("recording", .string(recording)) }
        func list(_ items: [String]) -> JSON { .array(items.map { .string($0) }) }
        let ignore: JSON = [
            "headers": list(ignoredHeaders), "query": list(ignoredQuery), "body": list(ignoredBody),
        ]
        guard mode == .replay || mode == .recordMissing else {
            let ignoresAny = !(ignoredHeaders + ignoredQuery + ignoredBody).isEmpty
            // Comparisons may ignore members, too.
            if mode == .spy || mode == .diff, ignoresAny { object.append("ignore", ignore) }
            if reachesUpstream, leadsLinksHere { object.append("links", "here") }
            if reachesUpstream, fresh { object.append("fresh", true) }
            return .object(object)
        }
        object.append("miss", miss.json)
        object.append("exhausted", failsWhenExhausted ? "fail" : "repeat")
        object.append("speed", .double(speed))
        object.append("ignore", ignore)
        object.append("refresh", .bool(refresh))
        if let links, links == .keep || reachesUpstream { object.append("links", .string(links.rawValue)) }
        if reachesUpstream, fresh { object.append("fresh", true) }
        return .object(object)
    }
}

/// The outcome of a change of mode.
package enum ModeChange {
    case done(JSON)
    /// A recording is being read; the host answers the call afterwards.
    case later
}
