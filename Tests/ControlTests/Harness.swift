import Backend
import CarbScan
import CivilTime
import Conduct
import ConductControl
import ConductKit
import Engine
import ForwardProxy
import Foundation
import HTTPMessage
import JSON
import Journal
import OmniChat
import Recording
import Sawaed
import TestSupport
import Testing
import Trafikskola
import Trendy
import Worlds

@testable import Control

/// One emulator with OmniChat on it, a frozen clock and the control API, driven without sockets through the hub.
///
/// Every control response is checked against the schema that the document declares for it.
final class Harness {
    struct TestError: Error {
        var text: String
    }

    /// 2025-01-01T12:00:00Z.
    static let noon = Instant(seconds: 1_735_732_800)
    static let user = "test@icloud.com"

    private static let api = Result<AnyAPI, any Error> { try AnyAPI(OmniChatAPI.definition, seed: seedFiles()) }

    /// The control API with the judgement of clients.
    static let table = Lazily {
        let apis = [
            SawaedAPI.conduct, CarbScanAPI.conduct, OmniChatAPI.conduct, TrafikskolaAPI.conduct, TrendyAPI.conduct,
        ]
        return ControlTable(adding: .conduct(RuleRegistry(generic: GenericRules.all, apis: apis)))
    }

    let emulator: Emulator
    let host = FakeHost()
    var control: ControlAPI
    var origins = Origins(hub: "http://127.0.0.1:4680", apis: ["http://127.0.0.1:4683"], ports: [4_680, 4_683])
    var hostTime = HostTime(wall: Harness.noon, monotonic: Instant(seconds: 1_000))
    private var lastExchange: UInt64 = 0

    init(
        safety: ControlSafety = ControlSafety(),
        startScenarios: [String] = [],
        _ change: (inout EmulatorConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = EmulatorConfiguration()
        configuration.clock = .frozen(Harness.noon)
        change(&configuration)
        emulator = Emulator(apis: [try Self.api.get()], configuration: configuration, at: hostTime)
        emulator.startScenarios = startScenarios
        control = ControlAPI(
            safety: safety,
            version: "9.8.7",
            startedAt: hostTime.monotonic,
            table: Self.table
        )
    }

    static func seedFiles(of api: String = "omnichat") throws -> SeedFiles {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appendingPathComponent("seeds/\(api)")
        var files: [SeedFiles.File] = []
        for prefix in ["", "scenarios/"] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(prefix).path)
            for name in names.sorted() where name.hasSuffix(".json") {
                let bytes = Array(try Data(contentsOf: folder.appendingPathComponent(prefix + name)))
                files.append(
                    SeedFiles.File(name: prefix + name, place: "seeds/\(api)/\(prefix)\(name)", bytes: bytes)
                )
            }
        }
        return SeedFiles(files)
    }

    // MARK: Control calls

    /// A control call on the hub; a body is sent as JSON unless `type` says otherwise.
    func call(
        _ method: HTTPMessage.HTTPMethod,
        _ path: String,
        _ body: String = "",
        world: String? = nil,
        type: String? = "application/json",
        headers: [(FieldName, String)] = [],
        host: String = "127.0.0.1:4680",
        entryPoint: EntryPoint = .hub
    ) throws -> Played {
        var fields = headers
        if !body.isEmpty, let type { fields.append((.contentType, type)) }
        if let world { fields.append((.world, world)) }
        return try send(
            method,
            "/__admin" + path,
            body: Array(body.utf8),
            headers: fields,
            host: host,
            entryPoint: entryPoint
        )
    }

    // MARK: Requests to OmniChat, mounted on the hub

    func chat(
        _ method: HTTPMessage.HTTPMethod,
        _ path: String,
        _ body: JSON? = nil,
        token: String? = nil,
        world: String? = nil,
        headers: [(FieldName, String)] = [],
        leaveAfter: Int64? = nil
    ) throws -> Played {
        var fields = headers
        if let token { fields.append((.authorization, "Bearer \(token)")) }
        return try send(
            method,
            (world.map { "/@\($0)" } ?? "") + "/omnichat" + path,
            body: body?.serialized() ?? [],
            headers: fields,
            leaveAfter: leaveAfter
        )
    }

    /// A token that the control API made.
    func token(
        _ kind: String = "access",
        state: String = "valid",
        user: String = Harness.user,
        world: String? = nil
    ) throws -> String {
        let answer = try call(
            .post,
            "/tokens?api=omnichat",
            #"{"user":"\#(user)","kind":"\#(kind)","state":"\#(state)"}"#,
            world: world
        )
        guard let token = answer.json["token"]?.stringValue else { throw TestError(text: answer.text) }
        return token
    }

    func advance(_ seconds: Int, world: String? = nil) throws {
        let answer = try call(.post, "/clock/advance", #"{"seconds":\#(seconds)}"#, world: world)
        guard answer.status == 200 else { throw TestError(text: answer.text) }
    }

    func set(_ settings: String, world: String? = nil) throws {
        let answer = try call(.put, "/settings", settings, world: world)
        guard answer.status == 200 else { throw TestError(text: answer.text) }
    }

    func hosted(_ world: String = "main") throws -> Emulator.HostedWorld {
        guard let hosted = emulator[world: world] else { throw TestError(text: "no world \(world)") }
        return hosted
    }

    func passRealTime(_ interval: Interval) {
        hostTime.wall = hostTime.wall + interval
        hostTime.monotonic = hostTime.monotonic + interval
    }

    // MARK: One request

    /// Sends a request through an entry point and plays its response; the client goes away after `leaveAfter`
    /// milliseconds.
    func send(
        _ method: HTTPMessage.HTTPMethod,
        _ target: String,
        body: [UInt8] = [],
        headers: [(FieldName, String)] = [],
        host: String = "127.0.0.1:4680",
        entryPoint: EntryPoint = .hub,
        leaveAfter: Int64? = nil
    ) throws -> Played {
        var fields = Fields()
        fields.append(.host, host)
        for (name, value) in headers { fields.append(name, value) }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let head = RequestHead(
            method: method,
            target: RequestTarget(rawPath: parts[0], rawQuery: parts.count > 1 ? parts[1] : nil),
            fields: fields
        )
        guard let address = emulator.address(of: head, entryPoint: entryPoint) else {
            throw TestError(text: "no address: \(target)")
        }
        switch address.destination {
        case .hub: throw TestError(text: "\(target) leads to the hub's own pages")
        case .control:
            let response = control.answer(
                HTTPRequest(head: head, body: RequestBody(body)),
                address: address,
                entryPoint: entryPoint,
                emulator: emulator,
                host: self.host,
                origins: origins,
                at: hostTime
            )
            let played = Played(immediate: response)
            LastExchange.note("\(method.rawValue) \(target)", body, status: played.status, response: played.bytes)
            for issue in Documented.issues(of: played, method, address.path.text) {
                Issue.record("\(method.rawValue) \(target) does not fit its document: \(issue)")
            }
            return played
        case .api(let index):
            lastExchange += 1
            let exchange = emulator.open(head, address: address, peer: "127.0.0.1", id: lastExchange, at: hostTime)
            var content = RequestBody(body)
            if let limit = emulator.bodyLimit(of: exchange), body.count > limit {
                content = RequestBody(bytes: Array(body[..<limit]), length: body.count, exceedsLimit: true)
            }
            let answer = emulator.answer(
                HTTPRequest(head: head, body: content),
                address: address,
                api: index,
                peer: "127.0.0.1",
                exchange: lastExchange,
                at: hostTime
            )
            var response = answer.response
            if answer.isHeld { response.prelude = [.hold] }
            let played = try play(response, lastExchange, leaveAfter: leaveAfter)
            LastExchange.note("\(method.rawValue) \(target)", body, status: played.status, response: played.bytes)
            return played
        }
    }

    /// Waits advance the real clock; a frozen world's stays.
    private func play(_ response: Response, _ exchange: UInt64, leaveAfter: Int64?) throws -> Played {
        var played = Played(status: response.status.code, fields: response.fields)
        var elapsed = Interval.zero
        var outcome = JournalEntry.Outcome.delivered
        steps: for step in response.timeline {
            switch step {
            case .wait(let length, _):
                if let leaveAfter, (elapsed + length).wholeMilliseconds > leaveAfter {
                    outcome = .interrupted
                    break steps
                }
                elapsed = elapsed + length
                passRealTime(length)
            case .effect(let number): emulator.perform(effect: number, of: exchange, at: hostTime)
            case .head: continue
            case .bytes(let bytes): played.chunks.append(Played.Chunk(at: elapsed.wholeMilliseconds, bytes: bytes))
            case .end: played.ending = .ended
            case .close, .abort, .halfClose:
                played.ending = .closed
                outcome = .cut
                break steps
            case .hold:
                played.ending = .held
                outcome = .held
                break steps
            case .interim, .raw, .stray, .belowTLS, .closeAfter, .trailers:
                throw TestError(text: "unexpected step \(step)")
            }
        }
        emulator.finish(
            exchange,
            outcome: outcome,
            timings: JournalEntry.Timings(),
            contentSent: outcome == .delivered ? nil : played.bytes.count
        )
        return played
    }
}

