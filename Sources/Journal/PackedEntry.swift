import Backend
import CivilTime
import Compression
import HTTPMessage
import Handshakes
import JSON

/// A journal entry in as few bytes as possible: one block, and the field lines that it shares with others.
///
/// Packing is lossless: `entry` returns what was packed, bit for bit. An entry with rare members, or one that could not
/// be read back, is kept whole.
struct PackedEntry: Sendable {
    /// The length up to which bodies are in the block; a longer one is kept unpacked, perhaps shared with its origin.
    private static let longestInBlock = 4_096

    /// Shorter blocks are not compressed.
    private static let shortestCompressed = 512

    let shelf: HeaderLinePool
    /// The block and one more byte, which tells whether it is compressed: a member of its own would take eight.
    private var bytes: [UInt8] = []
    /// The parts that are not in the block; nil for most entries, which it costs one reference.
    private var apart: Apart?

    private final class Apart: Sendable {
        /// The entry itself where it is not packed.
        let whole: JournalEntry?
        let body: [UInt8]
        let responseBody: [UInt8]

        init(whole: JournalEntry? = nil, body: [UInt8] = [], responseBody: [UInt8] = []) {
            self.whole = whole
            self.body = body
            self.responseBody = responseBody
        }
    }

    init(_ entry: JournalEntry, _ shelf: HeaderLinePool) {
        self.shelf = shelf
        guard entry.decisions.isEmpty, entry.differences == nil, entry.translated == nil, entry.violations == nil,
            Self.isReadable(entry.headers),
            Self.isReadable(entry.responseHeaders)
        else {
            apart = Apart(whole: entry)
            return
        }
        var writer = PackedWriter(reserving: 256 + entry.cost)
        Self.write(entry, shelf, to: &writer)
        let body = entry.body.kept.count > Self.longestInBlock ? entry.body.kept : []
        let responseBody = entry.responseBody.kept.count > Self.longestInBlock ? entry.responseBody.kept : []
        if !body.isEmpty || !responseBody.isEmpty { apart = Apart(body: body, responseBody: responseBody) }
        bytes = writer.bytes
        compress()
    }

    /// Halves a block of JSON, which most are; one that would stay nearly as long stays as it is.
    private mutating func compress() {
        guard bytes.count >= Self.shortestCompressed,
            let short = Deflate.compress(bytes, .deflate, isShort: true), short.count < bytes.count * 7 / 8
        else {
            bytes = (bytes + [0]).exact
            return
        }
        bytes = (short + [1]).exact
    }

    /// Tells whether the lines can be found again from the bytes alone, at the very same places.
    private static func isReadable(_ fields: Fields) -> Bool {
        guard let read = Fields(wire: fields.wire), read.count == fields.count else { return false }
        return (0..<read.count).allSatisfy { place in
            let (name, value) = (fields.nameBytes(at: place), fields.valueBytes(at: place))
            let (readName, readValue) = (read.nameBytes(at: place), read.valueBytes(at: place))
            return name.startIndex == readName.startIndex && name.endIndex == readName.endIndex
                && value.startIndex == readValue.startIndex && value.endIndex == readValue.endIndex
        }
    }

    private static func write(_ entry: JournalEntry, _ shelf: HeaderLinePool, to writer: inout PackedWriter) {
        writer.text(entry.id)
        writer.number(entry.seq)
        writer.instant(entry.at)
        // The two are equal, or days apart, depending on the world's clock.
        writer.signed(entry.wallAt.microseconds &- entry.at.microseconds)
        writer.signed(entry.startedAt.microseconds &- entry.wallAt.microseconds)
        writer.optional(entry.endedAt.map { $0.microseconds &- entry.startedAt.microseconds })
        writer.optional(entry.peer)
        writer.number(entry.connection)
        writer.flag(entry.isOnReused)
        writer.text(entry.world)
        writer.text(entry.api)
        writer.optional(entry.route)
        writer.optional(entry.user?.id)
        writer.optional(entry.user?.email)
        writer.text(entry.method.rawValue)
        writer.text(entry.path)
        writer.optional(entry.query)
        shelf.write(entry.headers, to: &writer)
        write(entry.body, to: &writer)
        writer.signed(Int64(entry.status.code))
        shelf.write(entry.responseHeaders, to: &writer)
        write(entry.responseBody, to: &writer)
        writer.double(entry.timings.receive)
        writer.double(entry.timings.handle)
        writer.double(entry.timings.wait)
        writer.double(entry.timings.send)
        writer.optional(entry.outcome?.rawValue)
        writer.optional(entry.givenID)
        writer.flag(entry.isOwnID)
        writer.signed(Int64(entry.charged))
        writer.optional(entry.scenario)
        writer.optional(entry.announcedLength)
        writer.flag(entry.isStreamed)
        writer.flag(entry.isTakenElsewhere)
        writer.optional(entry.source?.rawValue)
        writer.optional(entry.stub)
        writer.optional(entry.answeredBy)
        writer.optional(entry.nearestStub)
        writer.optional(entry.gate)
        writer.optional(entry.replayOf)
        // The facts of TLS are few texts, and the same for all requests of a connection.
        writer.optional(entry.transport?.json.text)
        RequestTargetForm.pack(entry.way, to: &writer)
    }

