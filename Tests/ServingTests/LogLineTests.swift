import Backend
import CivilTime
import HTTPMessage
import JSON
import Journal
import Synchronization
import TestSupport
import Testing

@testable import Serving

/// Clients contract, section 3: the bytes of the log, in the order in which things happened.
@Suite struct LogLineTests {
    /// What a log has written.
    private final class Written: Sendable {
        private let bytes = Mutex<[UInt8]>([])
        private let batches = Mutex<Int>(0)

        func append(_ more: [UInt8]) {
            bytes.withLock { $0 += more }
            batches.withLock { $0 += 1 }
        }

        var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
        var count: Int { batches.withLock { $0 } }
    }

    private static let noon = Instant(seconds: 1_735_732_800)

    private static func entry(_ path: String, query: String? = nil, route: String? = "/x") -> JournalEntry {
        var entry = JournalEntry(
            id: "req_1",
            seq: 7,
            at: noon + .microseconds(123_999),
            wallAt: noon,
            startedAt: noon + .microseconds(1_000_001),
            world: "main",
            api: "omnichat",
            route: route,
            user: nil,
            method: .get,
            path: path,
            query: query,
            headers: Fields(),
            body: JournalEntry.Body([]),
            status: .ok,
            responseHeaders: Fields(),
            responseBody: JournalEntry.Body([UInt8](repeating: 0x61, count: 1_534)),
            timings: JournalEntry.Timings(receive: 0.041, handle: 0.5, wait: 0, send: 2)
        )
        entry.outcome = .delivered
        entry.endedAt = entry.startedAt + .microseconds(3_214)
        return entry
    }

    private static let full: JournalEntry = {
        var entry = LogLineTests.entry("/a\"\u{1B}é", query: "q=\\", route: nil)
        entry.user = CallUser(id: "u", email: "anna@example.com")
        entry.outcome = .cut
        entry.timings.wait = 1.0 / 3
        entry.scenario = "omnichat/file-gone"
        entry.gate = "g1"
        entry.replayOf = "req_9"
        entry.answeredBy = "row 3 of bi\u{1B}kes"
        entry.nearestStub = "stub stb_2: page"
        entry.violations = [["path": "$", "reason": "x"], ["path": "$.a", "reason": "y"]]
        return entry
    }()

    private func written(
        _ format: AccessLog.Format,
        level: AccessLog.Level = .normal,
        _ work: (AccessLog) -> Void
    ) -> Written {
        let written = Written()
        let log = AccessLog(
            format: format,
            level: level,
            nearest: { _, path, _ in path == "/api/v1/conversation" ? "/api/v1/conversations" : nil },
            write: { written.append($0) }
        )
        work(log)
        // Each call waits a second at most.
        for _ in 0..<90 where !log.close() {}
        return written
    }

    @Test func `3 a line of text is this, to the byte`() {
        let written = written(.text) { log in
            log.add(
                JournalLine(Self.entry("/api/v1/conversations", query: "limit=5")),
                world: "main",
                isUnmatched: false
            )
            log.add(JournalLine(Self.full), world: "checkout", isUnmatched: false)
        }
        expectEqual(
            written.text,
            """
            12:00:00.123  omnichat     GET    /api/v1/conversations?limit=5                 200    3.2 ms    1.5 KiB
            12:00:00.123  omnichat @checkout  GET    /a"\\u001bé?q=\\                               200 cut    3.2 ms    \
            1.5 KiB  2 violations  row 3 of bi\\u001bkes  not stub stb_2: page  scenario  gate g1  replay

            """
        )
    }

    @Test func `3 what takes longer to write stands where it happened`() {
        let head = RequestHead(
            method: .get,
            target: RequestTarget(rawPath: "/__admin/clock"),
            fields: [.host: "127.0.0.1"]
        )
        let hostTime = HostTime(wall: Self.noon, monotonic: .epoch)
        let written = written(.text, level: .verbose) { log in
            log.tell("reload", ["first", "second"], hostTime)
            log.add(JournalLine(Self.entry("/one")), world: "main", isUnmatched: false)
            log.add(JournalLine(Self.entry("/api/v1/conversation")), world: "main", isUnmatched: true)
            log.note(head, .ok, "127.0.0.1", hostTime, isControl: true)
            log.add(JournalLine(Self.entry("/nowhere")), world: "main", isUnmatched: true)
            log.tell("reload refused", ["third"], hostTime)
            log.add(JournalLine(Self.entry("/two")), world: "main", isUnmatched: false)
        }
        let lines = written.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        let time = "12:00:00.123"
        expectEqual(
            lines,
            [
                "12:00:00.000 reload: first", "12:00:00.000 reload: second",
                "\(time) omnichat GET /one 200 3.2 ms 1.5 KiB",
                "\(time) omnichat GET /api/v1/conversation 200 3.2 ms 1.5 KiB "
                    + "unmatched: did you mean /api/v1/conversations?",
                "12:00:00.000 control GET /__admin/clock 200 - 0 B",
                "\(time) omnichat GET /nowhere 200 3.2 ms 1.5 KiB unmatched",
                "12:00:00.000 warning: reload refused: third",
                "\(time) omnichat GET /two 200 3.2 ms 1.5 KiB", "",
            ]
        )
    }

