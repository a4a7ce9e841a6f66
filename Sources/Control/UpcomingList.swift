import Backend
import Basics
import CivilTime
import Conditions
import Engine
import JSON
import Worlds

/// The list of all that comes due on a world's clock, soonest first (console contract, section 4).
///
/// It is made of a copy of the world, so that a worker can make it while the world goes on.
struct UpcomingList: Sendable {
    /// A wait of a response in progress.
    struct Answer: Sendable {
        let at: Instant
        let api: String
        let user: String?
        let request: String
        let what: String
    }

    /// An item with what it can be selected by.
    private struct Found {
        var item: UpcomingItem
        var userID: String?
    }

    /// A copy that nobody changes.
    private let copy: HandedOver<Emulator.TableCopy>
    private let apis: [AnyAPI]
    private let scope: String?
    private let answers: [Answer]
    var kind: UpcomingItem.Kind?
    var user: String?

    init(_ call: ControlCall, _ hosted: Emulator.HostedWorld) {
        copy = HandedOver(call.emulator.tables(of: hosted))
        apis = call.emulator.apis
        scope = call.scope
        answers = call.host.waits(world: hosted.key).compactMap { wait in
            call.emulator[exchange: wait.exchange].flatMap { exchange in
                exchange.upcomingAnswer(at: wait.at, of: call.emulator)
            }
        }
    }

    private var world: World { copy.value.world }

    /// The number of waits that end up to an instant.
    func fired(until end: Instant) -> Int { answers.count { $0.at <= end } }

    /// Returns the items after now, up to an instant.
    func items(until end: Instant) -> [UpcomingItem] {
        let world = world
        let now = world.core.now
        var found: [Found] = []
        var noted: [(issued: Int64, item: Found)] = []
        for (index, api) in apis.enumerated() where scope == nil || api.identity.name == scope {
            add(copy.value.ledger(index, of: api), of: api.identity.name, to: &found, &noted)
        }
        // The newest of those that no API keeps.
        noted.sort { $0.issued > $1.issued }
        found += noted.prefix(RecentToken.most).map(\.item)
        addFaults(to: &found)
        for answer in answers where scope == nil || answer.api == scope {
            found.append(
                Found(
                    item: UpcomingItem(
                        at: answer.at,
                        kind: .answer,
                        api: answer.api,
                        user: answer.user,
                        what: answer.what,
                        request: answer.request
                    )
                )
            )
        }
        let selected = found.filter { $0.item.at > now && $0.item.at <= end && takes($0) }.map(\.item)
        return selected.enumerated().sorted { one, other in
            one.element.at == other.element.at ? one.offset < other.offset : one.element.at < other.element.at
        }.map(\.element)
    }

    private func takes(_ found: Found) -> Bool {
        if let kind, found.item.kind != kind { return false }
        guard let user = user?.lowercased() else { return true }
        return found.item.user?.lowercased() == user || found.userID?.lowercased() == user
    }

    private func add(
        _ ledger: Ledger,
        of api: String,
        to found: inout [Found],
        _ noted: inout [(issued: Int64, item: Found)]
    ) {
        var labels: [String: String] = [:]
        for user in ledger.users { labels[user.id] = user.email ?? user.id }
        for holding in ledger.holdings {
            guard let end = holding.end else { continue }
            let label = labels[holding.user] ?? holding.user
            let (kind, name): (UpcomingItem.Kind, String) =
                holding.kind == .access ? (.access, "access") : (.refresh, "refresh")
            let item = Found(
                item: UpcomingItem(
                    at: end,
                    kind: kind,
                    api: api,
                    user: label,
                    what: Self.short("The \(name) token of \(label) expires")
                ),
                userID: holding.user
            )
            if let issued = holding.noted { noted.append((issued, item)) } else { found.append(item) }
        }
        for due in ledger.dues {
            let label = due.user.map { labels[$0] ?? $0 }
            let what = due.what.replacing("%", with: label ?? "")
            let item = UpcomingItem(at: due.at, kind: due.kind, api: api, user: label, what: Self.short(what))
            found.append(Found(item: item, userID: due.user))
        }
    }

    private func addFaults(to found: inout [Found]) {
        let world = world
        guard world.faults.isEnabled else { return }
        for fault in world.faults.faults where fault.isEnabled {
            let api = fault.spec.matcher.api
            guard scope == nil || api == nil || api == scope,
                fault.spec.when.times.map({ fault.hits < $0 }) ?? true
            else { continue }
            let part = world.parts.first { api == nil || $0.api.identity.name == api }
            guard let epoch = part?.epoch else { continue }
            let name = fault.spec.name ?? fault.id
            let edges: [(UpcomingItem.Kind, Timestamp?, String)] = [
                (.faultFrom, fault.spec.when.from, "begins"), (.faultUntil, fault.spec.when.until, "ends"),
            ]
            for (kind, time, verb) in edges {
                guard let at = time?.resolved(in: epoch) else { continue }
                let what = Self.short("The window of the fault \(name) \(verb)")
                found.append(Found(item: UpcomingItem(at: at, kind: kind, api: api, what: what, fault: fault.id)))
            }
        }
    }

    /// The maximum length of a sentence, in characters.
    private static let longest = 200

    private static func short(_ text: String) -> String {
        text.unicodeScalars.count <= longest
            ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest - 1))) + "…"
    }
}

extension UpcomingItem {
    static let schema = Schemas.object(
        [
            ("at", Schemas.instant), ("kind", .string(enumeration: Kind.allCases.map(\.rawValue))),
            ("what", .string(maxLength: 200)),
        ],
        optional: [("api", .string()), ("user", .string()), ("request", .string()), ("fault", .string())]
    )

    var json: JSON {
        var object: JSONObject = ["at": .string(at.iso8601(.milliseconds)), "kind": .string(kind.rawValue)]
        if let api { object.append("api", .string(api)) }
        if let user { object.append("user", .string(user)) }
        object.append("what", .string(what))
        if let request { object.append("request", .string(request)) }
        if let fault { object.append("fault", .string(fault)) }
        return .object(object)
    }
}

extension Exchange {
    /// Returns the next piece of its response as something that comes due.
    fileprivate func upcomingAnswer(at instant: Instant, of emulator: Emulator) -> UpcomingList.Answer? {
        guard hasWorld, let request = entryKey else { return nil }
        return UpcomingList.Answer(
            at: instant,
            api: emulator.apis[apiIndex].identity.name,
            user: call.user?.label,
            request: request,
            what: "The response to \(request), or its next part, is due"
        )
    }
}