    private static func write(_ body: JournalEntry.Body, to writer: inout PackedWriter) {
        writer.signed(Int64(body.length))
        writer.optional(body.digest)
        writer.flag(body.isPartial)
        writer.optional(body.coded?.coding)
        if let coded = body.coded { writer.signed(Int64(coded.bytes)) }
        let isInBlock = body.kept.count <= longestInBlock
        writer.flag(isInBlock)
        if isInBlock { writer.block(body.kept) }
    }

    /// The entry that was packed; never nil.
    var entry: JournalEntry? {
        if let entry = apart?.whole { return entry }
        var reader = PackedReader(block)
        return read(&reader)
    }

    private var block: [UInt8] {
        // The members are read in order, so that the last byte does not matter.
        guard bytes.last == 1 else { return bytes }
        return (try? Inflater.inflate(Array(bytes.dropLast()), .deflate, limit: .max)) ?? []
    }

    private func read(_ reader: inout PackedReader) -> JournalEntry? {
        guard let id = reader.text(), let seq = reader.number(), let at = reader.instant(),
            let distance = reader.signed(), let start = reader.signed(), let length = reader.optional({ $0.signed() }),
            let peer = reader.optional({ $0.text() }), let connection = reader.number(), let isOnReused = reader.flag(),
            let world = reader.text(), let api = reader.text(),
            let route = reader.optional({ $0.text() }), let user = reader.optional({ $0.text() }),
            let email = reader.optional({ $0.text() }), let method = reader.text(), let path = reader.text(),
            let query = reader.optional({ $0.text() }), let headers = shelf.read(&reader),
            let body = Self.body(&reader, apart?.body ?? []), let status = reader.int(),
            let responseHeaders = shelf.read(&reader),
            let responseBody = Self.body(&reader, apart?.responseBody ?? []), let receive = reader.double(),
            let handle = reader.double(), let wait = reader.double(), let send = reader.double(),
            let outcome = reader.optional({ $0.text() }), let givenID = reader.optional({ $0.text() }),
            let isOwnID = reader.flag(), let charged = reader.int(), let scenario = reader.optional({ $0.text() }),
            let announcedLength = reader.optional({ $0.int() }), let isStreamed = reader.flag(),
            let isTakenElsewhere = reader.flag(), let source = reader.optional({ $0.text() }),
            let stub = reader.optional({ $0.text() }), let answeredBy = reader.optional({ $0.text() }),
            let nearestStub = reader.optional({ $0.text() }), let gate = reader.optional({ $0.text() }),
            let replayOf = reader.optional({ $0.text() }), let transport = reader.optional({ $0.text() }),
            let way = RequestTargetForm.read(&reader)
        else { return nil }
        let wallAt = Instant(microseconds: at.microseconds &+ distance)
        let startedAt = Instant(microseconds: wallAt.microseconds &+ start)
        var entry = JournalEntry(
            givenID: givenID,
            isOwnID: isOwnID,
            id: id,
            seq: seq,
            at: at,
            wallAt: wallAt,
            startedAt: startedAt,
            peer: peer,
            connection: connection,
            isOnReused: isOnReused,
            world: world,
            api: api,
            route: route,
            user: user.map { CallUser(id: $0, email: email) },
            method: HTTPMethod(rawValue: method),
            path: path,
            query: query,
            headers: headers,
            body: body,
            status: Status(status),
            responseHeaders: responseHeaders,
            responseBody: responseBody,
            timings: JournalEntry.Timings(receive: receive, handle: handle, wait: wait, send: send)
        )
        entry.endedAt = length.map { Instant(microseconds: startedAt.microseconds &+ $0) }
        entry.gate = gate
        entry.replayOf = replayOf
        entry.outcome = outcome.flatMap(JournalEntry.Outcome.init)
        entry.charged = charged
        entry.scenario = scenario
        entry.announcedLength = announcedLength
        entry.isStreamed = isStreamed
        entry.isTakenElsewhere = isTakenElsewhere
        entry.source = source.flatMap(AnswerSource.init)
        entry.stub = stub
        entry.answeredBy = answeredBy
        entry.nearestStub = nearestStub
        entry.transport = transport.flatMap { TransportFacts(text: $0) }
        entry.way = way
        return entry
    }

    private static func body(_ reader: inout PackedReader, _ apart: [UInt8]) -> JournalEntry.Body? {
        guard let length = reader.int(), let digest = reader.optional({ $0.block() }), let isPartial = reader.flag(),
            let coding = reader.optional({ $0.text() })
        else { return nil }
        var coded: JournalEntry.Body.Coded?
        if let coding {
            guard let count = reader.int() else { return nil }
            coded = JournalEntry.Body.Coded(coding: coding, bytes: count)
        }
        guard let isInBlock = reader.flag() else { return nil }
        var kept = apart
        if isInBlock {
            guard let block = reader.block() else { return nil }
            kept = block
        }
        var body = JournalEntry.Body([], length: length)
        body.kept = kept
        body.digest = digest
        body.isPartial = isPartial
        body.coded = coded
        return body
    }
}
