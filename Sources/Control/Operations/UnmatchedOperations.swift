import Backend
import Basics
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import Recording
import Worlds

/// Requests that nothing answered: no endpoint, fault, recording or real backend (control contract, section 11).
enum UnmatchedOperations {
    private static let count = 3

    private static let nearest = Schemas.object(
        [("method", .string()), ("path", .string()), ("differs", .string())],
        optional: [("stub", .string())]
    )

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/unmatched",
            "Lists unmatched requests, newest first, each with the nearest entries and routes",
            reads: .endpoints,
            isList: true,
            answers: [
                Schemas.answer(
                    "Unmatched",
                    Schemas.list(
                        Schemas.object([
                            ("id", .string()), ("seq", .integer()), ("at", .string()), ("api", .string()),
                            ("method", .string()), ("path", .string()), ("status", .integer()),
                            ("nearest", .array(nearest)),
                        ])
                    ),
                    "The requests"
                )
            ],
            act: { call throws(Problem) in
                let hosted = try call.world()
                let journal = call.emulator.journal(of: hosted)
                let stubs = hosted.world.stubs
                let apis = call.emulator.apis
                let name = call.api.map { apis[$0].identity.name }
                let page = try call.page()
                var recorded: [String: NearestRecorded] = [:]
                var replaying: Set<String> = []
                for (index, api) in apis.enumerated() {
                    guard let nearest = call.host.nearestRecorded(api: index) else { continue }
                    recorded[api.identity.name] = nearest
                    let mode = call.host.modes(of: [index]).first?.mode
                    if mode == .replay || mode == .recordMissing { replaying.insert(api.identity.name) }
                }
                // A recording is a file, so reading it takes long.
                return ControlJob.Work(isShort: journal.isShort && recorded.isEmpty && stubs.isEmpty) {
                    [recorded, replaying] wanted in
                    var places: [JournalPlace] = []
                    journal.entries.forEachPlaceNewestFirst { place in
                        if isUnmatched(place), name == nil || place.api == name { places.append(place) }
                        return wanted.holds
                    }
                    // The nearest routes are computed only for the requested page.
                    return page.response(places) { place in
                        wanted.holds ? place.entry.map { json($0, apis, recorded, replaying, stubs) } ?? .null : .null
                    }
                }.reply
            }
        )
    ]

    /// Returns whether nothing answered the request.
    ///
    /// A granted preflight of a browser counts as answered, though no endpoint took it, and so does a request that a
    /// recording, a fault or a real backend answered.
    private static func isUnmatched(_ place: JournalPlace) -> Bool {
        guard !place.hasRoute, !place.isTakenElsewhere else { return false }
        return place.method != .options || place.status.map { !(200..<300).contains($0.code) } ?? true
    }

    private static func json(
        _ entry: JournalEntry,
        _ apis: [AnyAPI],
        _ recorded: [String: NearestRecorded],
        _ replaying: Set<String>,
        _ stubs: StubRegistry
    ) -> JSON {
        let routes = nearest(to: entry, apis, recorded, replaying, stubs).map { near -> JSON in
            var object: JSONObject = [
                "method": .string(near.method.rawValue), "path": .string(near.template),
                "differs": .string(near.differs),
            ]
            if let stub = near.stub { object.append("stub", .string(stub)) }
            return .object(object)
        }
        return [
            "id": .string(entry.id), "seq": .integer(Int64(entry.seq)), "at": .string(entry.at.iso8601(.milliseconds)),
            "api": .string(entry.api), "method": .string(entry.method.rawValue), "path": .string(entry.path),
            "status": .integer(Int64(entry.status.code)), "nearest": .array(routes),
        ]
    }

    private static func nearest(
        to entry: JournalEntry,
        _ apis: [AnyAPI],
        _ recorded: [String: NearestRecorded],
        _ replaying: Set<String>,
        _ stubs: StubRegistry
    ) -> [NearRoute] {
        let stubs = stubs.has(entry.api) ? stubs.nearest(to: MatchSubject(entry), count: count) : []
        let near = stubs.filter(\.isNear).map(\.route)
        let entries = recorded[entry.api]?(entry, count) ?? []
        let api = apis.first { $0.identity.name == entry.api }
        let routes = api?.nearestRoutes(to: entry.path, method: entry.method, count: count) ?? []
        // A custom API has them side by side (own-API contract, section 4). While an API replays, its recording is the
        // present source of responses, and comes first.
        let merged =
            api?.isBuiltIn == false && !replaying.contains(entry.api)
            ? NearRoute.merged([near, entries, routes], count: count) : near + entries + routes
        // A stub that is far away says less than any route.
        return Array((merged + stubs.filter { !$0.isNear }.map(\.route)).prefix(count))
    }
}
