import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 4: whatever an import has accepted, no later request or clock movement can crash the
/// process, overflow a number or overwrite a row.
@Suite(.serialized) struct ImportExtremeTests {
    private static let apis = Checkout.apis
    private static let isLong = ProcessInfo.processInfo.environment["UNDERSTUDY_LONG_IMPORTS"] != nil

    private static let numbers: [JSON] =
        isLong ? everyNumber : [.integer(-1), .integer(0), .integer(1 << 53), .integer(.max)]
    private static let everyNumber: [JSON] = [
        .integer(.min), .integer(-1), .integer(0), .integer(1), .integer(1 << 31), .integer(1 << 53),
        .integer((1 << 53) + 1), .integer(.max), .integer(100_000_000_000_000_000), .integer(-100_000_000_000_000_000),
        .double(1e308),
    ]
    private static let dates: [JSON] = isLong ? everyDate : ["9999-12-31T23:59:59.999999Z", .integer(.max)]
    private static let everyDate: [JSON] = [
        "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "T0+P9999999D", "D0-P9999999D",
        .integer(.max), .integer(.min),
    ]

    /// A server of one API with a world in which everything was used, and that world's document.
    private struct UsedWorld {
        let api: String
        let served: Served
        let document: JSON
        let places: ImportPlaces

