import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

/// Random walks against small models.
///
/// A failure prints the seed, which repeats the walk.
struct RandomWalkTests {
    static func seeds(_ count: Int) -> [UInt64] { (0..<count).map { _ in UInt64.random(in: 0...UInt64.max) } }

    // MARK: The onboarding record

    private static let names = Section3OnboardingTests.dates + Section3OnboardingTests.statuses

    /// A value that a member takes, with its form in answers.
    private static func value(_ name: String, _ chance: inout SeededStream) -> (sent: JSON, shown: String) {
        if name.hasSuffix("status") {
            let text = ["granted", "denied", "skipped", "not_requested"][chance.below(4)]
            return (.string(text), text)
        }
        let instant = Instant(seconds: 1_700_000_000 + Int64(chance.below(100_000_000)))
        let shown = instant.iso8601(.seconds)
        return (.string(chance.below(2) == 0 ? shown : shown.dropLast() + ".75Z"), shown)
    }

    private static func shown(_ model: [String: String], _ completed: Bool, _ updated: Instant) -> String {
        var text = #"{"user_id":"\#(Harness.id(1))","completed":\#(completed)"#
        for name in Section3OnboardingTests.members.dropFirst(2) {
            if let value = model[name] { text += #","\#(name)":"\#(value)""# }
        }
        return text + #","created_at":"2025-01-01T12:00:00Z","updated_at":"\#(updated.iso8601(.seconds))"}"#
    }

    @Test(arguments: seeds(12))
    func `3 the record goes where a small model says, however it is walked`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        try harness.set(["rateLimits": "off"])
        let tokens = try (0..<3).map { _ in try harness.mint("new@trendy.example") }
        var (model, completed, updated) = ([String: String](), false, Harness.noon)
        _ = try harness.get(Harness.onboarding, token: tokens[0])
        for _ in 0..<150 {
            let token = tokens[chance.below(3)]
            switch chance.below(8) {
            case 0:
                try harness.advance(.milliseconds(Int64(chance.below(5_000))))
                continue
            case 1:
                try expectEqual(
                    harness.get(Harness.onboarding, token: token).text,
                    Self.shown(model, completed, updated),
                    "seed \(seed)"
                )
                continue
            case 2:
                for name in Section3OnboardingTests.dates.prefix(3) { model[name] = nil }
                (completed, updated) = (false, try harness.now)
                let reply = try harness.delete(Harness.onboarding, token: token)
                expectEqual(reply.text, Self.shown(model, completed, updated), "seed \(seed)")
                continue
            case 3:
                let bad: [JSON] = [
                    ["completed": 1], ["healthkit_status": "maybe"], ["auth_completed_at": "soon"], [],
                    ["welcome_completed_at": "2025-01-01T00:00:00Z", "location_status": ""],
                ]
                let reply = try harness.patch(Harness.onboarding, token: token, json: bad[chance.below(bad.count)])
                expectEqual(reply.status, 400, "seed \(seed)")
                continue
            default: break
            }
            var body = JSONObject()
            for name in Self.names where chance.below(3) == 0 {
                if chance.below(4) == 0 {
                    body[name] = .null
                    model[name] = nil
                } else {
                    let value = Self.value(name, &chance)
                    body[name] = value.sent
                    model[name] = value.shown
                }
            }
            if chance.below(3) == 0 {
                let sent: [JSON] = [true, false, .null]
                let flag = sent[chance.below(3)]
                body["completed"] = flag
                completed = flag == true
            }
            updated = try harness.now
            let reply = try harness.patch(Harness.onboarding, token: token, json: .object(body))
            expectEqual(reply.text, Self.shown(model, completed, updated), "seed \(seed)")
        }
    }

    // MARK: Refresh tokens

    private struct Chain {
        var tokens: [String]
        var usedAt: [Instant?]
        var isOver = false
        var access: [(token: String, end: Instant)]
    }