    @Test func `3 a line in JSON has the values of the journal's line, with kind and world`() throws {
        for entry in [Self.entry("/one"), Self.full] {
            let line = JournalLine(entry)
            let written = written(.json) { $0.add(line, world: "w1", isUnmatched: true) }
            var expected: JSONObject = ["kind": "request"]
            for member in JournalLine.members {
                if let value = member.value(line) { expected.append(member.name, value) }
                if member.name == "api" { expected.append("world", "w1") }
            }
            expectEqual(written.text, JSON.object(expected).text + "\n")
        }
    }

    @Test func `3 lines that have much in common have the values of their own`() throws {
        var entries = [Self.entry("/one"), Self.full]
        func add(_ change: (inout JournalEntry) -> Void) {
            var entry = Self.entry("/one")
            change(&entry)
            entries.append(entry)
        }
        add { $0.path = "/K" }
        // The same text as Unicode has it, in other bytes.
        add { $0.path = "/\u{212A}" }
        add { $0.api = "trendy" }
        add { $0.route = nil }
        add { $0.route = "/one" }
        add { $0.user = CallUser(id: "anna", email: nil) }
        add { $0.method = .post }
        add { $0.query = "" }
        add { $0.query = "a=1" }
        add { $0.status = .notFound }
        add { $0.outcome = .interrupted }
        add { $0.outcome = nil }
        add { $0.endedAt = nil }
        add { $0.scenario = "omnichat/file-gone" }
        add { $0.path = String(repeating: "x", count: 2_000) }
        for seconds in [-62_167_219_201, -1, 0, 1, 59_999_999_999, 60_000_000_000, 253_402_300_800] as [Int64] {
            add { $0.at = Instant(microseconds: seconds * 1_000_000 + 7_008) }
            add { $0.startedAt = Instant(microseconds: seconds * 1_000_000 + 999_999) }
        }
        // Each again while it is kept, each after it had to make room, and each among the others.
        let places = Array(entries.indices)
        var order = places.flatMap { [$0, $0] }
        order += places
        order += places.reversed()
        order += (0..<300).map { $0 * 7 % places.count }
        let lines = order.map { JournalLine(entries[$0]) }
        let written = written(.json) { log in
            for (number, line) in lines.enumerated() {
                log.add(line, world: number.isMultiple(of: 5) ? "w1" : "main", isUnmatched: false)
            }
        }
        let found = written.text.split(separator: "\n")
        try #require(found.count == lines.count)
        for (number, line) in lines.enumerated() {
            var expected: JSONObject = ["kind": "request"]
            for member in JournalLine.members {
                if let value = member.value(line) { expected.append(member.name, value) }
                if member.name == "api" { expected.append("world", number.isMultiple(of: 5) ? "w1" : "main") }
            }
            #expect(found[number].utf8.elementsEqual(JSON.object(expected).text.utf8), "\(number): \(found[number])")
        }
    }

    @Test(arguments: AccessLog.Format.allCases)
    func `3 many lines take few writes, and none is lost or torn`(format: AccessLog.Format) {
        let entry = Self.entry("/many")
        let written = written(format) { log in
            for number in 0..<5_000 {
                var line = JournalLine(entry)
                line.path = "/many/\(number)"
                log.add(line, world: "main", isUnmatched: number.isMultiple(of: 7))
            }
        }
        let lines = written.text.split(separator: "\n")
        expectEqual(lines.count, 5_000)
        for (number, line) in lines.enumerated() {
            #expect(line.contains(format == .text ? " /many/\(number) " : "\"/many/\(number)\""))
            expectEqual(line.hasSuffix("unmatched"), format == .text && number.isMultiple(of: 7))
        }
        #expect(written.count < 5_000 / 2)
    }

    @Test func `3 quiet means neither a line nor a batch, but what is told at every level`() {
        let hostTime = HostTime(wall: Self.noon, monotonic: .epoch)
        let silent = written(.text, level: .quiet) {
            $0.add(JournalLine(Self.entry("/one")), world: "main", isUnmatched: true)
        }
        expectEqual(silent.count, 0)
        expectEqual(written(.text, level: .quiet) { $0.tell("reload", [], hostTime) }.text, "12:00:00.000  reload\n")
    }
}
