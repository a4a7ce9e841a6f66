import CivilTime
import Emulation
import HTTPMessage
import Testing

/// Architecture, section 4: where faults, latency, gates and replay step in.
struct InterventionTests {
    /// Answers in the endpoint's place.
    private struct Refusing: Intervention {
        func before(_ call: Call, _ world: inout World) -> Response? {
            call.method == .post ? Response(status: .serviceUnavailable) : nil
        }
    }

    /// Loses every answer, and notes in it what it saw.
    private struct Losing: Intervention {
        var status: Int
        func after(_ response: Response, _ call: Call, _ world: inout World) -> Response {
            Response(
                status: Status(status),
                body: .bytes(Array("\(call.route ?? "-") \(call.user?.id ?? "-") \(response.status.code)".utf8))
            )
        }
    }

    @Test func `before: the endpoint does not run and nothing changes`() throws {
        let bench = try Bench()
        let count = try bench.state().notes.count
        try bench.hosted("main").world.interventions = [Refusing()]
        #expect(try bench.send(.post, "/notes", body: #"{"text":"a"}"#).status == 503)
        #expect(try bench.state().notes.count == count)
        #expect(try bench.send(.get, "/notes/n1").status == 200)
    }

    @Test func `after: the endpoint has run, and the client never hears`() throws {
        let bench = try Bench()
        let count = try bench.state().notes.count
        try bench.hosted("main").world.interventions = [Losing(status: 500)]
        let lost = try bench.send(.post, "/notes", body: #"{"text":"a"}"#)
        #expect(lost.status == 500)
        #expect(lost.text.hasPrefix("/notes "))
        #expect(try bench.state().notes.count == count + 1)
        // The journal and the request id are those of the answer that left.
        #expect(lost.id == "req_1")
        let journal = try bench.hosted("main").world.journal
        #expect(journal[journal.lastSeq]?.status.code == 500)
    }

    @Test func `they act in order, the first answer before wins, and all see the answer after`() throws {
        let bench = try Bench()
        try bench.hosted("main").world.interventions = [Losing(status: 501), Refusing(), Losing(status: 502)]
        let answer = try bench.send(.post, "/notes", body: #"{"text":"a"}"#)
        #expect(answer.status == 502)
        #expect(answer.text.hasSuffix(" 501"))
        #expect(try bench.send(.get, "/nowhere").text.hasPrefix("- "))
    }

    @Test func `they belong to the world's value: a fork has them, a reset takes them`() throws {
        let bench = try Bench()
        try bench.hosted("main").world.interventions = [Losing(status: 500)]
        try bench.make("fork", from: "main")
        let main = try bench.hosted("main")
        main.world.reset(bench.emulator.apis, keepClock: false, at: bench.hostTime)
        #expect(main.world.interventions.isEmpty)
        #expect(try bench.send(.get, "/notes/n1").status == 200)
        #expect(try bench.send(.get, "/@fork/notes/n1").status == 500)
    }
}
