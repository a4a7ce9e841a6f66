import Backend
import CivilTime
import Conditions
import Crypto
import HTTPMessage
import Handshakes
import JSON
import Journal

/// A journal entry in its stored form.
struct JournalRecord: Decodable, Sendable {
    struct Body: Decodable, Sendable {
        var length: Int
        var kept: TextOrBytes
        var digest: String?
        var isPartial: Bool?
        var coding: String?
        var codedBytes: Int?
    }

    var id: String
    /// The id that the key was made of by a suffix.
    var givenID: String?
    /// Tells whether the id is our own, not the client's.
    var isOwnID: Bool
    var seq: UInt64
    var at: Instant
    var wallAt: Instant
    var startedAt: Instant?
    var endedAt: Instant?
    var peer: String?
    var connection: UInt64?
    var isOnReused: Bool?
    /// The world that handled it, if that is another one: a fork has the journal of its original.
    var world: String?
    var api: String
    var route: String?
    var user: String?
    var email: String?
    var method: String
    var path: String
    var query: String?
    var headers: TextOrBytes
    var body: Body
    var status: Int
    var responseHeaders: TextOrBytes
    var responseBody: Body
    /// The milliseconds of receive, handle, wait and send.
    var timings: [Double]
    var outcome: String?
    var scenario: String?
    var announcedLength: Int?
    var isStreamed: Bool
    var decisions: [FaultDecision.Record]?
    var differences: [JSON]?
    var translated: [JSON]?
    var isTakenElsewhere: Bool?
    var source: String?
    var stub: String?
    var answeredBy: String?
    var nearestStub: String?
    var violations: [JSON]?
    var gate: String?
    var replayOf: String?
    var transport: JSON?
    /// Not in documents of older versions.
    var way: RequestTargetForm.Record?

    /// Returns an entry in the form that this type reads, for the journal of that world.
    static func json(_ entry: JournalEntry, in world: String?) -> JSON {
        // Parsed from the text, so that the members are listed only once.
        (try? JSONReader.read(text(of: entry, in: world), options: JSONReader.Options(maxDepth: .max))) ?? .null
    }

