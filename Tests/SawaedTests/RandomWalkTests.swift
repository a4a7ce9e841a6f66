import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Sawaed

/// Random walks against small models.
///
/// A failure prints the seed, which repeats the walk.
struct RandomWalkTests {
    private static func seeds(_ count: Int) -> [UInt64] { (0..<count).map { _ in UInt64.random(in: 0...UInt64.max) } }

    // MARK: Rotation

    /// A refresh token as section 3.3 sees it.
    private struct Token {
        var text: String
        var session: Int
        var parent: Int?
        var firstUse: Instant?
        var isRevoked = false
        var expiresAt: Instant
    }

    private struct Model {
        var tokens: [Token] = []
        /// The end of each session; nil once it is deleted.
        var sessions: [Instant?] = []

        /// The result of refreshing a token: an earlier child, a new one, or nil for 400.
        enum Result: Equatable { case known(Int), new, refused }

        mutating func refresh(_ place: Int, at now: Instant) -> Result {
            let token = tokens[place]
            guard let end = sessions[token.session] else { return .refused }
            guard now <= end, now <= token.expiresAt else {
                sessions[token.session] = nil
                return .refused
            }
            if !token.isRevoked {
                guard let firstUse = token.firstUse else {
                    tokens[place].firstUse = now
                    return .new
                }
                let newest = tokens.lastIndex {
                    $0.session == token.session && $0.firstUse == nil && !$0.isRevoked
                }
                if let newest, tokens[newest].parent == place { return .known(newest) }
                if now - firstUse <= .seconds(10) { return .new }
            }
            var doomed = [place]
            while let next = doomed.popLast() {
                tokens[next].isRevoked = true
                doomed += tokens.indices.filter { tokens[$0].parent == next && !tokens[$0].isRevoked }
            }
            return .refused
        }
    }

