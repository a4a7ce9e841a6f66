import Backend
import CivilTime
import Engine
import HTTPMessage
import Journal
import Testing
import Worlds

/// An emulator of the notes with a clock that the test moves.
final class EngineHarness {
    let emulator: Emulator
    var hostTime = HostTime(wall: Instant(seconds: 1_735_732_800), monotonic: Instant(seconds: 1_000))
    private var lastExchange: UInt64 = 0

    init(own folder: CustomNotes.Folder? = nil, _ configure: (inout EmulatorConfiguration) -> Void = { _ in }) throws {
        var configuration = EmulatorConfiguration()
        configure(&configuration)
        let api = try folder.map(CustomNotes.api) ?? AnyAPI(NotesAPI.definition, seed: NotesAPI.seedFiles())
        emulator = Emulator(apis: [api], configuration: configuration, at: hostTime)
    }

    func pass(_ interval: Interval) {
        hostTime.wall = hostTime.wall + interval
        hostTime.monotonic = hostTime.monotonic + interval
    }

    @discardableResult
    func make(_ name: String?, from: String? = nil, ttl: Interval? = nil) throws -> String {
        var order = Emulator.WorldOrder()
        order.name = name
        order.from = from
        order.timeToLive = ttl
        return try emulator.makeWorld(order, at: hostTime)
    }

    func hosted(_ name: String) throws -> Emulator.HostedWorld { try #require(emulator[world: name]) }

    func state(_ name: String = "main") throws -> NotesAPI.State {
        try hosted(name).world.state(0, NotesAPI.State.self)
    }

    struct Exchange {
        var number: UInt64
        var answer: Engine.Exchange

        var text: String { String(decoding: answer.response.body.content, as: UTF8.self) }
        var status: Int { answer.response.status.code }
        var id: String? { answer.response.fields[.requestID] }
    }

    /// Sends a request; it stays under way until `finish`.
    @discardableResult
    func begin(
        _ method: HTTPMessage.HTTPMethod,
        _ path: String,
        fields: Fields = Fields(),
        body: String = "",
        version: HTTPVersion = .http11,
        isOnReused: Bool = false
    ) throws -> Exchange {
        let target = RequestTarget(rawPath: path)
        let head = RequestHead(method: method, target: target, version: version, fields: fields)
        let address = try #require(emulator.address(of: head, entryPoint: .api(0)))
        lastExchange += 1
        if isOnReused {
            let arrival = Arrival(isOnReused: true, firstByte: hostTime.monotonic)
            _ = emulator.open(
                head,
                address: address,
                peer: "127.0.0.1",
                id: lastExchange,
                arrival: arrival,
                at: hostTime
            )
        }
        let answer = emulator.answer(
            HTTPRequest(head: head, body: RequestBody(Array(body.utf8))),
            address: address,
            api: 0,
            peer: "127.0.0.1",
            exchange: lastExchange,
            at: hostTime
        )
        return Exchange(number: lastExchange, answer: answer)
    }

    func finish(
        _ exchange: Exchange,
        _ outcome: JournalEntry.Outcome = .delivered,
        sent: Int? = nil,
        at ended: Instant? = nil
    ) {
        emulator.finish(
            exchange.number,
            outcome: outcome,
            timings: JournalEntry.Timings(send: 1),
            contentSent: sent,
            at: ended
        )
    }

    @discardableResult
    func send(_ method: HTTPMessage.HTTPMethod, _ path: String, fields: Fields = Fields(), body: String = "") throws
        -> Exchange
    {
        let exchange = try begin(method, path, fields: fields, body: body)
        finish(exchange)
        return exchange
    }

    /// The journal of a world, oldest first.
    func journal(_ name: String = "main") throws -> [JournalEntry] {
        var found: [JournalEntry] = []
        try hosted(name).world.journal.forEachNewestFirst {
            found.append($0)
            return true
        }
        return found.reversed()
    }
}

/// The problem that a piece of work ends with.
func fault(_ work: () throws -> Void) -> Problem? {
    do {
        try work()
        return nil
    } catch {
        return error as? Problem
    }
}
