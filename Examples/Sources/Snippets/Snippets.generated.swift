// Made by scripts/embed-snippets from the documentation of the libraries.
// swift-format-ignore-file

import Foundation
import Testing
import UnderstudyServer
import XCTest

func aPI1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let shop = API("shop")
    _ = shop
}

func aPI2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let address = world.url(API("shop"))
    _ = address
}

func aPI3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let chosen = API(rawValue: "shop") ?? .trendy
    _ = chosen
}

func conductReport1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let report = try await world.conduct()
    print(report.verdict, report.findings.map(\.title))
    _ = report
}

func conductReport2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let report = try await world.conduct()
    print(report.isPass ? "well behaved" : report.text)
    _ = report
}

func conductReport3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let report = try await world.conduct()
    let errors = report.findings(atLeast: .error)
    _ = report
    _ = errors
}

func controlError1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    do {
        try await world.activate("omnichat/unicod")
    } catch ControlError.refused(let status, _, let detail) {
        print(status, detail)
    }
}

func effectBuilders1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.status(503))
}

func effectBuilders2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.status(503, retryAfter: "PT30S"))
}

func effectBuilders3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.respond(200))
}

func effectBuilders4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.respond(200, body: ["tier": "platinum"]))
}

func effectBuilders5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.respond(200, text: "Back soon"))
}

func effectBuilders6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.respond(200, base64: "AAE="))
}

func effectBuilders7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.delay(.milliseconds(800)))
}

func effectBuilders8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.throttle(bytesPerSecond: 3))
}

func effectBuilders9(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.dribble(chunks: 3, over: 3))
}

func effectBuilders10(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.connection(.reset))
}

func effectBuilders11(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.body(.html))
}

func effectBuilders12(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.driftRemove("data.user"))
}

func effectBuilders13(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.driftSet("data.user", to: ["tier": "platinum"]))
}

func effectBuilders14(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.driftNull("data.user"))
}

func effectBuilders15(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.driftAdd("data.user", ["tier": "platinum"]))
}

func effectBuilders16(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.driftRetype("data.user", as: "string"))
}

func effectBuilders17(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.drift(.additive))
}

func effectBuilders18(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.drift([["remove": "data.user"]]))
}

func effectBuilders19(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.range(.none))
}

func effectBuilders20(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.coding(.gzip))
}

func effectBuilders21(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.streamCut(afterEvents: 3))
}

func effectBuilders22(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.streamError(afterEvents: 3))
}

func effectBuilders23(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.streamGap(milliseconds: 3))
}

func effectBuilders24(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.streamDuplicate(event: 3))
}

func effectBuilders25(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.streamSplitUTF8)
}

func effectBuilders26(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.uploadRead(bytesPerSecond: 3))
}

func effectBuilders27(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.uploadStop(afterBytes: 3))
}

func effectBuilders28(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.uploadReject(413))
}

func effectBuilders29(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.uploadReset(afterBytes: 3))
}

func effectBuilders30(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.uploadContinue(.never))
}

func effectBuilders31(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.uploadContinue(afterMilliseconds: 3))
}

func effectBuilders32(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.tokens(.expire))
}

func effectBuilders33(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.framing(.chunked))
}

func effectBuilders34(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.raw(text: "data.user"))
}

func effectBuilders35(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.raw(base64: "data.user"))
}

func effectBuilders36(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.interim([.init(103)]))
}

func effectInterim1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let hints = Effect.Interim(103, headers: ["Link": "</app.css>; rel=preload"])
    _ = hints
}

func effect1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.add(Fault(.status(503, retryAfter: 5), when: Fault.When(times: 2)))
}

func effect2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let effect = Effect(["connection": "reset", "afterBytes": 100])
    _ = effect
}

func exchange1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let agents = try await world.requests().map { $0.header("User-Agent") }
    _ = agents
}

func fault1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let lost = Fault(.connection(.empty), on: Match(.sawaed, "POST"), when: Fault.When(times: 1), phase: .after)
    _ = lost
}

func fault2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let everyThird = Fault.When(skip: 1, every: 3)
    _ = everyThird
}

