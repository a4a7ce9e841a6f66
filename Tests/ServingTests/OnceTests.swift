import Backend
import CivilTime
import Control
import Engine
import Foundation
import HTTPMessage
import OmniChat
import Proxying
import Recording
import Serving
import TestSupport
import Testing
import Transport
import Worlds

/// Architecture, "The way of a request": each question about a request is asked once, whichever source answers it.
@Suite struct OnceTests {
    private static let recordings = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "recordings")

    private let emulator: Emulator
    private let proxy: ProxyController
    private let service: EmulatorService

    init() throws {
        let hostTime = HostTime(wall: .epoch, monotonic: .epoch)
        let api = try AnyAPI(OmniChatAPI.definition, seed: SeedFiles.builtIn(of: OmniChatAPI.definition))
        emulator = Emulator(apis: [api], configuration: EmulatorConfiguration(), at: hostTime)
        var order = Emulator.WorldOrder()
        order.name = "other"
        _ = try emulator.makeWorld(order, at: hostTime)
        proxy = ProxyController(
            emulator,
            version: "0",
            authorities: nil,
            limits: UpstreamLimits(),
            otherBuiltInAPIs: { _ in [] }
        )
        service = EmulatorService(
            emulator: emulator,
            control: ControlAPI(safety: ControlSafety(), version: "0", startedAt: .epoch),
            log: AccessLog(format: .text, level: .quiet, write: { _ in }),
            limits: ServingLimits(body: 1_000, controlBody: 1_000, state: 1_000, waitingCalls: 1, jobs: 1),
            proxy: proxy,
            preciseNow: { .epoch }
        )
    }

    /// Begins a mode; without a server nothing goes to its upstream.
    private func begin(_ mode: APIMode, _ recording: URL?) throws {
        var order = ModeOrder(api: 0, mode: mode)
        if mode.needsUpstream { order.upstream = "http://127.0.0.1:9" }
        try proxy.begin(try ModePreparation.make(order, recording.map { [.path($0.path)] } ?? []))
    }

    /// Asks for the conversations through the API's own port, without a credential.
    private func ask() -> ResponseDecision {
        let head = RequestHead(
            method: .get,
            target: RequestTarget(rawPath: "/api/v1/conversations"),
            fields: [.host: "127.0.0.1"]
        )
        let id = ExchangeID(serial: 1, connection: 1, channel: 0)
        let peer = Peer(host: "127.0.0.1", port: 1, listener: 1)
        _ = service.admit(head, on: id, from: peer)
        return service.respond(to: HTTPRequest(head: head), on: id, from: peer)
    }

    @Test(arguments: [APIMode.emulate, .replay])
    func `the route is found and the world chosen once for an answer of our own`(mode: APIMode) throws {
        if mode == .replay { try begin(mode, Self.recordings.appending(path: "omnichat.har")) }
        expectEqual(proxy.hasModes, mode == .replay)
        guard case .now(let answer) = ask() else {
            Issue.record("the answer is not there")
            return
        }
        // The emulation wants a credential; the recording had one.
        expectEqual(answer.response.status, mode == .replay ? .ok : .unauthorized)
        expectEqual(emulator.routeMatches, 1)
        expectEqual(emulator.worldChoices, 1)
    }

    @Test(arguments: [APIMode.record, .recordMissing, .spy, .diff])
    func `the route is found and the world chosen once for a request to a real backend`(mode: APIMode) throws {
        let recording = FileManager.default.temporaryDirectory.appending(path: "understudy-\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: recording) }
        try begin(mode, [.record, .recordMissing].contains(mode) ? recording : nil)
        guard case .later = ask() else {
            Issue.record("the real backend is not awaited")
            return
        }
        expectEqual(emulator[exchange: 1]?.state, .awaitingUpstream)
        expectEqual(emulator.routeMatches, 1)
        expectEqual(emulator.worldChoices, 1)
    }
}
