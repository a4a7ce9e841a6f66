import CivilTime
import Emulation
import Foundation
import HTTPMessage
import JSON
import Testing

@testable import Trendy

/// One emulator with Trendy alone on it and a frozen clock, driven without sockets: requests go in as values, and the
/// steps of the answers are played on virtual time.
final class Harness {
    struct Problem: Error {
        var text: String
    }

    static let noon = Instant(seconds: 1_735_732_800)
    /// The id of the seed's account of that number (section 14).
    static func id(_ number: Int) -> String {
        "7e4d0000-0000-4000-8000-0000000000" + (number < 16 ? "0" : "") + String(number, radix: 16)
    }

    /// The address of a seed account.
    static func mail(_ name: String) -> String { "\(name)@trendy.example" }

    private static let api = Result<AnyAPI, any Error> { try AnyAPI(TrendyAPI.self, seed: seedFiles()) }

    let emulator: Emulator
    var real = RealTime(wall: Harness.noon, monotonic: Instant(seconds: 1_000))
    /// The world that `mint`, `state` and the clock act on.
    var world = "main"
    var peer = "127.0.0.1"
    var door = Door.api(0)
    /// Whether every answer is held against the schema that the document has for it.
    var checksAnswers = true
    private var lastExchange: UInt64 = 0

    init(seed: UInt64 = 42, start: Instant = Harness.noon) throws {
        var configuration = EmulatorConfiguration()
        configuration.seed = seed
        configuration.clock = .frozen(start)
        emulator = Emulator(apis: [try Self.api.get()], configuration: configuration, at: real)
    }

    static func seedFiles(replacing name: String? = nil, with text: String = "") throws -> SeedFiles {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appendingPathComponent("seeds/trendy")
        let names = (FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? [])
            .filter { $0.hasSuffix(".json") }
        return SeedFiles(
            try names.sorted().map { file in
                let bytes =
                    file == name ? Array(text.utf8) : Array(try Data(contentsOf: folder.appendingPathComponent(file)))
                return SeedFiles.File(name: file, place: "seeds/trendy/\(file)", bytes: bytes)
            }
        )
    }

    // MARK: The world

    func slot() throws -> Emulator.Slot {
        guard let slot = emulator[world: world] else { throw Problem(text: "no world \(world)") }
        return slot
    }

    var now: Instant { get throws { try slot().world.now(real) } }

    func advance(_ interval: Interval) throws {
        let slot = try slot()
        slot.world.withCore { $0.clock.advance(by: interval, at: real) }
    }

    func setClock(_ instant: Instant) throws {
        let slot = try slot()
        slot.world.withCore { $0.clock.set(.frozen(instant), at: real) }
    }

    /// Reads or changes Trendy's state behind the API's back.
    func state<Result>(_ work: (inout TrendyState, inout WorldCore) -> Result) throws -> Result {
        let slot = try slot()
        slot.world.arrive(real)
        return slot.world.with(0, TrendyState.self) { state, core in work(&state, &core) }
    }

    func set(_ settings: JSON) throws {
        let slot = try slot()
        let faults = emulator.apis[0].writeSettings(&slot.world, 0, settings)
        guard faults.isEmpty else { throw Problem(text: "\(faults)") }
    }

    func mint(
        _ user: String,
        _ kind: TokenOrder.Kind = .access,
        _ state: TokenOrder.State = .valid,
        life: Interval? = nil,
        claims: JSONObject = JSONObject(),
        isOffline: Bool = false
    ) throws -> String {
        let slot = try slot()
        slot.world.arrive(real)
        let order = TokenOrder(user: user, kind: kind, state: state, life: life, claims: claims, isOffline: isOffline)
        return try emulator.apis[0].mint(&slot.world, 0, order).get().token
    }

