import Backend
import CivilTime
import CustomAPIs
import Engine
import HTTPMessage
import JSON
import TestSupport
import Testing
import Worlds

/// Random walks of a client against a small model of section 15 of the own-API contract.
///
/// A failure prints the seed, which repeats the walk.
@Suite struct Section15WalkTests {
    private static func seeds(_ count: Int) -> [UInt64] { (0..<count).map { _ in UInt64.random(in: 0...UInt64.max) } }

    /// What the model knows of a token.
    private struct Token {
        enum End: Equatable { case expired, revoked }

        var text: String
        var session: Int
        var isAccess: Bool
        var expiresAt: Instant
        /// The first use of a refresh token.
        var spentAt: Instant?
        /// What the control API or a fault did to it.
        var end: (how: End, at: Instant)?
    }

    private struct Session {
        var user: String
        var hasEnded = false
    }

    /// One world as the model has it.
    private struct Model {
        var sessions: [Session] = []
        var tokens: [Token] = []
        var rotates = true
        var accessSeconds: Int64 = 900
        var refreshSeconds: Int64 = 5_000
        let grace: Interval

        /// The state of a token: nil for a good one.
        private func fault(_ token: Token, _ now: Instant) -> String? {
            let word = token.isAccess ? "token" : "refresh"
            if now.seconds >= token.expiresAt.seconds { return "401 \(word)_expired" }
            if let spent = token.spentAt {
                if now - spent >= grace { return "401 refresh_reused" }
                return sessions[token.session].hasEnded ? "401 refresh_revoked" : nil
            }
            if sessions[token.session].hasEnded { return "401 \(word)_revoked" }
            if let end = token.end, end.at <= now {
                return "401 \(word)_\(end.how == .expired ? "expired" : "revoked")"
            }
            return nil
        }

        func use(_ place: Int, _ now: Instant) -> String { fault(tokens[place], now) ?? "200" }

        mutating func begin(_ user: String, _ access: String, _ refresh: String, _ now: Instant) {
            sessions.append(Session(user: user))
            add(access, refresh, sessions.count - 1, now)
        }

        mutating func add(_ access: String, _ refresh: String?, _ session: Int, _ now: Instant) {
            let start = now.flooredToSecond
            tokens.append(
                Token(text: access, session: session, isAccess: true, expiresAt: start + .seconds(accessSeconds))
            )
            guard let refresh else { return }
            tokens.append(
                Token(text: refresh, session: session, isAccess: false, expiresAt: start + .seconds(refreshSeconds))
            )
        }

        /// Notes a refresh, and returns the verdict that the client gets.
        mutating func refresh(_ place: Int, _ now: Instant) -> String {
            let verdict = use(place, now)
            if verdict == "401 refresh_reused" { sessions[tokens[place].session].hasEnded = true }
            if verdict == "200", rotates, tokens[place].spentAt == nil { tokens[place].spentAt = now }
            return verdict
        }

        mutating func end(_ place: Int, _ how: Token.End, _ at: Instant) {
            guard tokens[place].spentAt == nil else { return }
            if let former = tokens[place].end, former.at <= at { return }
            tokens[place].end = (how, at)
        }
    }