func fault3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let outage = Fault(.status(503), on: Match(.trendy), when: Fault.When(times: 3), name: "outage")
    _ = outage
}

func gateWaiting1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let held = try await gate.waitUntilHeld(1, within: .seconds(3)).held
    _ = held
}

func gateWaiting2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await gate.waitUntilHeld(2, seconds: 10)
}

func gate1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let gate = try await world.gate("refresh", on: Match(.trafikskola, "POST", "/api/mobile/auth/refresh"))
    // … the app makes its calls …
    try await gate.remove()
    _ = gate
}

func gate2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let passed = try await gate.status.passed
    _ = passed
}

func gate3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await gate.release(1, effect: .status(503))
}

func gate4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let held = try await gate.waitUntilHeld(2).held
    try await gate.release(held: held.reversed())
    _ = held
}

func gate5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await gate.set(enabled: false)
}

func gate6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await gate.change(match: Match(.trendy, "POST"), phase: .after)
}

func gate7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await gate.remove()
}

func gate8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let slow = try await world.gate("slow", on: Match(.trendy, "GET"), phase: .after)
    _ = slow
}

func gate9(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.gate(named: "refresh").release()
}

func gate10(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let held = try await world.gates.flatMap(\.held)
    _ = held
}

func jSONValue1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let value: JSONValue = ["user": ["email": "anna@example.com"], "count": 3]
    let email = value["user"]?["email"]?.string
    _ = value
    _ = email
}

func jSONValue2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let value = try JSONValue(data: Data(#"{"count":3}"#.utf8))
    _ = value
}

func latency1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.set(Latency(delay: .lognormal(median: 80, p95: 400), bytesPerSecond: 50_000))
}

func latency2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let fixed = Latency.Delay.milliseconds(800)
    _ = fixed
}

func latency3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let jitter = Latency.Delay.uniform(50...200)
    _ = jitter
}

func latency4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let usual = Latency.Delay.lognormal(median: 80, p95: 400, maximum: 2_000)
    _ = usual
}

func latency5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let bursts = Latency.Delay.exponential(mean: 100)
    _ = bursts
}

func latency6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.set(Latency(.veryBadNetwork, on: Match(.trendy)))
}

func latency7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.set(Latency(delay: .milliseconds(300), on: Match(.omnichat, "GET")))
}

func match1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let booking = Match(.trafikskola, "POST", "/api/mobile/bookings", headers: ["Accept-Language": .contains("sv")])
    _ = booking
}

func match2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let refresh = Match(.trafikskola, "POST", "/api/mobile/auth/refresh")
    let secondPage = Match(.trendy, "GET", "/api/v1/products", query: ["cursor": .regex(".+")])
    let pictures = Match(.omnichat, pathRegex: "/api/v1/files/[0-9]+", headers: ["Range": .absent])
    _ = refresh
    _ = secondPage
    _ = pictures
}

func stub1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let offers = Match(.omnichat, "GET", "/offers/{id}")
    try await world.add(Stub(offers, .init(body: ["id": "{{path.id}}"]), .init(410), after: .cycle))
    _ = offers
}

func stub2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let done = Stub.Response.Event(["state": "done"], event: "status", afterMs: 50)
    _ = done
}

func stub3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let alive = Stub.Response.Event(comment: "still here", afterMs: 15_000)
    _ = alive
}

func stub4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let soon = Stub.Response.Event(retry: 100)
    _ = soon
}

func stub5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let gone = Stub.Response(410, headers: ["X-Reason": "sold"], body: ["code": "gone"])
    _ = gone
}

func stub6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let page = Stub.Response(503, headers: ["Content-Type": "text/html"], text: "<h1>Back soon</h1>")
    _ = page
}

func stub7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let stream = Stub.Response(events: [.init("one"), .init("two", afterMs: 100)])
    _ = stream
}

func stub8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let maintenance = Stub(Match(.trendy), .init(503), when: Fault.When(times: 2), name: "maintenance")
    _ = maintenance
}