/// A fake of the player that records the calls it receives.
final class FakeHost: ControlHost {
    /// The TLS of the ports; a test takes it away.
    var fakeTLS: FakeTLS? = FakeTLS()
    var tls: (any TLSHost)? { fakeTLS }

    /// The worlds whose events were requested, with the API if one was named.
    var watched: [(world: Int, api: Int?, seen: UInt64)] = []
    var openConnections = 3
    /// The forward proxy; a test gives one.
    var forwardProxy: ForwardProxyState?

    func watch(world: Int, api: Int?, after seen: UInt64) { watched.append((world, api, seen)) }
    /// The responses to requests that gates have released.
    var delivered: [Exchange] = []

    func resumed(_ exchanges: [Exchange]) { delivered += exchanges }

    /// The requests that had to be continued on a worker: none, since no world here is large.
    var aside: [Exchange] = []

    func answerAside(_ exchanges: [Exchange]) { aside += exchanges }

    func nearestRecorded(api: Int) -> NearestRecorded? { nil }

    enum Call: Equatable {
        case cut(world: Int, api: Int?)
        case moved(world: Int, now: Instant, speed: Double)
    }

    /// The waits of responses in progress.
    var waiting: [(exchange: UInt64, at: Instant)] = []

    func waits(world: Int) -> [(exchange: UInt64, at: Instant)] { waiting }

    var calls: [Call] = []
    /// The number of responses in progress.
    var underWay = 0
    /// The number of waits that end when a clock moves.
    var due = 0

    func cut(world: Int, api: Int?) -> Int {
        calls.append(.cut(world: world, api: api))
        return underWay
    }

    func clockMoved(world: Int, now: Instant, speed: Double) -> Int {
        calls.append(.moved(world: world, now: now, speed: speed))
        return due
    }
}