        init(_ api: String, _ flags: [String] = []) throws {
            self.api = api
            served = try Served(Served.frozen + ["--api", api] + flags)
            let walk = try ImportWalk(api, hub: served.hub)
            try walk.useEverything()
            // Rows that a walk leaves behind are of its last users; what deletions took is made once more.
            try walk.useEverything()
            _ = try served.control("PUT", "/clock", #"{"mode":"frozen","now":"2025-01-01T13:00:00Z"}"#)
            _ = try served.control("POST", "/faults", #"{"match":{"path":"/none"},"effect":{"status":500}}"#)
            _ = try served.control("POST", "/gates", #"{"name":"g","match":{"path":"/held"},"phase":"after"}"#)
            _ = try served.control("PUT", "/latency", #"{"delay":{"ms":0},"match":{"path":"/none"}}"#)
            // A few entries stand for all.
            _ = try served.control("DELETE", "/requests")
            _ = try Wire(port: served.hub).ask("GET", "/\(api)/nowhere")
            document = try served.control("GET", "/state").json
            places = ImportPlaces(document)
        }

        /// Puts a value at those places as far as it is accepted; returns the places.
        func takes(_ value: (JSON) -> JSON?, at paths: [[JSONPathElement]]) throws -> [[JSONPathElement]] {
            var left = paths
            while !left.isEmpty {
                var changed = document
                for path in left.reversed() {
                    guard let former = document.value(at: path) else { continue }
                    changed = changed.putting(value(former), at: path[...])
                }
                let answer = try Wire(port: served.hub).ask("PUT", "/__admin/state", body: changed.serialized())
                guard answer.status != 200 else { return left }
                guard answer.status == 422 else {
                    throw TestError(description: "\(answer.status) \(answer.text.prefix(300))")
                }
                let faults = (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
                let before = left.count
                left.removeAll { path in
                    let text = path.formattedJSONPath
                    return faults.contains { $0.hasPrefix(text) || text.hasPrefix($0 + ".") }
                }
                guard left.count == before else { continue }
                // What is wrong is told of a neighbour in the row.
                let rows = faults.compactMap { fault in fault.lastIndex(of: "]").map { String(fault[...$0]) } }
                left.removeAll { path in rows.contains { path.formattedJSONPath.hasPrefix($0) } }
                // Or elsewhere, as of a counter whose table has changed.
                if left.count == before { left.removeLast() }
            }
            return []
        }

        func takes(_ value: JSON, at paths: [[JSONPathElement]]) throws -> [[JSONPathElement]] {
            try takes({ _ in value }, at: paths)
        }

        /// Uses the imported world, and checks that each of its rows is still the same.
        func use(scenarios: Bool, _ label: String) throws {
            let before = try identities()
            _ = try served.control("POST", "/clock/advance", #"{"seconds":1}"#)
            let walk = try ImportWalk(api, hub: served.hub)
            try walk.useEverything()
            let after = try identities()
            for (row, identity) in before.sorted(by: { $0.key < $1.key }) {
                guard let present = after[row] else { continue }
                expectEqual(present, identity, "\(api), \(label): \(row) is another row")
            }
            try walk.control(scenarios: scenarios)
            try walk.moveClock()
            #expect(walk.problems.isEmpty, "\(api), \(label): \(walk.problems.prefix(5))")
            #expect(served.child.isRunning, "\(api), \(label)")
            // Whatever use has made of it can be imported again.
            let export = try served.control("GET", "/state")
            let again = try Wire(port: served.hub).ask("PUT", "/__admin/state", body: export.bytes)
            expectEqual(again.status, 200, "\(api), \(label): \(again.text.prefix(300))")
        }

        /// A sign-in, a write of each kind, and what a control call tells.
        func useBriefly(_ label: String) throws {
            let before = try identities()
            let walk = try ImportWalk(api, hub: served.hub)
            try walk.useBriefly()
            let after = try identities()
            for (row, identity) in before.sorted(by: { $0.key < $1.key }) where after[row] != nil {
                expectEqual(after[row], identity, "\(api), \(label): \(row) is another row")
            }
            #expect(walk.problems.isEmpty, "\(api), \(label): \(walk.problems.prefix(5))")
            #expect(served.child.isRunning, "\(api), \(label)")
        }

        /// The members of each row that never change, by table and id.
        private func identities() throws -> [String: String] {
            // A journal would be read again and again for nothing.
            _ = try served.control("DELETE", "/requests")
            let state = try served.control("GET", "/state").json["apis"]?[api]?.objectValue
            var found: [String: String] = [:]
            for part in state?.members ?? [] {
                for row in part.value.arrayValue ?? [] {
                    guard let id = row["id"]?.stringValue ?? row["number"]?.text else { continue }
                    let owner = row["userId"]?.stringValue ?? ""
                    let kept = [
                        "createdAt", "sentAt", "issuedAt", "initiatedAt", "conversationId", "localId", "number",
                    ]
                    found["\(part.name) \(owner) \(id)"] = kept.compactMap { row[$0]?.text }.joined(separator: " ")
                }
            }
            return found
        }
    }

    /// Ends of tokens: an extreme one leaves nobody signed in, and hides the rest.
    private static func isHiding(_ path: [JSONPathElement]) -> Bool {
        [.key("issuedUpTo"), .key("upTo")].contains(path.last)
    }

    @Test(arguments: apis)
    func `4 whatever an import takes, no later use crashes the process or overwrites a row`(api: String) throws {
        let used = try UsedWorld(api)
        func isOfAPI(_ path: [JSONPathElement]) -> Bool { path[0] == .key("apis") }
        let own = used.places.numbers.filter { isOfAPI($0) && !Self.isHiding($0) }
        for value in Self.numbers {
            let taken = try used.takes(value, at: own)
            // What scenarios reckon with, once with the largest numbers and once with none.
            let scenarios = Self.isLong || value == .integer(1 << 53) || value == 0
            if !taken.isEmpty { try used.use(scenarios: scenarios, "\(taken.count) numbers \(value.text)") }
            let hidden = try used.takes(value, at: used.places.numbers.filter(Self.isHiding))
            if !hidden.isEmpty { try used.use(scenarios: false, "ends \(value.text)") }
        }
        for value in Self.dates {
            let taken = try used.takes(value, at: used.places.dates.filter { isOfAPI($0) || $0[0] == .key("outbox") })
            if !taken.isEmpty { try used.use(scenarios: Self.isLong, "\(taken.count) dates \(value.text)") }
        }
        let every: [(String, (JSON) -> JSON?)] = [
            ("reversed", { .array(($0.arrayValue ?? []).reversed()) }),
            ("doubled", { .array(($0.arrayValue ?? []) + ($0.arrayValue ?? [])) }),
            ("empty", { _ in [] }),
        ]
        let changes = Self.isLong ? every : every.filter { $0.0 != "doubled" }
        for (name, change) in changes {
            let paths = used.places.lists.filter { isOfAPI($0) && (name != "empty" || $0.last != .key("users")) }
            let taken = try used.takes(change, at: paths)
            if !taken.isEmpty { try used.use(scenarios: Self.isLong, "\(taken.count) lists \(name)") }
        }
        guard Self.isLong else { return }
        for value in Self.numbers {
            for path in used.places.numbers where !(try used.takes(value, at: [path])).isEmpty {
                try used.use(scenarios: false, "\(path.formattedJSONPath) \(value.text)")
            }
        }
        for (name, change) in changes {
            for path in used.places.lists where !(try used.takes(change, at: [path])).isEmpty {
                try used.use(scenarios: false, "\(path.formattedJSONPath) \(name)")
            }
        }
    }

    @Test func `4 each number that all APIs share is taken to its extremes too`() throws {
        let used = try UsedWorld("carbscan")
        for path in used.places.numbers where path[0] != .key("apis") {
            for value in Self.numbers where !(try used.takes(value, at: [path])).isEmpty {
                try used.useBriefly("\(path.formattedJSONPath) \(value.text)")
            }
        }
    }

    @Test func `4 what an import takes can be stored, read again and used`() throws {
        for api in Self.apis {
            let folder = try Folder()
            var used: UsedWorld? = try UsedWorld(api, ["--state", folder.url.path])
            guard let first = used else { return }
            for value in [JSON.integer(1 << 53), 0] {
                _ = try first.takes(value, at: first.places.numbers.filter { $0[0] == .key("apis") })
                // Counts on from there.
                try ImportWalk(api, hub: first.served.hub).useEverything()
            }
            _ = try first.takes(
                .integer(1 << 53),
                at: first.places.numbers.filter { $0[0] == .key("apis") && !Self.isHiding($0) }
            )
            try ImportWalk(api, hub: first.served.hub).useEverything()
            let before = try first.served.control("GET", "/state").text
            first.served.child.signal(SIGKILL)
            _ = try first.served.child.waitForExit()
            used = nil

            let second = try Served(Served.frozen + ["--api", api, "--state", folder.url.path])
            try expectEqual(second.control("GET", "/state").text, before, "\(api)")
            let walk = try ImportWalk(api, hub: second.hub)
            try walk.useEverything()
            try walk.moveClock()
            #expect(walk.problems.isEmpty, "\(api): \(walk.problems.prefix(5))")
            #expect(second.child.isRunning)
        }
    }
}