    @Test(
        arguments: seeds(3),
        [#"{"refresh":"PT5000S"}"#, #"{"refresh":"PT5000S","format":"opaque","grace":"PT20S"}"#]
    )
    func `15 sessions and tokens live and end as a small model says`(seed: UInt64, tokens: String) throws {
        var chance = SeededStream(seed: seed)
        let harness = try SignInFixture.harness(tokens: tokens)
        var model = Model(grace: tokens.contains("grace") ? .seconds(20) : .zero)
        var saved: Model?
        let users = ["anna@example.com", "bo@example.com"]
        for step in 0..<400 {
            let now = try harness.now()
            let note = "seed \(seed), step \(step)"
            /// A token of a kind, more often a late one.
            func pick(access isAccess: Bool) -> Int? {
                let places = model.tokens.indices.filter { model.tokens[$0].isAccess == isAccess }
                guard !places.isEmpty else { return nil }
                let last = min(places.count, chance.below(4) == 0 ? places.count : 6)
                return places[places.count - 1 - chance.below(last)]
            }
            switch chance.below(14) {
            case 0, 1:
                let user = users[chance.below(2)]
                let pair = try harness.login(user)
                model.begin(user, pair.access, pair.refresh, now)
            case 2, 3, 4:
                guard let place = pick(access: false) else { continue }
                let token = model.tokens[place]
                let answer = try harness.refresh(token.text)
                expectEqual(answer.verdict, model.refresh(place, now), "\(note)")
                guard answer.status == 200 else { continue }
                #expect((answer.tokens.refresh == token.text) != model.rotates, "\(note)")
                model.add(answer.tokens.access, model.rotates ? answer.tokens.refresh : nil, token.session, now)
            case 5, 6, 7:
                guard let place = pick(access: true) else { continue }
                let answer = try harness.get("/v1/me", token: model.tokens[place].text)
                expectEqual(answer.verdict, model.use(place, now), "\(note)")
                guard answer.status == 200 else { continue }
                let user = model.sessions[model.tokens[place].session].user
                expectEqual(answer.json["email"]?.stringValue?.lowercased(), user, "\(note)")
            case 8: try harness.advance(.milliseconds(Int64(chance.below(30_000))))
            case 9: try harness.advance(.seconds(Int64(chance.below(chance.below(5) == 0 ? 3_000 : 400))))
            case 10:
                guard chance.below(3) == 0, let place = pick(access: true) else { continue }
                let answer = try harness.send(
                    .post,
                    "/v1/logout",
                    headers: ["Authorization": "Bearer \(model.tokens[place].text)"]
                )
                let verdict = model.use(place, now)
                expectEqual(answer.verdict, verdict == "200" ? "204" : verdict, "\(note)")
                if verdict == "200" { model.sessions[model.tokens[place].session].hasEnded = true }
            case 11:
                guard chance.below(3) == 0 else { continue }
                let user = users[chance.below(2)]
                let scope = TokenEnding.Scope.allCases[chance.below(3)]
                let manner = TokenEnding.Manner.allCases[chance.below(2)]
                let delay = Interval.seconds(Int64(chance.below(2) * chance.below(300)))
                #expect(try harness.end(user, scope, manner, after: delay))
                for place in model.tokens.indices where model.sessions[model.tokens[place].session].user == user {
                    guard scope == .all || model.tokens[place].isAccess == (scope == .access) else { continue }
                    model.end(place, manner == .expire ? .expired : .revoked, now + delay)
                }
            case 12:
                guard let place = pick(access: chance.below(2) == 0) else { continue }
                let manner = TokenEnding.Manner.allCases[chance.below(2)]
                let hosted = try harness.hosted()
                hosted.world.tick(to: harness.hostTime)
                let text = model.tokens[place].text
                // A token that is over or spent stays as it is.
                _ = harness.api.endCredential(&hosted.world, 0, text, manner)
                model.end(place, manner == .expire ? .expired : .revoked, now)
            default:
                try turn(harness, &model, &saved, &chance, step)
            }
        }
        try compareFork(harness, model)
    }

    /// Changes a setting, takes a snapshot, or goes back to the one that was taken.
    private func turn(
        _ harness: CustomAPIHarness,
        _ model: inout Model,
        _ saved: inout Model?,
        _ chance: inout SeededStream,
        _ step: Int
    ) throws {
        let hosted = try harness.hosted()
        switch chance.below(6) {
        case 0:
            model.rotates.toggle()
            try harness.set(["auth": ["rotation": model.rotates ? "rotate" : "reuse"]])
        case 1:
            model.accessSeconds = Int64(1 + chance.below(1_000))
            model.refreshSeconds = Int64(1 + chance.below(8_000))
            let (access, refresh) = (JSON.integer(model.accessSeconds), JSON.integer(model.refreshSeconds))
            try harness.set(["auth": ["accessSeconds": access, "refreshSeconds": refresh]])
        case 2:
            guard saved == nil else { return }
            _ = try harness.emulator.takeSnapshot(named: "then", of: hosted, at: harness.hostTime)
            saved = model
        case 3:
            guard let former = saved else { return }
            try harness.emulator.restore("then", in: hosted, at: harness.hostTime)
            try harness.emulator.deleteSnapshot(named: "then", of: hosted)
            // The clock goes back as well, so that the model is that of the moment.
            model = former
            saved = nil
        default: break
        }
    }

    /// Looks at every token in its own world, and at some in a fork, which has the sessions and other tokens.
    private func compareFork(_ harness: CustomAPIHarness, _ model: Model) throws {
        try harness.makeWorld("fork", from: "main")
        let now = try harness.now()
        for (place, token) in model.tokens.enumerated() where token.isAccess {
            try expectEqual(harness.get("/@main/v1/me", token: token.text).verdict, model.use(place, now))
            try expectEqual(harness.get("/@fork/v1/me", token: token.text).verdict, "401 token_invalid")
        }
        let fork = try #require(harness.emulator[world: "fork"])
        let sessions = try harness.hosted().world.state(0, CustomAPIState.self).signIn.sessions.rows
        expectEqual(fork.world.state(0, CustomAPIState.self).signIn.sessions.rows, sessions)
    }
}
