import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Random walks against small models.
///
/// A failure prints the seed, which repeats the walk.
struct RandomWalkTests {
    private static func seeds(_ count: Int) -> [UInt64] { (0..<count).map { _ in UInt64.random(in: 0...UInt64.max) } }

    // MARK: Tokens

    private struct Session {
        var token: String
        /// The end of the token itself.
        var end: Instant
        var isRevoked = false
        /// The stored end, when the control API has moved it.
        var storedEnd: Instant?

        func expected(at now: Instant) -> String {
            if now.seconds >= end.seconds { return "401 Invalid refresh token" }
            if isRevoked { return "401 Refresh token not found" }
            if let storedEnd, now >= storedEnd { return "401 Refresh token expired" }
            return "200"
        }
    }

    private struct Access {
        var token: String
        var end: Instant
        var isEnded = false

        func expected(at now: Instant) -> String {
            isEnded || now.seconds >= end.seconds ? "401 Invalid or expired token" : "200"
        }
    }

    @Test(arguments: seeds(6))
    func `tokens live and end as a small model says`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        try harness.set(["rateLimits": "off"])
        var sessions: [Session] = []
        var accesses: [Access] = []
        func result(_ reply: Played) -> String { reply.status == 200 ? "200" : reply.error }
        for _ in 0..<250 {
            let now = try harness.now
            switch chance.below(8) {
            case 0:
                let reply = try harness.signIn(as: Harness.test)
                let start = now.flooredToSecond
                sessions.append(Session(token: reply.text(at: "refreshToken"), end: start + .days(30)))
                accesses.append(Access(token: reply.text(at: "accessToken"), end: start + .seconds(900)))
            case 1, 2:
                guard !sessions.isEmpty else { continue }
                let session = sessions[chance.below(sessions.count)]
                let reply = try harness.refresh(session.token)
                expectEqual(result(reply), session.expected(at: now), "seed \(seed)")
                if reply.status == 200 {
                    accesses.append(
                        Access(token: reply.text(at: "accessToken"), end: now.flooredToSecond + .seconds(900))
                    )
                }
            case 3, 4:
                guard !accesses.isEmpty else { continue }
                let access = accesses[accesses.count - 1 - chance.below(min(accesses.count, 6))]
                let reply = try harness.get("/api/v1/user/profile", token: access.token)
                expectEqual(result(reply), access.expected(at: now), "seed \(seed)")
            case 5: try harness.advance(.milliseconds(Int64(chance.below(600_000))))
            case 6:
                try harness.advance(
                    chance.below(6) == 0 ? .days(Int64(chance.below(20))) : .seconds(Int64(chance.below(1_000)))
                )
            default:
                guard chance.below(6) == 0 else { continue }
                let scope = TokenEnding.Scope.allCases[chance.below(3)]
                let isRevoking = chance.below(2) == 0
                try harness.end(Harness.test, scope, isRevoking ? .revoke : .expire)
                if scope != .refresh { for place in accesses.indices { accesses[place].isEnded = true } }
                guard scope != .access else { continue }
                for place in sessions.indices {
                    if isRevoking {
                        sessions[place].isRevoked = true
                    } else {
                        sessions[place].storedEnd = min(sessions[place].storedEnd ?? now, now)
                    }
                }
            }
        }
    }

    // MARK: Conversations and messages

    private struct Talk {
        var id: String
        var title: String
        var isArchived = false
        var created: Int
        var updated: Int
        var messages: [(role: String, content: String)] = []
    }

    @Test(arguments: seeds(6))
    func `conversations and messages follow a small model`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        try harness.set(["rateLimits": "off"])
        let token = try harness.mint(Harness.empty, life: .days(1))
        var talks: [Talk] = []
        var tick = 0
        for step in 0..<160 {
            let place = talks.isEmpty ? 0 : chance.below(talks.count)
            switch chance.below(talks.isEmpty ? 1 : 8) {
            case 0:
                let id = try harness.create(token, title: "Talk \(step)")
                talks.append(Talk(id: id, title: "Talk \(step)", created: tick, updated: tick))
            case 1, 2:
                let content = "Message \(step)"
                let talk = talks[place]
                let number = talk.messages.count { $0.role == "user" } + 1
                let text = Reply.text(to: content, number: number, model: "gpt-4o-mini")
                let leaves = chance.below(3) == 0
                let isStream = chance.below(2) == 0
                _ =
                    isStream
                    ? try harness.stream(content, to: talk.id, token, leaveAfter: leaves ? 80 : nil)
                    : try harness.ask(content, in: talk.id, token, leaveAfter: leaves ? 80 : nil)
                talks[place].messages += [("user", content), ("assistant", leaves ? "" : text)]
                talks[place].updated = tick
            case 3:
                let isArchived = chance.below(2) == 0
                _ = try harness.patch(
                    "/api/v1/conversations/\(talks[place].id)",
                    token: token,
                    json: ["title": "Renamed \(step)", "isArchived": .bool(isArchived)]
                )
                talks[place].title = "Renamed \(step)"
                talks[place].isArchived = isArchived
                talks[place].updated = tick
            case 4 where chance.below(3) == 0:
                try expectEqual(harness.delete("/api/v1/conversations/\(talks[place].id)", token: token).status, 200)
                talks.remove(at: place)
            case 5, 6:
                try harness.advance(.seconds(1))
                tick += 1
            default: try check(talks[place], harness, token, seed, &chance)
            }
            try check(talks, harness, token, seed)
        }
    }

    private func check(_ talks: [Talk], _ harness: Harness, _ token: String, _ seed: UInt64) throws {
        let order = talks.indices.sorted { left, right in
            (talks[left].updated, talks[left].created, left) > (talks[right].updated, talks[right].created, right)
        }
        let rows = try harness.conversations(token)
        expectEqual(rows.map { $0.string("id") }, order.map { talks[$0].id }, "seed \(seed)")
        for (row, place) in zip(rows, order) {
            expectEqual(row["title"], .string(talks[place].title), "seed \(seed)")
            expectEqual(row["isArchived"], .bool(talks[place].isArchived), "seed \(seed)")
            expectEqual(
                row["lastMessage"]?.string("content"),
                talks[place].messages.last?.content ?? "",
                "seed \(seed)"
            )
        }
        let web = try harness.get("/api/conversations", token: token).json["conversations"]?.arrayValue ?? []
        expectEqual(
            web.map { $0.string("id") },
            order.filter { !talks[$0].isArchived }.map { talks[$0].id },
            "seed \(seed)"
        )
    }

    private func check(
        _ talk: Talk,
        _ harness: Harness,
        _ token: String,
        _ seed: UInt64,
        _ chance: inout SeededStream
    ) throws {
        let limit = 1 + chance.below(6)
        let offset = chance.below(8)
        let isDescending = chance.below(2) == 0
        let reply = try harness.get(
            "/api/v1/conversations/\(talk.id)/messages?limit=\(limit)&offset=\(offset)&order=\(isDescending ? "desc" : "asc")",
            token: token
        )
        let all = isDescending ? talk.messages.reversed() : talk.messages
        let page = reply.json["messages"]?.arrayValue ?? []
        expectEqual(
            page.map { $0.string("content") },
            all.dropFirst(offset).prefix(limit).map(\.content),
            "seed \(seed)"
        )
        expectEqual(page.map { $0.string("role") }, all.dropFirst(offset).prefix(limit).map(\.role), "seed \(seed)")
        expectEqual(reply.json["total"], .integer(Int64(all.count)), "seed \(seed)")
        expectEqual(reply.json["hasMore"], .bool(all.count > offset + limit), "seed \(seed)")
        for row in page where row.string("role") == "assistant" {
            expectEqual(row["isComplete"], .bool(!row.string("content").isEmpty), "seed \(seed)")
        }
    }
}