func understudyServerModes1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let ignored = UnderstudyServer.Mode.Ignore(query: ["ts"], body: ["device.id"])
    _ = ignored
}

func understudyServerModes2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let mode = UnderstudyServer.Mode.record("https://api.example.com", into: "monday")
    _ = mode
}

func understudyServerModes3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let mode = UnderstudyServer.Mode.replay("monday", miss: .emulate, refresh: true)
    _ = mode
}

func understudyServerModes4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let mode = UnderstudyServer.Mode.recordMissing("https://api.example.com", into: "monday")
    _ = mode
}

func understudyServerModes5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let mode = UnderstudyServer.Mode.spy("https://api.example.com")
    _ = mode
}

func understudyServerModes6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let mode = UnderstudyServer.Mode.diff("https://api.example.com")
    _ = mode
}

func understudyServerModes7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let replayed = try await server.modes.filter { $0.mode == .replay }
    _ = replayed
}

func understudyServerModes8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await server.set(.emulate, for: .trendy)
}

func understudyServerProcess1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let version = try await server.health.version
    _ = version
}

func understudyServerProcess2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let names = try await server.apis.map(\.name)
    _ = names
}

func understudyServerProcess3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let leftOver = try await server.worlds.filter { $0.name != "main" }
    _ = leftOver
}

func understudyServerProcess4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let text = try await server.metrics
    _ = text
}

func understudyServerProcess5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let paths = try await server.document(of: .trendy)["paths"]
    _ = paths
}

func understudyServerProcess6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let words = try await server.problem("unknown-world")["explanation"]?.string
    _ = words
}

func understudyServerProcess7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let apis = try await server.call("GET", "/apis?limit=1")
    _ = apis
}

func understudyServerProxy1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let script = try await server.proxy.pac
    _ = script
}

func understudyServerProxy2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let refused = try await server.hosts.filter { $0.outcome == "refused" }
    _ = refused
}

func understudyServerProxy3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await server.clearHosts()
}

func understudyServerTLS1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let match = UnderstudyServer.ConnectionFault.Match(api: "sawaed", sni: "*.localhost")
    _ = match
}

func understudyServerTLS2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let expired = UnderstudyServer.ConnectionFault(["certificate": "expired"], when: Fault.When(times: 1))
    _ = expired
}

func understudyServerTLS3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let failed = try await server.tls.handshakes.failed
    _ = failed
}

func understudyServerTLS4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let advice = try await server.tlsFailures.first?.advice
    _ = advice
}

func understudyServerTLS5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await server.clearTLSFailures()
}

func understudyServerTLS6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await server.add(UnderstudyServer.ConnectionFault(["handshake": "reset"]))
}

func understudyServerTLS7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let hits = try await server.connectionFaults.map(\.hits)
    _ = hits
}

func UnderstudyServerTLS8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    for fault in try await server.connectionFaults {
        print(try await server.connectionFault(fault.id).hits)
    }
}

func UnderstudyServerTLS9(world: World, server: UnderstudyServer, gate: Gate) async throws {
    for fault in try await server.connectionFaults { try await server.remove(fault) }
}

func understudyServerTLS10(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await server.removeConnectionFaults()
}

func understudyServerTLS11(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let pem = try await server.root(.pem)
    _ = pem
}

func understudyServer1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let server = try UnderstudyServer.shared.get()
    let world = try await server.world(scenarios: ["omnichat/unicode"])
    _ = server
    _ = world
}

func understudyServer2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let server = try UnderstudyServer.shared.get()
    _ = server
}

func understudyServer3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let address = URL(string: "http://127.0.0.1:4680")
    let server = address.map { UnderstudyServer.attach(to: $0) }
    _ = address
    _ = server
}

func understudyServer4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let noon = Date(timeIntervalSince1970: 1_735_732_800)
    let world = try await server.world(clock: .frozen(at: noon), scenarios: ["sawaed/otp-expired"])
    _ = noon
    _ = world
}

func understudyServer5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let world = try await server.world(named: "main")
    _ = world
}

func worldClock1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let now = try await world.now
    _ = now
}