    func end(_ user: String, _ scope: TokenEnding.Scope, _ manner: TokenEnding.Manner, after delay: Interval = .zero)
        throws
    {
        let slot = try slot()
        let at = slot.world.arrive(real) + delay
        let isKnown = emulator.apis[0].endTokens(
            &slot.world,
            0,
            TokenEnding(user: user, scope: scope, manner: manner, at: at)
        )
        guard isKnown else { throw Problem(text: "no user \(user)") }
    }

    // MARK: Requests

    /// Sends a request and plays its answer.
    ///
    /// The client goes away after `leaveAfter` milliseconds; `onChunk` sees each piece of content as it is sent.
    func send(
        _ method: HTTPMessage.Method,
        _ target: String,
        token: String? = nil,
        body: [UInt8] = [],
        headers: [(FieldName, String)] = [],
        leaveAfter: Int64? = nil,
        onChunk: (Played.Chunk) throws -> Void = { _ in }
    ) throws -> Played {
        var fields = Fields()
        fields.append(.host, "127.0.0.1:4685")
        if let token { fields.append(.authorization, "Bearer \(token)") }
        for (name, value) in headers { fields.append(name, value) }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let head = RequestHead(
            method: method,
            target: RequestTarget(rawPath: parts[0], rawQuery: parts.count > 1 ? parts[1] : nil),
            fields: fields
        )
        guard let address = emulator.address(of: head, door: door), case .api(let api) = address.destination else {
            throw Problem(text: "\(target) does not lead to the API")
        }
        var content = RequestBody(body)
        if let limit = emulator.bodyLimit(for: head, address: address), body.count > limit {
            content = RequestBody(bytes: Array(body[..<limit]), length: body.count, exceedsLimit: true)
        }
        lastExchange += 1
        let exchange = lastExchange
        let answer = emulator.answer(
            Request(head: head, body: content),
            address: address,
            api: api,
            peer: peer,
            exchange: exchange,
            at: real
        )
        let played = try play(answer.response, exchange, leaveAfter: leaveAfter, onChunk)
        if checksAnswers, !parts[0].hasSuffix("/"), played.ending == .ended {
            let path = address.path.text
            for issue in Documented.issues(of: played, method, path, emulator.apis[0].routes) {
                Issue.record("\(method.rawValue) \(path): \(issue) in \(played.status) \(played.text.prefix(300))")
            }
        }
        return played
    }

    /// Waits pass on the real clock; the world's stands still, as a frozen one does.
    private func play(
        _ response: Response,
        _ exchange: UInt64,
        leaveAfter: Int64?,
        _ onChunk: (Played.Chunk) throws -> Void
    ) throws -> Played {
        var played = Played(status: response.status.code, fields: response.fields)
        var elapsed = Interval.zero
        var outcome = JournalEntry.Outcome.delivered
        steps: for step in response.timeline {
            switch step {
            case .wait(let length, _):
                if let leaveAfter, (elapsed + length).wholeMilliseconds > leaveAfter {
                    played.ending = .left
                    outcome = .interrupted
                    break steps
                }
                elapsed = elapsed + length
                real.wall = real.wall + length
                real.monotonic = real.monotonic + length
            case .effect(let number): emulator.perform(effect: number, of: exchange, at: real)
            case .head: played.headAt = elapsed.wholeMilliseconds
            case .bytes(let bytes):
                let chunk = Played.Chunk(at: elapsed.wholeMilliseconds, bytes: bytes)
                played.chunks.append(chunk)
                try onChunk(chunk)
            case .end: played.ending = .ended
            case .close, .abort, .halfClose:
                played.ending = .closed
                outcome = .cut
                break steps
            case .hold:
                played.ending = .held
                outcome = .held
                break steps
            case .interim, .raw, .trailers: throw Problem(text: "unexpected step \(step)")
            }
        }
        played.duration = elapsed.wholeMilliseconds
        emulator.finish(exchange, outcome: outcome, timings: JournalEntry.Timings(), contentSent: nil)
        return played
    }
}
