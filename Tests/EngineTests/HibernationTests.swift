import CivilTime
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Backend
@testable import Conditions
@testable import Engine
@testable import Journal

/// Control contract, sections 4, 11 and 15: hibernated worlds take little memory, without an observable difference.
@Suite struct HibernationTests {
    /// All members of an entry, including those that only the journal has.
    private static func text(_ journal: Journal) -> [String] {
        journal.entries.map { entry in
            var rest = entry
            // Bytes by the thousand take seconds to spell.
            rest.responseBody.kept = []
            let hash = entry.responseBody.kept.reduce(UInt64(7)) { ($0 &* 31) &+ UInt64($1) }
            return "\(entry.responseBody.kept.count) \(hash) " + String(reflecting: rest)
        }
    }

    private static func entry(_ random: inout SeededGenerator, _ number: Int) -> JournalEntry {
        var sent = Fields()
        sent.append("Host", "127.0.0.1:4000")
        sent.append("Accept", number.isMultiple(of: 3) ? "*/*" : "text/plain;n=\(number)")
        // Lines as a client may write them: blanks around the value are not part of it.
        let line = Array("x-odd:\t two  words \r\n".utf8)
        sent.appendChecked(line: line[...], name: 0..<5, value: 8..<18)
        var answered: Fields = ["Content-Type": "application/json"]
        // Such a value can't be told from the blanks around it when the line is read again.
        if number.isMultiple(of: 5) { answered.append("X-Blank", " kept ") }
        let length = [0, 1, 700, 4_096, 4_097, 65_536, 65_537][random.below(7)]
        var entry = JournalEntry(
            id: number.isMultiple(of: 4) ? "öwn-\(number)" : "req_\(number)",
            seq: UInt64(number),
            at: Instant(microseconds: Int64(number) * 1_234_567),
            wallAt: Instant(microseconds: -5 * Int64(number)),
            world: "w",
            api: number.isMultiple(of: 2) ? "notes" : "other",
            route: number.isMultiple(of: 2) ? "/notes/{id}" : nil,
            user: random.below(2) == 0 ? nil : CallUser(id: "u", email: random.below(2) == 0 ? nil : "é@x"),
            method: HTTPMethod(rawValue: "PURGE"),
            path: "/p/\(number)",
            query: random.below(2) == 0 ? nil : "",
            headers: sent,
            body: JournalEntry.Body(Array("{}".utf8)),
            status: Status(200 + number),
            responseHeaders: answered,
            responseBody: JournalEntry.Body((0..<length).map { UInt8(truncatingIfNeeded: $0) }),
            timings: JournalEntry.Timings(receive: 0.1, handle: Double(number) / 3, wait: -0.0, send: 1e300)
        )
        if random.below(2) == 0 { entry.outcome = .delivered }
        if random.below(3) == 0 { entry.announcedLength = number }
        if random.below(3) == 0 { entry.scenario = "notes/full" }
        if random.below(3) == 0 { entry.differences = [["path": "$"]] }
        entry.isStreamed = random.below(2) == 0
        entry.isTakenElsewhere = random.below(2) == 0
        return entry
    }

