import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 4: an acknowledged write is on disk before its response leaves, even with kill -9.
@Suite struct KillTests {
    /// The acknowledgements that clients received before the kill.
    private final class Acknowledged: @unchecked Sendable {
        private let lock = NSLock()
        private var conversations: [String] = []
        private var refreshTokens: [String] = []
        private var spentTokens: [String] = []
        private var worlds: [String] = []

        func conversation(_ id: String) { lock.withLock { conversations.append(id) } }

        func refreshed(_ old: String, _ new: String) {
            lock.withLock {
                refreshTokens.removeAll { $0 == old }
                spentTokens.append(old)
                refreshTokens.append(new)
            }
        }

        func signedIn(_ refresh: String) { lock.withLock { refreshTokens.append(refresh) } }
        func made(_ world: String) { lock.withLock { worlds.append(world) } }

        var all: (conversations: [String], refresh: [String], spent: [String], worlds: [String]) {
            lock.withLock { (conversations, refreshTokens, spentTokens, worlds) }
        }

        /// A token that is in doubt because it is being exchanged.
        func takeToken() -> String? { lock.withLock { refreshTokens.popLast() } }
    }

    private static var kills: Int { ProcessInfo.processInfo.environment["KILLS"].flatMap(Int.init) ?? 30 }

    /// Writes until the server is gone.
    private static func work(
        _ served: (api: Int, hub: Int),
        _ access: String,
        _ told: Acknowledged,
        _ number: Int,
        _ round: Int
    ) {
        do {
            let wire = try Wire(port: served.api)
            let hub = try Wire(port: served.hub)
            for step in 0... {
                switch (step + number) % 5 {
                case 0:
                    let body = Array(#"{"idToken":"mock_apple_token"}"#.utf8)
                    let answer = try wire.ask("POST", "/api/v1/auth/apple", body: body)
                    if let token = answer.json["refreshToken"]?.stringValue { told.signedIn(token) }
                case 1:
                    guard let token = told.takeToken() else { continue }
                    let body = Array(#"{"refreshToken":"\#(token)"}"#.utf8)
                    let answer = try wire.ask("POST", "/api/v1/auth/refresh", body: body)
                    if let new = answer.json["refreshToken"]?.stringValue {
                        told.refreshed(token, new)
                    } else if answer.status == 200 {
                        // Not rotated: it stays good.
                        told.signedIn(token)
                    }
                case 2 where number == 0 && step % 20 == 2:
                    let name = "w\(round)-\(step)"
                    // The day of the week decides on the seed, which the store may have to write.
                    let clock = #"{"mode":"frozen","now":"2025-01-0\#(1 + (round + step / 20) % 9)T12:00:00Z"}"#
                    let body = Array(#"{"name":"\#(name)","clock":\#(clock)}"#.utf8)
                    if try hub.ask("POST", "/__admin/worlds", body: body).status == 201 { told.made(name) }
                case 2 where number == 1 && step % 10 == 1:
                    // What is shared with snapshots and forks, and what is freed again.
                    let name = "r\(round)-\(step)"
                    let body = Array(#"{"name":"\#(name)"}"#.utf8)
                    _ = try hub.ask("POST", "/__admin/snapshots", body: body)
                    let fork = Array(#"{"name":"\#(name)","from":"\#(name)"}"#.utf8)
                    if try hub.ask("POST", "/__admin/worlds", body: fork).status == 201, step % 20 == 1 {
                        told.made(name)
                    }
                    if step % 30 != 1 { _ = try hub.ask("DELETE", "/__admin/snapshots/\(name)") }
                default:
                    let body = Array(#"{"title":"\#(round) \#(number) \#(step)"}"#.utf8)
                    let answer = try wire.ask("POST", "/api/v1/conversations", body: body, token: access)
                    if let id = answer.json["id"]?.stringValue, answer.status < 300 { told.conversation(id) }
                }
            }
        } catch {
            // The server is gone: what was asked last was never answered.
        }
    }

    @Test(.timeLimit(.minutes(20)))
    func `4 every acknowledged write and token is there after a kill, however often`() throws {
        let folder = try Folder()
        // A journal that is full is read at each start; this is about rows and tokens.
        let flags = Served.frozen + ["--state", folder.url.path, "--journal-bytes", "500000"]
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let told = Acknowledged()
        var written = 0
        let start = Date()
        for round in 0..<Self.kills {
            // A machine that is busy gets fewer of them in an ordinary run.
            if ProcessInfo.processInfo.environment["KILLS"] == nil, Date().timeIntervalSince(start) > 40 { break }
            let served = try Served(flags)
            try Self.check(served, told, round, seed)
            _ = try served.control("PUT", "/settings", #"{"omnichat":{"rateLimits":"off"}}"#)
            let access = try served.token()
            let ports = (served.api, served.hub)
            let clients = (0..<4).map { number in
                let thread = Thread { Self.work(ports, access, told, number, round) }
                thread.start()
                return thread
            }
            usleep(UInt32(2_000 + random.below(120_000)))
            served.child.signal(SIGKILL)
            _ = try served.child.waitForExit()
            try Deadline().wait(for: "the clients") { clients.allSatisfy(\.isFinished) }
            written = told.all.conversations.count
        }
        let served = try Served(flags)
        try Self.check(served, told, -1, seed)
        #expect(written > 20)
    }

    private static func check(_ served: Served, _ told: Acknowledged, _ round: Int, _ seed: UInt64) throws {
        let all = told.all
        guard !all.conversations.isEmpty else { return }
        let state = try Wire(port: served.hub).ask("GET", "/__admin/state")
        let omnichat = try JSONReader.read(state.bytes)["apis"]?["omnichat"]
        let ids = Set((omnichat?["conversations"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue })
        let lost = all.conversations.filter { !ids.contains($0) }
        expectEqual(lost, [], "round \(round), seed \(seed)")
        expectEqual(Set(all.conversations).count, all.conversations.count, "an id was given twice, seed \(seed)")
        let worlds = Set(
            (try served.control("GET", "/worlds").json["items"]?.arrayValue ?? []).compactMap {
                $0["name"]?.stringValue
            }
        )
        #expect(Set(all.worlds).isSubset(of: worlds), "round \(round), seed \(seed)")
        let wire = try Wire(port: served.api)
        for token in all.refresh.suffix(20) {
            let body = Array(#"{"refreshToken":"\#(token)"}"#.utf8)
            let answer = try wire.ask("POST", "/api/v1/auth/refresh", body: body)
            expectEqual(answer.status, 200, "round \(round), seed \(seed): \(answer.text)")
            if let new = answer.json["refreshToken"]?.stringValue { told.refreshed(token, new) }
        }
        for token in all.spent.suffix(20) {
            let body = Array(#"{"refreshToken":"\#(token)"}"#.utf8)
            let answer = try wire.ask("POST", "/api/v1/auth/refresh", body: body)
            expectEqual(answer.status, 401, "a spent token is good again: round \(round), seed \(seed)")
        }
    }
}
