import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 4: many tests at once, each in a world of its own, and none sees another.
///
/// `make sanitize` runs it with the server and its workers under the thread sanitizer.
@Suite struct ParallelWorldTests {
    private static let worlds = 200
    private static let clients = 8

    /// A client of one world, which reports what it sees of the others.
    private struct Visitor: Sendable {
        let hub: Int
        let omnichat: Int
        let carbscan: Int
        let number: Int

        private var name: String { "parallel-\(number)" }

        private func control(_ method: String, _ path: String, _ body: String = "") throws -> WireAnswer {
            try Wire(port: hub).ask(method, "/@\(name)/__admin" + path, body: Array(body.utf8))
        }

        private func minted(_ api: String, _ user: String) throws -> String {
            let answer = try control("POST", "/tokens", #"{"api":"\#(api)","user":"\#(user)","kind":"access"}"#)
            guard let token = answer.json["token"]?.stringValue else {
                throw TestError(description: answer.text)
            }
            return token
        }

        /// The world is chosen by the token alone.
        private func chat(_ method: String, _ path: String, _ body: String = "", _ token: String) throws -> WireAnswer {
            try Wire(port: omnichat).ask(method, "/api/v1" + path, body: Array(body.utf8), token: token)
        }

        func visit() throws -> [String] {
            var wrong: [String] = []
            func check(_ holds: Bool, _ what: @autoclosure () -> String) {
                if !holds { wrong.append("world \(number): \(what())") }
            }
            let start =
                "2025-01-01T\(number / 60 < 10 ? "0" : "")\(number / 60):\(number % 60 < 10 ? "0" : "")\(number % 60):00Z"
            let order = #"{"name":"\#(name)","seed":\#(number),"clock":{"mode":"frozen","now":"\#(start)"}}"#
            let made = try Wire(port: hub).ask("POST", "/__admin/worlds", body: Array(order.utf8))
            guard made.status == 201 else { return ["world \(number): \(made.text)"] }
            let token = try minted("omnichat", "test@icloud.com")

            // Its own rows, and nobody else's.
            let created = try chat("POST", "/conversations", #"{"title":"of \#(number)"}"#, token)
            check(created.status == 200 || created.status == 201, created.text)
            let list = try chat("GET", "/conversations", "", token)
            let titles = (list.json["conversations"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
            check(titles.filter { $0.hasPrefix("of ") } == ["of \(number)"], "lists \(titles)")

            // Its own faults: every second world has one, once.
            if number.isMultiple(of: 2) {
                let fault = #"{"match":{"path":"/api/v1/user/profile"},"when":{"times":1},"effect":{"status":503}}"#
                check(try control("POST", "/faults", fault).status == 201, "no fault")
            }
            let statuses = try (0..<2).map { _ in try chat("GET", "/user/profile", "", token).status }
            check(statuses == (number.isMultiple(of: 2) ? [503, 200] : [200, 200]), "profile \(statuses)")

            // A photo, which a worker looks at, shows what it says.
            let dish = number % 45 + 1
            let photo = Data(
                [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0x20, count: 6_000) + Array("carbscan-food=\(dish)".utf8)
            )
            let analysis = try Wire(port: carbscan).ask(
                "POST",
                "/api/mobile/v1/analyze",
                body: Array(#"{"imageBase64":"\#(photo.base64EncodedString())"}"#.utf8),
                token: try minted("carbscan", "essentials@carbscan.test")
            )
            let level = analysis.json["data"]?["analysis"]?["confidenceLevel"]
            check(analysis.status == 200 && level?.text == "0.85", "photo \(dish): \(analysis.text.prefix(300))")

            // Its own clock.
            _ = try control("POST", "/clock/advance", #"{"seconds":\#(number)}"#)
            let now = try control("GET", "/clock").json["now"]?.stringValue ?? ""
            let seconds = number / 60 * 3_600 + number % 60 * 60 + number
            let expected = Date(timeIntervalSince1970: 1_735_689_600 + Double(seconds))
            let formatter = ISO8601DateFormatter()
            formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            check(
                now == formatter.string(from: expected),
                "its clock shows \(now), not \(formatter.string(from: expected))"
            )

            // Its own journal: the five requests, and nothing of another.
            let entries = try control("GET", "/requests").json["items"]?.arrayValue ?? []
            check(entries.count == 5, "\(entries.count) in the journal")
            check(entries.allSatisfy { $0["world"]?.stringValue == name }, "another world in the journal")
            return wrong
        }
    }

    @Test func `4 two hundred worlds at once see nothing of each other`() throws {
        let folder = try Folder()
        // With a file for the state, so that its thread takes part.
        let served = try Served(Served.frozen + ["--state", folder.url.path])
        let carbscan = try #require(
            served.ready["apis"]?["carbscan"]?.stringValue?.split(separator: ":").last.flatMap { Int($0) }
        )
        let wrong = Gathered()
        let (hub, omnichat) = (served.hub, served.api)
        DispatchQueue.concurrentPerform(iterations: Self.clients) { client in
            for number in stride(from: client, to: Self.worlds, by: Self.clients) {
                do {
                    wrong.add(try Visitor(hub: hub, omnichat: omnichat, carbscan: carbscan, number: number).visit())
                } catch {
                    wrong.add(["world \(number): \(error)"])
                }
            }
        }
        expectEqual(wrong.all.prefix(5), [])
        let listed = try served.control("GET", "/worlds?limit=1000").json["items"]?.arrayValue?.count
        expectEqual(listed, Self.worlds + 1)
        served.child.signal(SIGTERM)
        // The sanitizer makes it another status.
        try expectEqual(served.child.waitForExit(), 143)
        let errors = try served.child.errors()
        #expect(!errors.contains("ThreadSanitizer"), "\(errors)")
    }

    /// Lines of several threads.
    private final class Gathered: @unchecked Sendable {
        private let lock = NSLock()
        private var lines: [String] = []

        func add(_ more: [String]) { lock.withLock { lines += more } }

        var all: [String] { lock.withLock { lines } }
    }
}