    @Test(arguments: seeds(12))
    func `9.5 sessions live and end as a small model says`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        try harness.set(["rateLimits": "off"])
        var chains: [Chain] = []
        func begin() throws {
            let reply = try harness.signIn("new")
            chains.append(
                Chain(
                    tokens: [reply.text(at: "refresh_token")],
                    usedAt: [nil],
                    access: [(reply.text(at: "access_token"), try harness.now.flooredToSecond + .seconds(3_600))]
                )
            )
        }
        try begin()
        for _ in 0..<200 {
            let now = try harness.now
            let place = chance.below(chains.count)
            switch chance.below(10) {
            case 0: if chains.count < 5 { try begin() }
            case 1, 2: try harness.advance(.milliseconds(Int64(chance.below(12_000))))
            case 3: try harness.advance(.seconds(Int64(chance.below(2_000))))
            case 4:
                let access = chains[place].access.last ?? ("", now)
                let scope = ["global", "local", "others"][chance.below(3)]
                let isGood = !chains[place].isOver && now < access.end
                let reply = try harness.logout(access.token, scope: scope)
                expectEqual(reply.status == 204, isGood, "seed \(seed)")
                guard isGood, chance.below(1) == 0 else { continue }
                for other in chains.indices where scope == "global" || (other == place) == (scope == "local") {
                    chains[other].isOver = true
                }
            case 5, 6:
                let (token, end) = chains[place].access[chance.below(chains[place].access.count)]
                let status = try harness.get(Harness.onboarding, token: token).status
                expectEqual(status == 200, !chains[place].isOver && now < end, "seed \(seed)")
            default:
                let count = chains[place].tokens.count
                let index = count - 1 - chance.below(min(count, 4))
                let reply = try harness.refresh(chains[place].tokens[index])
                if chains[place].isOver {
                    expectEqual(reply.auth, "400 refresh_token_not_found", "seed \(seed)")
                    continue
                }
                let isRecent = chains[place].usedAt[index].map { now - $0 <= .seconds(10) } ?? false
                guard index >= count - 2 || isRecent else {
                    expectEqual(reply.auth, "400 refresh_token_already_used", "seed \(seed)")
                    chains[place].isOver = true
                    continue
                }
                expectEqual(reply.status, 200, "seed \(seed)")
                chains[place].access.append((reply.text(at: "access_token"), now.flooredToSecond + .seconds(3_600)))
                let given = reply.text(at: "refresh_token")
                if index == count - 1 {
                    #expect(!chains[place].tokens.contains(given), "seed \(seed)")
                    chains[place].usedAt[index] = now
                    chains[place].tokens.append(given)
                    chains[place].usedAt.append(nil)
                } else {
                    expectEqual(given, chains[place].tokens[count - 1], "seed \(seed)")
                }
            }
        }
    }

    // MARK: The limiter

    @Test(arguments: seeds(6))
    func `8 the limiter counts as a small model does`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        var model: [String: (count: Int, last: Instant)] = [:]
        for _ in 0..<3_000 {
            let now = try harness.now
            let address = "10.0.0.\(chance.below(3))"
            let former = model[address]
            let count = former.map { now - $0.last > .seconds(60) ? 1 : $0.count + 1 } ?? 1
            model[address] = (count, now)
            let reply = try harness.get("/health", headers: [("X-Forwarded-For", address)])
            expectEqual(reply.status, count <= 300 ? 200 : 429, "seed \(seed)")
            if chance.below(300) == 0 { try harness.advance(.milliseconds(Int64(30_000 + chance.below(60_000)))) }
        }
    }

    // MARK: Fifty clients

    @Test(arguments: seeds(3))
    func `5 fifty interleaved clients on one account never lose a member`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        try harness.set(["rateLimits": "off"])
        var clients = try (0..<50).map { _ in try harness.signIn("new") }
        var last: [String: String] = [:]
        var completed = false
        var since: [Int64] = Array(repeating: 0, count: 50)
        var seen: [[Int64]] = Array(repeating: [], count: 50)
        var typeCount = 0
        for step in 0..<1_500 {
            let client = chance.below(50)
            let token = clients[client].text(at: "access_token")
            switch chance.below(8) {
            case 0, 1, 2:
                // Each member belongs to a few clients; nobody sends all of them.
                let name = Self.names[client % Self.names.count]
                let value = Self.value(name, &chance)
                let reply = try harness.patch(Harness.onboarding, token: token, json: [name: value.sent] as JSON)
                last[name] = value.shown
                expectEqual(reply.status, 200, "seed \(seed)")
                for (name, value) in last { expectEqual(reply.text(at: name), value, "seed \(seed) \(name)") }
            case 3:
                completed = chance.below(2) == 0
                let reply = try harness.patch(
                    Harness.onboarding,
                    token: token,
                    json: ["completed": .bool(completed)]
                )
                expectEqual(reply.json["completed"], .bool(completed), "seed \(seed)")
            case 4:
                let reply = try harness.get(Harness.onboarding, token: token)
                expectEqual(reply.json["completed"], .bool(completed), "seed \(seed)")
                for (name, value) in last { expectEqual(reply.text(at: name), value, "seed \(seed) \(name)") }
            case 5:
                let name = "type \(chance.below(60))"
                let reply = try harness.post(
                    "/api/v1/event-types",
                    token: token,
                    json: ["name": .string(name), "color": "c", "icon": "i"]
                )
                if reply.status == 201 { typeCount += 1 } else { #expect(reply.text.contains("duplicate key")) }
            case 6:
                let page = try harness.get("/api/v1/changes?since=\(since[client])&limit=7", token: token).json
                for change in page["changes"]?.arrayValue ?? [] { seen[client].append(change["id"]?.intValue ?? -1) }
                since[client] = page["next_cursor"]?.intValue ?? -1
            default:
                if step.isMultiple(of: 3) {
                    clients[client] = try harness.refresh(clients[client].text(at: "refresh_token"))
                    expectEqual(clients[client].status, 200, "seed \(seed)")
                }
                try harness.advance(.milliseconds(Int64(chance.below(900))))
            }
        }
        let token = clients[0].text(at: "access_token")
        try expectEqual(harness.get("/api/v1/event-types", token: token).json.arrayValue?.count, typeCount)
        for client in 0..<50 {
            var page: JSON = ["has_more": true]
            while page["has_more"] == true {
                page = try harness.get("/api/v1/changes?since=\(since[client])&limit=500", token: token).json
                for change in page["changes"]?.arrayValue ?? [] { seen[client].append(change["id"]?.intValue ?? -1) }
                since[client] = page["next_cursor"]?.intValue ?? -1
            }
            // Everybody saw every change once, in order.
            expectEqual(seen[client], seen[0], "seed \(seed)")
            #expect(seen[client] == seen[client].sorted() && Set(seen[client]).count == typeCount, "seed \(seed)")
        }
    }
}