    /// Returns the text of an entry, for the journal of that world.
    ///
    /// It is written by hand: there is one for every request, and `Codable` takes ten times as long.
    static func text(of entry: JournalEntry, in world: String?) -> [UInt8] {
        var writer = JSONWriter(reserving: 256 + entry.cost + entry.cost / 4)
        writer.beginObject()
        writer.member("id", entry.id)
        if let given = entry.givenID { writer.member("givenID", given) }
        writer.member("isOwnID", entry.isOwnID)
        writer.member("seq", Int64(clamping: entry.seq))
        writer.member("at", entry.at)
        writer.member("wallAt", entry.wallAt)
        writer.member("startedAt", entry.startedAt)
        if let ended = entry.endedAt { writer.member("endedAt", ended) }
        if let peer = entry.peer { writer.member("peer", peer) }
        if entry.connection > 0 { writer.member("connection", Int64(clamping: entry.connection)) }
        if entry.isOnReused { writer.member("isOnReused", true) }
        if entry.world != world { writer.member("world", entry.world) }
        writer.member("api", entry.api)
        if let route = entry.route { writer.member("route", route) }
        if let user = entry.user {
            writer.member("user", user.id)
            if let email = user.email { writer.member("email", email) }
        }
        writer.member("method", entry.method.rawValue)
        writer.member("path", entry.path)
        if let query = entry.query { writer.member("query", query) }
        writer.member("headers", entry.headers.wire)
        writer.member("body", entry.body)
        writer.member("status", Int64(entry.status.code))
        writer.member("responseHeaders", entry.responseHeaders.wire)
        writer.member("responseBody", entry.responseBody)
        let timings = entry.timings
        writer.name("timings")
        writer.beginArray()
        for part in [timings.receive, timings.handle, timings.wait, timings.send] { writer.double(part) }
        writer.endArray()
        if let outcome = entry.outcome { writer.member("outcome", outcome.rawValue) }
        if let scenario = entry.scenario { writer.member("scenario", scenario) }
        if let length = entry.announcedLength { writer.member("announcedLength", Int64(length)) }
        writer.member("isStreamed", entry.isStreamed)
        if !entry.decisions.isEmpty { writer.member("decisions", JSON.array(entry.decisions.map(\.stored))) }
        if let differences = entry.differences { writer.member("differences", JSON.array(differences)) }
        if let translated = entry.translated { writer.member("translated", JSON.array(translated)) }
        if entry.isTakenElsewhere { writer.member("isTakenElsewhere", true) }
        if let source = entry.source { writer.member("source", source.rawValue) }
        if let stub = entry.stub { writer.member("stub", stub) }
        if let answered = entry.answeredBy { writer.member("answeredBy", answered) }
        if let nearest = entry.nearestStub { writer.member("nearestStub", nearest) }
        if let violations = entry.violations { writer.member("violations", JSON.array(violations)) }
        if let gate = entry.gate { writer.member("gate", gate) }
        if let original = entry.replayOf { writer.member("replayOf", original) }
        if let transport = entry.transport { writer.member("transport", transport.json) }
        if let way = entry.way {
            writer.name("way")
            way.write(to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    /// Returns the entry, for the journal of that world; throws the first mistake.
    func entry(in name: String) throws(PartFault) -> JournalEntry {
        if let world, !WorldName.isValid(world) {
            throw PartFault(path: ["world"], "must be 1 to 64 characters of a-z 0-9 . _ -")
        }
        guard timings.count == 4 else { throw PartFault(path: ["timings"], "must be four numbers") }
        // An entry of a request that a gate holds has no status yet.
        guard (100...999).contains(status) || status == Status.unanswered.code else {
            throw PartFault(path: ["status"], "must be from 100 to 999")
        }
        if let announcedLength, !(0...StoredRange.largestCount).contains(Int64(announcedLength)) {
            throw PartFault(path: ["announcedLength"], "must be from 0 to 2^53")
        }
        if let connection, connection > StoredRange.largestCount {
            throw PartFault(path: ["connection"], "must be from 0 to 2^53")
        }
        guard !id.isEmpty else { throw PartFault(path: ["id"], "must not be empty") }
        var result: JournalEntry.Outcome?
        if let outcome {
            result = JournalEntry.Outcome(rawValue: outcome)
            if result == nil { throw PartFault(path: ["outcome"], "must be delivered, interrupted, cut or held") }
        }
        var entry = JournalEntry(
            id: id,
            seq: seq,
            at: at,
            wallAt: wallAt,
            startedAt: startedAt,
            peer: peer,
            connection: connection ?? 0,
            isOnReused: isOnReused ?? false,
            world: world ?? name,
            api: api,
            route: route,
            user: user.map { CallUser(id: $0, email: email) },
            method: HTTPMethod(rawValue: method),
            path: path,
            query: query,
            headers: try Self.fields(headers, "headers"),
            body: try Self.body(body, "body"),
            status: Status(status),
            responseHeaders: try Self.fields(responseHeaders, "responseHeaders"),
            responseBody: try Self.body(responseBody, "responseBody"),
            timings: JournalEntry.Timings(
                receive: timings[0],
                handle: timings[1],
                wait: timings[2],
                send: timings[3]
            )
        )
        entry.givenID = givenID
        entry.isOwnID = isOwnID
        // The exchange that would have ended it is gone.
        entry.outcome = result ?? .cut
        entry.scenario = scenario
        entry.announcedLength = announcedLength
        entry.isStreamed = isStreamed
        entry.differences = differences
        entry.translated = translated
        entry.isTakenElsewhere = isTakenElsewhere ?? false
        if let source {
            guard let known = AnswerSource(rawValue: source) else {
                let names = AnswerSource.allCases.map(\.rawValue).joined(separator: ", ")
                throw PartFault(path: ["source"], "must be one of \(names)")
            }
            entry.source = known
        }
        entry.stub = stub
        entry.answeredBy = answeredBy
        entry.nearestStub = nearestStub
        entry.violations = violations
        entry.endedAt = endedAt
        entry.gate = gate
        entry.replayOf = replayOf
        if let transport {
            guard let facts = TransportFacts(json: transport) else {
                throw PartFault(path: ["transport"], "must have the scheme, the version and the TLS of a connection")
            }
            entry.transport = facts
        }
        if let way { entry.way = try RequestTargetForm(way) }
        for (row, record) in (decisions ?? []).enumerated() {
            guard let decision = record.decision else {
                throw PartFault(path: ["decisions", .index(row), "phase"], "must be before or after")
            }
            entry.decisions.append(decision)
        }
        return entry
    }

    private static func body(_ body: Body, _ name: String) throws(PartFault) -> JournalEntry.Body {
        guard body.length >= body.kept.bytes.count, body.kept.bytes.count <= JournalEntry.Body.wholeLimit else {
            throw PartFault(path: [.key(name), "length"], "must be at least the kept length, which is 64 KiB at most")
        }
        guard body.length <= StoredRange.largestCount else {
            throw PartFault(path: [.key(name), "length"], "must be from 0 to 2^53")
        }
        var result = JournalEntry.Body(body.kept.bytes, length: body.length)
        result.isPartial = body.isPartial ?? false
        if let coding = body.coding, let count = body.codedBytes {
            guard (0...Int(StoredRange.largestCount)).contains(count) else {
                throw PartFault(path: [.key(name), "codedBytes"], "must be from 0 to 2^53")
            }
            result.coded = JournalEntry.Body.Coded(coding: coding, bytes: count)
        }
        if let text = body.digest {
            guard let digest = Hex.decode(text), digest.count == 32 else {
                throw PartFault(path: [.key(name), "digest"], "must be 64 hexadecimal digits")
            }
            result.digest = digest
        }
        return result
    }

    private static func fields(_ text: TextOrBytes, _ name: String) throws(PartFault) -> Fields {
        guard let fields = Fields(wire: text.bytes) else {
            throw PartFault(path: [.key(name)], "must be field lines, each ended by CR LF")
        }
        return fields
    }
}

/// Bytes, written as text where they are UTF-8 and as `{"base64":…}` where they are not.
struct TextOrBytes: Decodable, Sendable {
    private struct Form: Decodable {
        var base64: String
    }

    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            bytes = Array(text.utf8)
            return
        }
        let form = try container.decode(Form.self)
        guard let content = Base64.decode(form.base64) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "base64 is not valid")
        }
        bytes = content
    }

}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ text: String) {
        self.name(name)
        string(text)
    }

    fileprivate mutating func member(_ name: String, _ flag: Bool) {
        self.name(name)
        bool(flag)
    }

    fileprivate mutating func member(_ name: String, _ number: Int64) {
        self.name(name)
        integer(number)
    }

    fileprivate mutating func member(_ name: String, _ value: JSON) {
        self.name(name)
        write(value)
    }

    /// Writes an instant.
    ///
    /// World clocks stay within the years 0000 to 9999; the machine's own may be anything.
    fileprivate mutating func member(_ name: String, _ instant: Instant) {
        self.name(name)
        if (WorldClock.earliest...WorldClock.latest).contains(instant) {
            plainString { instant.appendISO8601(.microseconds, to: &$0) }
        } else {
            integer(instant.microseconds)
        }
    }

    fileprivate mutating func member(_ name: String, _ body: JournalEntry.Body) {
        self.name(name)
        beginObject()
        member("length", Int64(body.length))
        member("kept", body.kept)
        if let digest = body.digest { member("digest", Hex.encode(digest)) }
        if body.isPartial { member("isPartial", true) }
        if let coded = body.coded {
            member("coding", coded.coding)
            member("codedBytes", Int64(coded.bytes))
        }
        endObject()
    }

    /// Writes bytes in the form that `TextOrBytes` reads.
    fileprivate mutating func member(_ name: String, _ bytes: [UInt8]) {
        self.name(name)
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        if all < 0x80 || String(validating: bytes, as: UTF8.self) != nil {
            string(utf8: bytes)
        } else {
            beginObject()
            member("base64", Base64.encode(bytes))
            endObject()
        }
    }
}