    @Test(arguments: 1...6) func `11 a journal that rests now and then says what one says that never does`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        let shelf = HeaderLinePool()
        let capacity = [6_000, 100_000, 10_000_000][Int(seed) % 3]
        var resting = Journal(capacity: capacity)
        var awake = Journal(capacity: capacity)
        var copies: [(Journal, Journal)] = []
        for step in 1...160 {
            switch random.below(12) {
            case 0: resting.rest(shelf)
            case 1:
                let (place, length) = (UInt64(random.below(step)) + 1, random.below(300))
                resting.update(place) { $0.responseBody = JournalEntry.Body(Array(repeating: 7, count: length)) }
                awake.update(place) { $0.responseBody = JournalEntry.Body(Array(repeating: 7, count: length)) }
            case 2: copies.append((resting, awake))
            case 3 where step % 7 == 0:
                resting.removeAll(api: "other")
                awake.removeAll(api: "other")
            default:
                let entry = Self.entry(&random, Int(awake.nextSeq))
                resting.append(entry)
                awake.append(entry)
            }
            expectEqual(resting.bytes, awake.bytes, "seed \(seed), step \(step)")
            expectEqual(resting.count, awake.count, "seed \(seed), step \(step)")
            if step % 40 == 0 { expectEqual(Self.text(resting), Self.text(awake), "seed \(seed), step \(step)") }
        }
        for (place, copy) in copies.enumerated() {
            expectEqual(Self.text(copy.0), Self.text(copy.1), "seed \(seed), copy \(place)")
        }
    }

    @Test func `11 what is looked up in a journal that rests is found`() throws {
        var random = SeededGenerator(seed: 3)
        var journal = Journal(capacity: 1_000_000)
        for number in 1...9 { journal.append(Self.entry(&random, number)) }
        let before = Self.text(journal)
        journal.rest(HeaderLinePool())
        expectEqual(Self.text(journal), before)
        try expectEqual(#require(journal.entry(of: "req_6")).seq, 6)
        expectNil(journal.entry(of: "req_99"))
        expectEqual(journal[7]?.path, "/p/7")
        var seen: [String] = []
        journal.forEachPlaceNewestFirst { place in
            seen.append(
                "\(place.seq) \(place.id ?? "") \(place.path ?? "") \(place.hasRoute) \(place.status?.code ?? 0)"
            )
            return place.seq > 7
        }
        expectEqual(seen, ["9 req_9 /p/9 false 209", "8 öwn-8 /p/8 true 208", "7 req_7 /p/7 false 207"])
    }

    @Test func `11 the line of an entry is that of the whole entry, whether it rests or not`() throws {
        var random = SeededGenerator(seed: 5)
        var journal = Journal(capacity: 100_000_000)
        for number in 1...40 {
            var entry = Self.entry(&random, number)
            entry.replayOf = number.isMultiple(of: 3) ? "req_0" : nil
            entry.answeredBy = number.isMultiple(of: 2) ? "row \(number) of notes" : nil
            entry.nearestStub = number.isMultiple(of: 5) ? "stub stb_1: page" : nil
            entry.gate = number.isMultiple(of: 4) ? "g1" : nil
            entry.endedAt = number.isMultiple(of: 5) ? nil : entry.startedAt + .microseconds(Int64(number))
            if number.isMultiple(of: 7) {
                let acts = number.isMultiple(of: 2)
                entry.decisions = [
                    FaultDecision(
                        id: number == 14 ? nil : "flt_\(number)",
                        phase: .before,
                        kind: "status",
                        effect: ["status": 503],
                        acted: acts,
                        isMain: true
                    )
                ]
            }
            journal.append(entry)
        }
        for round in 0..<2 {
            for number in 1...40 {
                let line = try #require(journal.line(UInt64(number)))
                let whole = JournalLine(try #require(journal[UInt64(number)]))
                for member in JournalLine.members {
                    expectEqual(member.value(line), member.value(whole), "\(round) \(number) \(member.name)")
                }
                expectEqual(line.fault, [14: "prefer", 28: "flt_28"][number])
                expectEqual(line.endedAt, whole.endedAt)
            }
            #expect(journal.line(0) == nil && journal.line(41) == nil)
            journal.rest(HeaderLinePool())
        }
    }

    // MARK: Worlds

    /// Uses that many worlds, so that every other one hibernates.
    private func crowd(_ harness: EngineHarness, _ name: String) throws {
        for number in 0...Emulator.mostAwake { try harness.make("\(name)-\(number)") }
    }

    @Test func `4 a world that rested goes on as if it had not`() throws {
        func run(isCrowded: Bool) throws -> [String] {
            let harness = try EngineHarness { $0.clock = .frozen(Instant(seconds: 1_735_740_000)) }
            try harness.make("w")
            var seen: [String] = []
            var open: [EngineHarness.Exchange] = []
            for number in 0..<6 {
                let fields: Fields = ["X-Understudy-World": "w", "X-Number": "\(number % 2)"]
                let made = try harness.send(.post, "/notes", fields: fields, body: #"{"text":"\#(number)"}"#)
                seen.append("\(made.status) \(made.text)")
                open.append(try harness.begin(.get, "/notes", fields: fields))
                if isCrowded { try crowd(harness, "c\(number)") }
                seen.append(open[number].text)
                if number > 0 { harness.finish(open[number - 1], number == 3 ? .cut : .delivered, sent: 4) }
            }
            let hosted = try harness.hosted("w")
            seen += try harness.journal("w").map { String(reflecting: $0) }
            seen += hosted.events.since(0).map { String(decoding: $0.frame, as: UTF8.self) }
            seen += hosted.events.since(3).map { String(decoding: $0.frame, as: UTF8.self) }
            seen.append("\(hosted.events.since(hosted.events.lastSeq).count)")
            return seen
        }
        let (left, right) = (try run(isCrowded: false), try run(isCrowded: true))
        #expect(left.count > 30)
        for (place, pair) in zip(left, right).enumerated() { expectEqual(pair.0, pair.1, "line \(place)") }
        expectEqual(left.count, right.count)
    }

    @Test func `4 a fork and a snapshot of a world that rests have all of it`() throws {
        let harness = try EngineHarness { $0.clock = .frozen(Instant(seconds: 1_735_740_000)) }
        try harness.make("w")
        try harness.send(.post, "/notes", fields: ["X-Understudy-World": "w"], body: #"{"text":"x"}"#)
        let before = try harness.journal("w").map { String(reflecting: $0) }
        try crowd(harness, "c")
        try harness.make("fork", from: "w")
        try expectEqual(harness.journal("fork").map { String(reflecting: $0) }, before)
        try harness.send(.post, "/notes", fields: ["X-Understudy-World": "fork"], body: #"{"text":"y"}"#)
        try expectEqual(harness.journal("w").map { String(reflecting: $0) }, before)
        try expectEqual(harness.journal("fork").count, 2)
    }

    @Test func `15 events go on after a rest, and the latest thousand are kept`() throws {
        let harness = try EngineHarness()
        try harness.make("w")
        for _ in 0..<3 {
            try harness.send(.get, "/notes", fields: ["X-Understudy-World": "w"])
            try crowd(harness, "c\(harness.emulator.worldNames.count)")
        }
        let hosted = try harness.hosted("w")
        expectEqual(hosted.events.since(0).map(\.seq), [1, 2, 3, 4])
        expectEqual(hosted.events.since(2).map(\.seq), [3, 4])
        for _ in 0..<2_100 { try harness.send(.get, "/notes", fields: ["X-Understudy-World": "w"]) }
        let kept = hosted.events.since(0).map(\.seq)
        expectEqual(kept.last, 2_104)
        #expect(kept.count >= EventLog.capacity && kept.count <= 2 * EventLog.capacity)
        #expect(zip(kept, kept.dropFirst()).allSatisfy { $0 + 1 == $1 })
    }
}
