import APIFolders
import Backend
import CivilTime
import Conditions
import CustomAPIs
import Engine
import HTTPMessage
import JSON
import Journal
import Testing
import Worlds

/// One emulator with a single custom API on it and a frozen clock, driven without sockets.
final class CustomAPIHarness {
    struct TestError: Error {
        var text: String
    }

    /// An answer as a client sees it.
    struct Answer {
        var status: Int
        var fields: Fields
        var bytes: [UInt8] = []

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var json: JSON { (try? JSONReader.read(bytes)) ?? .null }

        subscript(name: String) -> String? { FieldName(name).flatMap { fields[$0] } }
    }

    let emulator: Emulator
    var hostTime: HostTime
    /// The world that state and clock calls act on.
    var world = "main"
    var entryPoint = EntryPoint.api(0)
    /// The address that requests come from.
    var peer = "127.0.0.1"
    private var lastExchange: UInt64 = 0

    /// Noon of the first day of 2025, when the worlds of the tests stand still.
    static let noon = Instant(seconds: 1_735_732_800)

    /// Tells whether a worker had something to do for the last request.
    private(set) var isAside = false
    /// Tells whether the last request was judged to take long, before it was answered.
    private(set) var tookLong = false

    /// Serves the API of a folder in memory, which has to be sound.
    convenience init(_ files: [String: String], name: String = "shop", start: Instant = CustomAPIHarness.noon) throws {
        let reading = Self.read(files, name: name)
        guard let definition = reading.definition else {
            throw TestError(text: reading.findings.map(\.text).joined(separator: "\n"))
        }
        self.init(definition, start: start)
    }

    init(_ definition: CustomAPIDefinition, start: Instant = CustomAPIHarness.noon) {
        var configuration = EmulatorConfiguration()
        configuration.seed = 7
        configuration.clock = .frozen(start)
        hostTime = HostTime(wall: start, monotonic: Instant(seconds: 1_000))
        emulator = Emulator(apis: [AnyAPI(definition, portOffset: 20)], configuration: configuration, at: hostTime)
    }

    /// Reads a folder in memory.
    static func read(_ files: [String: String], name: String = "shop") -> CustomAPIReading {
        let list = files.map { file in
            CustomAPIFolder.File(name: file.key, place: "apis/\(name)/\(file.key)", bytes: Array(file.value.utf8))
        }
        return CustomAPIReader.read(CustomAPIFolder(name: name, place: "apis/\(name)", files: list))
    }

    /// Returns the findings in a folder with an `api.json`, as they are printed.
    static func findings(_ api: String, _ more: [String: String] = [:]) -> [String] {
        read(more.merging(["api.json": api]) { $1 }).findings.map(\.text)
    }

    var api: AnyAPI { emulator.apis[0] }

    func hosted() throws -> Emulator.HostedWorld {
        guard let hosted = emulator[world: world] else { throw TestError(text: "no world \(world)") }
        return hosted
    }

    func advance(_ interval: Interval) throws {
        let hosted = try hosted()
        hosted.world.withCore { $0.clock.advance(by: interval, at: hostTime) }
    }

    func set(_ settings: JSON) throws {
        let hosted = try hosted()
        let faults = api.writeSettings(&hosted.world, 0, settings)
        guard faults.isEmpty else { throw TestError(text: "\(faults)") }
    }

    func settings() throws -> JSON { api.readSettings(try hosted().world, 0) }

    func activate(_ name: String) throws {
        let hosted = try hosted()
        hosted.world.tick(to: hostTime)
        guard let scenario = emulator.scenario(named: name) else { throw TestError(text: "no scenario \(name)") }
        emulator.activate(scenario, in: hosted, at: hostTime)
    }

    /// Returns the changes that remain; nil if the scenario was not active.
    @discardableResult
    func deactivate(_ name: String) throws -> [String]? {
        guard let scenario = emulator.scenario(named: name) else { throw TestError(text: "no scenario \(name)") }
        return emulator.deactivate(scenario, in: try hosted())
    }

    func addFault(_ json: JSON) throws {
        let name = api.identity.name
        let text = JSON.array([json]).serialized()
        for spec in try FaultFile.read(text, place: "fault", apis: [name], scope: name) {
            _ = try hosted().world.faults.add(spec, .control)
        }
    }

    func takeSnapshot(_ name: String) throws {
        _ = try emulator.takeSnapshot(named: name, of: try hosted(), at: hostTime)
    }

    func restore(_ name: String) throws { try emulator.restore(name, in: try hosted(), at: hostTime) }

    /// Returns the document of the world.
    func document() throws -> String { emulator.dump(try hosted(), at: hostTime).document.text }

