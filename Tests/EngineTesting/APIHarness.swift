package import Backend
package import CivilTime
import Conditions
package import Engine
import Foundation
package import HTTPMessage
package import JSON
import Journal
import Synchronization
import TestSupport
import Testing
import Worlds

/// One emulator with a single API on it and a frozen clock, driven without sockets.
///
/// Requests are passed as values, and the steps of the responses are played on virtual time.
///
/// Every response that ends is checked against the endpoint's declaration, from which the OpenAPI document is made,
/// unless a scenario or a fault is active.
package final class APIHarness<State: Sendable> {
    package struct TestError: Error {
        package var text: String

        package init(text: String) { self.text = text }
    }

    private let name: String
    package let emulator: Emulator
    package var hostTime: HostTime
    /// The world that `mint`, `state` and the clock act on.
    package var world = "main"
    package var peer = "127.0.0.1"
    package var entryPoint = EntryPoint.api(0)
    /// Nil for a request without Host.
    package var host: String?
    /// The path before those of the verbs.
    package var basePath = ""
    /// The content type of the bodies that the verbs send; nil for none.
    package var contentType: String?
    /// Tells whether responses are checked against their declarations.
    package var checksAnswers = true
    /// Tells whether they are checked even while a scenario or a fault is active.
    package var checksDisturbedAnswers = false
    private var lastExchange: UInt64 = 0

    /// A world whose clock is frozen at `start`; the machine's clock shows `wall`.
    package init(
        _ api: APIDefinition<State>,
        seed: UInt64,
        start: Instant,
        wall: Instant,
        isWorldRequired: Bool = false
    ) throws {
        name = api.identity.name
        host = "127.0.0.1:\(4_680 + api.identity.portOffset)"
        var configuration = EmulatorConfiguration()
        configuration.seed = seed
        configuration.clock = .frozen(start)
        configuration.isWorldRequired = isWorldRequired
        hostTime = HostTime(wall: wall, monotonic: Instant(seconds: 1_000))
        emulator = Emulator(apis: [try SeedFolder.api(api)], configuration: configuration, at: hostTime)
    }

    /// Noon of the first day of 2025, when most worlds of the tests stand still.
    package static var noon: Instant { Instant(seconds: 1_735_732_800) }

    // MARK: The world

    /// Makes a world, with the rows of another one if `from` names it.
    package func makeWorld(_ name: String, from: String? = nil) throws {
        var order = Emulator.WorldOrder()
        order.name = name
        order.from = from
        _ = try emulator.makeWorld(order, at: hostTime)
    }

    package func hosted() throws -> Emulator.HostedWorld {
        guard let hosted = emulator[world: world] else { throw TestError(text: "no world \(world)") }
        return hosted
    }

    package var now: Instant { get throws { try hosted().world.now(hostTime) } }

    package func advance(_ interval: Interval) throws {
        let hosted = try hosted()
        hosted.world.withCore { $0.clock.advance(by: interval, at: hostTime) }
    }

    package func setClock(_ instant: Instant) throws {
        let hosted = try hosted()
        hosted.world.withCore { $0.clock.set(.frozen(instant), at: hostTime) }
    }

    /// Reads or changes the API's state directly.
    package func state<Result>(_ work: (inout State, inout WorldCore) -> Result) throws -> Result {
        let hosted = try hosted()
        hosted.world.tick(to: hostTime)
        return hosted.world.with(0, State.self) { state, core in work(&state, &core) }
    }

    package func set(_ settings: JSON) throws {
        let hosted = try hosted()
        let faults = emulator.apis[0].writeSettings(&hosted.world, 0, settings)
        guard faults.isEmpty else { throw TestError(text: "\(faults)") }
    }

    package func mint(
        _ user: String,
        _ kind: TokenOrder.Kind = .access,
        _ state: TokenOrder.State = .valid,
        life: Interval? = nil,
        claims: JSONObject = JSONObject(),
        isOffline: Bool = false
    ) throws -> String {
        let hosted = try hosted()
        hosted.world.tick(to: hostTime)
        let order = TokenOrder(user: user, kind: kind, state: state, life: life, claims: claims, isOffline: isOffline)
        return try emulator.apis[0].mint(&hosted.world, 0, order).get().token
    }

    package func end(
        _ user: String,
        _ scope: TokenEnding.Scope,
        _ manner: TokenEnding.Manner,
        after delay: Interval = .zero
    )
        throws
    {
        let hosted = try hosted()
        let at = hosted.world.tick(to: hostTime) + delay
        let isKnown = emulator.apis[0].endTokens(
            &hosted.world,
            0,
            TokenEnding(user: user, scope: scope, manner: manner, at: at)
        )
        guard isKnown else { throw TestError(text: "no user \(user)") }
    }

    // MARK: Scenarios

    private func scenario(_ name: String) throws -> ScenarioName {
        let full = "\(self.name)/\(name)"
        guard let scenario = emulator.scenario(named: full) else { throw TestError(text: "no scenario \(full)") }
        return scenario
    }

    @discardableResult
    package func activate(_ name: String) throws -> Bool {
        let hosted = try hosted()
        hosted.world.tick(to: hostTime)
        return emulator.activate(try scenario(name), in: hosted, at: hostTime)
    }

    /// Returns the changes that remain; nil if the scenario was not active.
    @discardableResult
    package func deactivate(_ name: String) throws -> [String]? {
        emulator.deactivate(try scenario(name), in: try hosted())
    }

    package func reset() throws {
        let hosted = try hosted()
        hosted.world.reset(emulator.apis, keepClock: false, at: hostTime)
    }

    // MARK: Requests

    /// Sends a request and plays its response.
    ///
    /// The client goes away after `leaveAfter` milliseconds; `onChunk` sees each piece of content as it is sent.
    package func send(
        _ method: HTTPMessage.HTTPMethod,
        _ target: String,
        token: String? = nil,
        body: [UInt8] = [],
        headers: [(FieldName, String)] = [],
        leaveAfter: Int64? = nil,
        onChunk: (Played.Chunk) throws -> Void = { _ in }
    ) throws -> Played {
        var fields = Fields()
        if let host { fields.append(.host, host) }
        if let token { fields.append(.authorization, "Bearer \(token)") }
        for (name, value) in headers { fields.append(name, value) }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let head = RequestHead(
            method: method,
            target: RequestTarget(rawPath: parts[0], rawQuery: parts.count > 1 ? parts[1] : nil),
            fields: fields
        )
        guard let address = emulator.address(of: head, entryPoint: entryPoint), case .api(let api) = address.destination
        else {
            throw TestError(text: "\(target) does not lead to the API")
        }
        lastExchange += 1
        let exchange = lastExchange
        let opened = emulator.open(head, address: address, peer: peer, id: exchange, at: hostTime)
        var content = RequestBody(body)
        if let limit = emulator.bodyLimit(of: opened), body.count > limit {
            content = RequestBody(bytes: Array(body[..<limit]), length: body.count, exceedsLimit: true)
        }
        let hosted = try hosted()
        let isDisturbed = !hosted.world.activeScenarios.isEmpty || !hosted.world.faults.faults.isEmpty
        let isChecked = checksAnswers && (checksDisturbedAnswers || !isDisturbed)
        let request = HTTPRequest(head: head, body: content)
        emulator.receive(request, of: opened)
        // As the server does: a worker prepares large bodies first.
        let prepared = emulator.preparation(for: opened, at: hostTime)?.run(request)
        let answer = emulator.answer(
            request,
            address: address,
            api: api,
            peer: peer,
            exchange: exchange,
            at: hostTime,
            prepared: prepared
        )
        let played = try play(answer.response, exchange, leaveAfter: leaveAfter, onChunk)
        LastExchange.note("\(method.rawValue) \(target)", body, status: played.status, response: played.bytes)
        let path = address.path.text
        // A path with a slash at its end is another one, which an API may lead to the first.
        if isChecked, played.ending == .ended, !path.hasSuffix("/") {
            for issue in Documented.issues(of: played, method, path, emulator.apis[0].routes) {
                Issue.record("\(method.rawValue) \(path): \(issue) in \(played.status) \(played.text.prefix(300))")
            }
        }
        return played
    }

    /// Waits advance the real clock; the world's stays, as a frozen one does.
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
                hostTime.wall = hostTime.wall + length
                hostTime.monotonic = hostTime.monotonic + length
            case .effect(let number): emulator.perform(effect: number, of: exchange, at: hostTime)
            case .head: played.headAt = elapsed.wholeMilliseconds
            case .bytes(let bytes):
                let chunk = Played.Chunk(at: elapsed.wholeMilliseconds, bytes: bytes)
                played.chunks.append(chunk)
                try onChunk(chunk)
            case .end: played.ending = .ended
            case .close, .abort, .halfClose:
                played.ending = step == .abort ? .aborted : .closed
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
        played.duration = elapsed.wholeMilliseconds
        emulator.finish(exchange, outcome: outcome, timings: JournalEntry.Timings(), contentSent: nil)
        return played
    }
}