func worldClock2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let isFrozen = try await world.clock.mode == "frozen"
    _ = isFrozen
}

func worldClock3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.freeze(at: Date(timeIntervalSince1970: 1_735_732_800))
}

func worldClock4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.run(from: .now, rate: 60)
}

func worldClock5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.runInRealTime()
}

func worldClock6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.advance(by: .seconds(900))
}

func worldClock7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.advance(days: 91)
}

func worldClock8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.advance(to: world.now.addingTimeInterval(3_600))
}

func worldClock9(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let ending = try await world.preview(advancingBy: .seconds(900)).passed.map(\.what)
    _ = ending
}

func worldClock10(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let codes = try await world.upcoming(kind: "otp")
    _ = codes
}

func worldConduct1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let before = try await world.requests().last?.seq
    let report = try await world.conduct(user: "anna@example.com", since: before, rules: ["auth/*"])
    print(report.text)
    _ = before
    _ = report
}

func worldConduct2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let page = try await world.conduct(as: .html)
    _ = page
}

func worldConduct3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let ids = try await server.conductRules.map(\.id)
    _ = ids
}

func worldConduct4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let fix = try await server.conductRule("auth/repeat-after-401").fix?["urlsession"]?.string
    _ = fix
}

func WorldEvents1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    for try await event in world.events() where event.kind == "request" {
        print(event.data["path"]?.string ?? "")
        break
    }
}

func worldFaults1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.add(Fault(.connection(.reset, afterBytes: 100), on: Match(.sawaed, "POST")))
}

func worldFaults2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.fail(.status(503, retryAfter: 5), on: Match(.trendy, "GET", "/api/v1/me"), times: 2)
}

func worldFaults3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let hits = try await world.faults.map(\.hits)
    _ = hits
}

func worldFaults4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let added = try await world.fail(.status(500))
    let hits = try await world.fault(added.id).hits
    _ = added
    _ = hits
}

func worldFaults5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let added = try await world.fail(.status(500))
    try await world.change(added, enabled: false)
    _ = added
}

func worldFaults6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let isOn = try await world.actsOnFaults
    _ = isOn
}

func worldFaults7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.setFaults(enabled: false)
}

func worldFaults8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let added = try await world.fail(.status(500))
    try await world.remove(added)
    _ = added
}

func worldFaults9(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.removeFaults()
}

func worldFaults10(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let found = try await world.check(Match(.trendy, "GET")).count
    _ = found
}

func worldFaults11(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.set(Latency(.threeG))
}

func worldFaults12(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let profile = try await world.latency["profile"]?.string
    _ = profile
}

func worldJournal1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let refused = try await world.requests(.trendy, status: "4xx")
    _ = refused
}

func worldJournal2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let slow = try await world.lines(.trendy).filter { ($0.ms ?? 0) > 1_000 }
    _ = slow
}

func worldJournal3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let bodies = try await world.members(["responseBody"], of: .trendy, status: "500")
    _ = bodies
}

func WorldJournal4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    for held in try await gate.waitUntilHeld().held {
        print(try await world.request(held).path)
    }
}

func worldJournal5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.clearRequests()
}

func worldJournal6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let dropped = try await world.journal.dropped
    _ = dropped
}

func worldJournal7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let lost = try await world.unmatched().map(\.path)
    _ = lost
}

func worldJournal8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.har().write(to: FileManager.default.temporaryDirectory.appending(path: "test.har"))
}

func WorldJournal9(world: World, server: UnderstudyServer, gate: Gate) async throws {
    for exchange in try await world.requests(.omnichat) {
        print(try await world.replay(exchange.id, freshToken: true).same)
    }
}

func worldJournal10(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let keys = try await world.requests(.omnichat).map(\.id)
    if keys.count == 2 {
        print(try await world.compare(keys[0], with: keys[1]).differences)
    }
    _ = keys
}

func worldJournal11(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let fork = try await world.fork()
    let changed = try await world.compare(with: fork).filter { $0.state != "same" }
    _ = fork
    _ = changed
}