    func load(_ document: String) throws {
        guard let object = try JSONReader.read(text: document).objectValue else { throw TestError(text: document) }
        try emulator.load(object, into: try hosted(), at: hostTime)
    }

    func reset() throws {
        let hosted = try hosted()
        hosted.world.reset(emulator.apis, keepClock: false, at: hostTime)
    }

    /// Makes a world of the seed, or a fork.
    func makeWorld(_ name: String, from: String? = nil) throws {
        var order = Emulator.WorldOrder()
        order.name = name
        order.from = from
        _ = try emulator.makeWorld(order, at: hostTime)
    }

    // MARK: Requests

    @discardableResult
    func get(_ target: String, _ headers: KeyValuePairs<String, String> = [:]) throws -> Answer {
        try send(.get, target, headers: headers)
    }

    @discardableResult
    func post(_ target: String, _ json: JSON, _ headers: KeyValuePairs<String, String> = [:]) throws -> Answer {
        try send(.post, target, json, headers)
    }

    @discardableResult
    func options(_ target: String) throws -> Answer { try send(.options, target) }

    @discardableResult
    func head(_ target: String) throws -> Answer { try send(.head, target) }

    /// Sends a body as it is.
    @discardableResult
    func send(_ method: String, _ target: String, text: String, _ type: String?) throws -> Answer {
        let headers: KeyValuePairs<String, String> = type.map { ["Content-Type": $0] } ?? [:]
        return try send(HTTPMessage.HTTPMethod(rawValue: method), target, body: Array(text.utf8), headers: headers)
    }

    @discardableResult
    func put(_ target: String, _ json: JSON, _ headers: KeyValuePairs<String, String> = [:]) throws -> Answer {
        try send(.put, target, json, headers)
    }

    @discardableResult
    func patch(_ target: String, _ json: JSON, _ headers: KeyValuePairs<String, String> = [:]) throws -> Answer {
        try send(.patch, target, json, headers)
    }

    @discardableResult
    func delete(_ target: String, _ headers: KeyValuePairs<String, String> = [:]) throws -> Answer {
        try send(.delete, target, headers: headers)
    }

    private func send(
        _ method: HTTPMessage.HTTPMethod,
        _ target: String,
        _ json: JSON,
        _ headers: KeyValuePairs<String, String>
    ) throws -> Answer {
        let isTyped = headers.contains { $0.key == "Content-Type" }
        let type: KeyValuePairs<String, String> = isTyped ? [:] : ["Content-Type": "application/json"]
        return try send(method, target, body: json.serialized(), headers: headers, type)
    }

    /// Sends a request and plays its response, whose waits advance the real clock.
    func send(
        _ method: HTTPMessage.HTTPMethod,
        _ target: String,
        body: [UInt8] = [],
        headers: KeyValuePairs<String, String> = [:],
        _ more: KeyValuePairs<String, String> = [:]
    ) throws -> Answer {
        var fields: Fields = [.host: "127.0.0.1:4700"]
        for (name, value) in Array(headers) + Array(more) { fields.append(FieldName(name) ?? "X-Bad", value) }
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
        let opened = emulator.open(head, address: address, peer: peer, id: lastExchange, at: hostTime)
        var content = RequestBody(body)
        if let limit = emulator.bodyLimit(of: opened), body.count > limit {
            content = RequestBody(bytes: Array(body[..<limit]), length: body.count, exceedsLimit: true)
        }
        let request = HTTPRequest(head: head, body: content)
        emulator.receive(request, of: opened)
        let preparation = emulator.preparation(for: opened, at: hostTime)
        isAside = preparation != nil
        tookLong = emulator.takesLong(opened)
        let prepared = preparation?.run(request)
        let answer = emulator.answer(
            request,
            address: address,
            api: api,
            peer: peer,
            exchange: lastExchange,
            at: hostTime,
            prepared: prepared
        )
        return try play(answer.response, lastExchange)
    }

    private func play(_ response: Response, _ exchange: UInt64) throws -> Answer {
        var played = Answer(status: response.status.code, fields: response.fields)
        for step in response.timeline {
            switch step {
            case .wait(let length, _):
                hostTime.wall = hostTime.wall + length
                hostTime.monotonic = hostTime.monotonic + length
            case .effect(let number): emulator.perform(effect: number, of: exchange, at: hostTime)
            case .bytes(let bytes): played.bytes += bytes
            case .head, .end: break
            default: throw TestError(text: "unexpected step \(step)")
            }
        }
        emulator.finish(exchange, outcome: .delivered, timings: JournalEntry.Timings(), contentSent: nil)
        return played
    }
}
