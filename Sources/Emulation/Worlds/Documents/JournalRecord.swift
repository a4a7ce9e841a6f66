import CivilTime
import Crypto
import HTTPMessage
import JSON

/// A journal entry as it is kept outside of the process.
struct JournalRecord: Decodable, Sendable {
    struct Body: Decodable, Sendable {
        var length: Int
        var kept: TextOrBytes
        var digest: String?
    }

    var id: String
    /// The id that the key was made of by a suffix.
    var givenID: String?
    /// Whether the id is one of our own, not a caller's.
    var isOwnID: Bool
    var seq: UInt64
    var at: Instant
    var wallAt: Instant
    /// The world that it was handled in, where that is another one: a fork has the journal of its original.
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
    /// Milliseconds: receive, handle, wait, send.
    var timings: [Double]
    var outcome: String?
    var scenario: String?
    var announcedLength: Int?
    var isStreamed: Bool
    var decisions: [FaultDecision.Record]?
    var differences: [JSON]?
    var translated: [JSON]?
    var isTakenElsewhere: Bool?

    /// An entry in the form that this type reads, as the journal of that world has it.
    ///
    /// Written by hand: there is one for every request, and `Codable` takes ten times as long.
    static func json(_ entry: JournalEntry, in world: String?) -> JSON {
        var object = JSONObject()
        object.reserveCapacity(25)
        object.append("id", .string(entry.id))
        if let given = entry.givenID { object.append("givenID", .string(given)) }
        object.append("isOwnID", .bool(entry.isOwnID))
        object.append("seq", .integer(Int64(clamping: entry.seq)))
        object.append("at", json(entry.at))
        object.append("wallAt", json(entry.wallAt))
        if entry.world != world { object.append("world", .string(entry.world)) }
        object.append("api", .string(entry.api))
        if let route = entry.route { object.append("route", .string(route)) }
        if let user = entry.user {
            object.append("user", .string(user.id))
            if let email = user.email { object.append("email", .string(email)) }
        }
        object.append("method", .string(entry.method.rawValue))
        object.append("path", .string(entry.path))
        if let query = entry.query { object.append("query", .string(query)) }
        object.append("headers", TextOrBytes(entry.headers.wire).json)
        object.append("body", json(entry.body))
        object.append("status", .integer(Int64(entry.status.code)))
        object.append("responseHeaders", TextOrBytes(entry.responseHeaders.wire).json)
        object.append("responseBody", json(entry.responseBody))
        let timings = entry.timings
        let parts = [timings.receive, timings.handle, timings.wait, timings.send]
        object.append("timings", .array(parts.map { .double($0) }))
        if let outcome = entry.outcome { object.append("outcome", .string(outcome.rawValue)) }
        if let scenario = entry.scenario { object.append("scenario", .string(scenario)) }
        if let length = entry.announcedLength { object.append("announcedLength", .integer(Int64(length))) }
        object.append("isStreamed", .bool(entry.isStreamed))
        if !entry.decisions.isEmpty { object.append("decisions", .array(entry.decisions.map(\.stored))) }
        if let differences = entry.differences { object.append("differences", .array(differences)) }
        if let translated = entry.translated { object.append("translated", .array(translated)) }
        if entry.isTakenElsewhere { object.append("isTakenElsewhere", true) }
        return .object(object)
    }

    private static func json(_ body: JournalEntry.Body) -> JSON {
        var object: JSONObject = ["length": .integer(Int64(body.length)), "kept": TextOrBytes(body.kept).json]
        if let digest = body.digest { object.append("digest", .string(Hex.encode(digest))) }
        return .object(object)
    }

    /// World clocks stay within the years 0000 to 9999; the machine's own may be anything.
    private static func json(_ instant: Instant) -> JSON {
        (WorldClock.earliest...WorldClock.latest).contains(instant)
            ? .string(instant.iso8601(.microseconds)) : .integer(instant.microseconds)
    }

    /// The entry, in the journal of that world; throws what does not fit.
    func entry(in name: String) throws(PartFault) -> JournalEntry {
        if let world, !WorldName.isValid(world) {
            throw PartFault(path: ["world"], "must be 1 to 64 of a-z 0-9 . _ -")
        }
        guard timings.count == 4 else { throw PartFault(path: ["timings"], "must be four numbers") }
        // An entry of a request that a gate holds has no status yet.
        guard (100...999).contains(status) || status == Status.unanswered.code else {
            throw PartFault(path: ["status"], "must be from 100 to 999")
        }
        if let announcedLength, !(0...StoredRange.largestCount).contains(Int64(announcedLength)) {
            throw PartFault(path: ["announcedLength"], "must be from 0 to 2^53")
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
        // Whoever was to learn how it ends is gone.
        entry.outcome = result ?? .cut
        entry.scenario = scenario
        entry.announcedLength = announcedLength
        entry.isStreamed = isStreamed
        entry.differences = differences
        entry.translated = translated
        entry.isTakenElsewhere = isTakenElsewhere ?? false
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
            throw PartFault(path: [.key(name), "length"], "must be at least what is kept, which is 64 KiB at most")
        }
        guard body.length <= StoredRange.largestCount else {
            throw PartFault(path: [.key(name), "length"], "must be from 0 to 2^53")
        }
        var result = JournalEntry.Body(body.kept.bytes, length: body.length)
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

    var json: JSON {
        String(validating: bytes, as: UTF8.self).map { .string($0) } ?? ["base64": .string(Base64.encode(bytes))]
    }
}