func worldNotes1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.note("the user taps Pay", data: ["attempt": 1])
}

func worldNotes2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let moves = try await world.notes(kind: "clock").map(\.text)
    _ = moves
}

func worldNotes3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let untouched = try await world.coverage(.trendy).items.filter { $0.count == 0 }
    _ = untouched
}

func worldQR1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let code = World.QRCode(.quickLogin, user: "anna@example.com", size: 256)
    _ = code
}

func worldQR2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let picture = try await world.qrPicture(World.QRCode(.quickLogin, user: "anna@example.com"))
    _ = picture
}

func worldQR3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let payload = try await world.qrPayload(World.QRCode(.quickLogin, user: "anna@example.com"))
    _ = payload
}

func worldQR4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let html = try await world.page(.documentation)
    _ = html
}

func worldScenarios1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.activate("trafikskola/refresh-token-expired")
}

func worldScenarios2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let changed = try await world.deactivate("omnichat/unicode")
    _ = changed
}

func worldScenarios3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let active = try await world.scenarios(.omnichat).filter(\.active)
    _ = active
}

func worldScenarios4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let mode = try await world.settings["carbscan"]?["apple"]?["mode"]?.string
    _ = mode
}

func worldScenarios5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.set(["carbscan": ["apple": ["mode": "strict"]]])
}

func worldSnapshots1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.snapshot("signed in")
}

func worldSnapshots2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.snapshot("before")
    try await world.restore("before")
}

func worldSnapshots3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.snapshot("before")
    try await world.removeSnapshot("before")
}

func worldSnapshots4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let names = try await world.snapshots.map(\.name)
    _ = names
}

func worldStubs1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.add(Stub(Match(.omnichat, "GET", "/offers/{id}"), .init(body: ["id": "{{path.id}}"]), .init(410)))
}

func worldStubs2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.stub(Match(.trendy, "GET", "/api/v1/me"), .init(503))
}

func worldStubs3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let hits = try await world.stubs.map(\.hits)
    _ = hits
}

func worldStubs4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let added = try await world.stub(Match(.trendy), .init(503))
    let hits = try await world.stub(added.id).hits
    _ = added
    _ = hits
}

func worldStubs5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let added = try await world.stub(Match(.trendy), .init(503))
    try await world.replace(added, with: Stub(Match(.trendy), .init(200)))
    _ = added
}

func worldStubs6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let added = try await world.stub(Match(.trendy), .init(503))
    try await world.change(added, enabled: false)
    _ = added
}

func worldStubs7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let added = try await world.stub(Match(.trendy), .init(503))
    try await world.remove(added)
    _ = added
}

func worldStubs8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.removeStubs(calls: true)
}

func worldTables1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let names = try await world.tables(of: .omnichat).map(\.name)
    _ = names
}

func worldTables2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let changed = try await world.rows(of: "messages", in: .omnichat, changed: true)
    _ = changed
}

func WorldTables3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    for row in try await world.rows(of: "conversations", in: .omnichat, limit: 1) {
        print(try await world.row(row.id, of: "conversations", in: .omnichat).row)
    }
}

func WorldTables4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    for row in try await world.rows(of: "conversations", in: .omnichat, limit: 1) {
        try await world.put(row.row, as: row.id, of: "conversations", in: .omnichat)
    }
}

func WorldTables5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    for row in try await world.rows(of: "messages", in: .omnichat, limit: 1) {
        try await world.removeRow(row.id, of: "messages", in: .omnichat)
    }
}

func worldTokens1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let token = try await world.token(.carbscan, user: "anna@example.com", state: .expired)
    _ = token
}

func worldTokens2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.expire(.access, of: "test@icloud.com", on: .omnichat)
}

func worldTokens3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.revoke(of: "test@icloud.com", inSeconds: 30)
}

func worldTokens4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let users = try await world.users(.omnichat, containing: "icloud.com")
    _ = users
}

func worldTokens5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let code = try await world.outbox(to: "layla@sawaed.test").first?.code
    _ = code
}

func worldTokens6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let keys = try await world.appleKeys["keys"]?.array
    _ = keys
}