    @Test(arguments: seeds(8))
    func `3.3 refresh tokens rotate as a small model says`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        var model = Model()
        for step in 0..<300 {
            let now = try harness.now
            switch chance.below(10) {
            case 0:
                guard model.sessions.count < 4 else { continue }
                let text = try harness.mint(Harness.layla, .refresh)
                model.sessions.append(now + .days(30))
                let session = model.sessions.count - 1
                model.tokens.append(Token(text: text, session: session, expiresAt: now + .days(30)))
            case 1: try harness.advance(.seconds(Int64(chance.below(14))))
            case 2: try harness.advance(chance.below(5) == 0 ? .days(Int64(chance.below(9))) : .seconds(10))
            default:
                guard !model.tokens.isEmpty else { continue }
                let place = max(0, model.tokens.count - 1 - chance.below(6))
                let reply = try harness.refresh(model.tokens[place].text)
                let text = reply.text(at: "refreshToken")
                switch model.refresh(place, at: now) {
                case .refused: expectEqual(reply.error, "400 invalid_refresh", "seed \(seed), step \(step)")
                case .known(let child): expectEqual(text, model.tokens[child].text, "seed \(seed), step \(step)")
                case .new:
                    expectEqual(reply.status, 200, "seed \(seed), step \(step)")
                    #expect(!model.tokens.contains { $0.text == text }, "seed \(seed), step \(step)")
                    let session = model.tokens[place].session
                    model.tokens.append(
                        Token(text: text, session: session, parent: place, expiresAt: now + .days(30))
                    )
                }
            }
        }
    }

    // MARK: Onboarding

    @Test(arguments: seeds(6))
    func `5.1 onboarding goes as its table says`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        let token = try harness.mint(Harness.fresh)
        let base = "\(Harness.v1)/onboarding"
        var row: (completed: Bool, step: String?)?
        var hasDetails = false
        for _ in 0..<60 {
            switch chance.below(5) {
            case 0:
                let step = ["profile", "skills", "interests", "location"][chance.below(4)]
                try expectEqual(harness.post("\(base)/step", token: token, json: ["step": .string(step)]).status, 200)
                row = (row?.completed ?? false, step)
            case 1:
                let body: JSON = [
                    "firstNameAr": "ن", "lastNameAr": "ت", "firstNameEn": "N", "lastNameEn": "S", "gender": "male",
                    "region": "R", "cityId": "city_sur",
                ]
                try expectEqual(harness.post("\(base)/save-draft-details", token: token, json: body).status, 200)
                row = row ?? (false, "profile")
                hasDetails = true
            case 2:
                let body: JSON = ["skillIds": [], "interestIds": []]
                try expectEqual(harness.post("\(base)/save-draft-taxonomies", token: token, json: body).status, 200)
                row = row ?? (false, "skills")
            case 3:
                let reply = try harness.post("\(base)/complete", token: token)
                let wanted = row == nil ? 403 : hasDetails ? 200 : 400
                expectEqual(reply.status, wanted, "seed \(seed)")
                if wanted == 200 { row = (true, nil) }
            default:
                let status = try harness.get("\(base)/status", token: token)
                expectEqual(status.json["completed"], .bool(row?.completed ?? false), "seed \(seed)")
                expectEqual(status.json["currentStep"], (row?.step).map { .string($0) } ?? .null, "seed \(seed)")
                try expectEqual(harness.get("\(base)/draft", token: token).status, row == nil ? 403 : 200)
            }
        }
    }

    // MARK: Registrations

    @Test(arguments: seeds(6))
    func `9.3 a capacity is never exceeded, and every answer is the model's`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        try harness.set(["rateLimits": "off"])
        let event = "event_lastseat_barka"
        let hasWaitlist = chance.below(2) == 0
        _ = try harness.state { state, _ in
            state.events.update(event) {
                $0.capacity = 6
                $0.allowWaitlist = hasWaitlist
            }
        }
        let tokens = try (0..<5).map { try harness.signIn("u\($0)@example.com").text(at: "token") }
        // Two of the seats are the seed's.
        var held: [(status: String, quantity: Int)?] = Array(repeating: nil, count: 5)
        for _ in 0..<120 {
            let who = chance.below(5)
            if chance.below(3) == 0 {
                let reply = try harness.cancel(event, tokens[who])
                expectEqual(reply.status, held[who] == nil ? 409 : 200, "seed \(seed)")
                if held[who] != nil { held[who] = ("cancelled", 0) }
                continue
            }
            let quantity = 1 + chance.below(3)
            let taken = 2 + held.reduce(0) { $0 + ($1?.status == "accepted" ? $1?.quantity ?? 0 : 0) }
            let reply = try harness.register(event, tokens[who], ["quantity": .integer(Int64(quantity))])
            let wanted: String
            if let present = held[who], present.status != "cancelled" {
                wanted = "409 already_registered"
            } else if taken + quantity <= 6 {
                wanted = "accepted"
            } else {
                wanted = hasWaitlist ? "waitlisted" : "409 event_full"
            }
            expectEqual(reply.status == 200 ? reply.text(at: "status") : reply.error, wanted, "seed \(seed)")
            if reply.status == 200 { held[who] = (reply.text(at: "status"), quantity) }
            try harness.state { state, _ in #expect(state.acceptedSeats(of: event) <= 6, "seed \(seed)") }
        }
    }

    // MARK: Chat

    @Test(arguments: seeds(6))
    func `8.3 text only grows, states only go forward, and the ETag tells every change`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        try harness.set(["rateLimits": "off"])
        let outcomes = ["script", "error", "empty", "doneWithError", "assessNow"]
        let token = try harness.mint(Harness.layla)
        let order = ["queued", "running", "partial", "done", "error"]
        for _ in 0..<12 {
            try harness.set([
                "chatOutcome": .string(outcomes[chance.below(outcomes.count)]),
                "chatPaceMs": .integer(Int64(1 + chance.below(400))),
            ])
            let locale = chance.below(2) == 0 ? "ar" : "en"
            let id = try harness.chat("ب", token: token, locale: locale).text(at: "sessionId")
            var last: (text: String, state: Int, time: Int64, etag: String) = ("", 0, 0, "")
            for _ in 0..<20 {
                let reply = try harness.poll(id, etag: last.etag)
                if reply.status == 304 {
                    #expect(reply["ETag"] == last.etag && last.state < 3, "seed \(seed)")
                } else {
                    let text = reply.text(at: "text")
                    let state = try #require(order.firstIndex(of: reply.text(at: "status")))
                    let time = reply.json["updatedAt"]?.intValue ?? 0
                    #expect(text.hasPrefix(last.text) && state >= last.state && time >= last.time, "seed \(seed)")
                    #expect(time <= (try harness.now.milliseconds), "seed \(seed)")
                    expectEqual(reply["ETag"], "\"\(time)-\(text.utf16.count)\"", "seed \(seed)")
                    last = (text, state, time, reply["ETag"] ?? "")
                }
                try harness.advance(.milliseconds(Int64(chance.below(200))))
            }
        }
    }
}