func worldVerify1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let refreshes = try await world.count(Match(.trafikskola, "POST", "/api/mobile/auth/refresh"))
    _ = refreshes
}

func worldVerify2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let verdict = try await world.verify(Match(.trendy), .exactly(1))
    _ = verdict
}

func worldVerify3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let verdict = try await world.verify(Match(.trendy), .atLeast(2))
    _ = verdict
}

func worldVerify4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let verdict = try await world.verify(Match(.trendy), .atMost(3))
    _ = verdict
}

func worldVerify5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let verdict = try await world.verify(Match(.trendy, "GET", "/api/v1/me"), .exactly(1), within: 2)
    print(verdict)
    _ = verdict
}

func worldVerify6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let verdict = try await world.verify(Match(.trendy, "GET", "/api/v1/me"), within: .milliseconds(500))
    _ = verdict
}

func worldVerify7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let verdict = try await world.verifyNoOtherHosts()
    print(verdict)
    _ = verdict
}

func world1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let world = try World.current
    let conversations = world.url(.omnichat).appending(path: "api/v1/conversations")
    _ = world
    _ = conversations
}

func world2(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let proxy = try World.current.proxyURL
    _ = proxy
}

func world3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let world = try World.current
    _ = world
}

func world4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let base = world.url(.trendy)
    _ = base
}

func world5(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let environment = ProcessInfo.processInfo.environment.merging(world.launchEnvironment) { $1 }
    _ = environment
}

func world6(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let arguments = ["-AppleLanguages", "(sv)"] + world.launchArguments
    _ = arguments
}

func world7(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.reset(.trendy, keepingClock: true)
}

func world8(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.delete()
}

func world9(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let fork = try await world.fork()
    _ = fork
}

func world10(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let document = try await world.export()
    _ = document
}

func world11(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let document = try await world.export()
    try await world.restore(document: document)
    _ = document
}

func world12(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let health = try await world.call("GET", "/health")
    _ = health
}

struct ConductTrait1 {
    @Suite(.understudy(), .conduct(.error, allowing: ["url/unknown-route": "comes with the next release"]))
    struct PoliteTests {
        @Test func nothingIsAskedFor() async throws { #expect(try await World.current.requests().isEmpty) }
    }
}

struct ConductTrait2 {
    @Test(.understudy(), .conduct(.error))
    func itBehaves() async throws { #expect(try await World.current.requests().isEmpty) }
}

func conductTrait3(world: World, server: UnderstudyServer, gate: Gate) async throws {
    try await world.conduct().verify(.error)
}

func conductTrait4(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let report = try await world.conduct(rules: ["auth/*", "retry/*"])
    report.verify(.error)
    report.verify(requiring: ["auth/repeat-after-401", "trendy/refresh-once"])
    _ = report
}

struct UnderstudyTestCase1 {
    final class ProfileTests: UnderstudyTestCase {
        override var worldScenarios: [String] { ["omnichat/unicode"] }

        func testTheWorldIsItsOwn() async throws {
            XCTAssertNotEqual(try world.name, "main")
        }
    }
}

struct UnderstudyTestCase2 {
    final class ConductTests: UnderstudyTestCase {
        func testItBehaves() async throws {
            try await verifyConduct(.error)
        }
    }
}

struct WorldTrait1 {
    @Suite(.understudy(scenarios: ["sawaed/otp-expired"]))
    struct ExpiredCodeTests {
        @Test func theCodeIsRefused() async throws {
            let world = try World.current
            #expect(world.name != "main")
        }
    }
}

struct WorldTrait2 {
    @Test(.understudy(clock: .frozen(at: Date(timeIntervalSince1970: 1_735_732_800))))
    func theYearIs2025() async throws {
        #expect(try await World.current.now.timeIntervalSince1970 == 1_735_732_800)
    }
}

func understudyServerStart1(world: World, server: UnderstudyServer, gate: Gate) async throws {
    let own = try UnderstudyServer.start([.omnichat, .trendy], seed: 7)
    let world = try await own.world()
    _ = own
    _ = world
}
