import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

/// Wire contract, sections 4 and 5: connections that close after a response, what came on one before, and a late
/// `100 Continue`.
@Suite struct ClosingTests {
    private static let pause = Interval.milliseconds(100)

    private func harness(_ kind: PollerKind, after pause: Interval, _ waiting: Waiting = .either) throws -> Harness {
        let harness = try Harness(kind)
        harness.application.onRequest = { request, _ in
            var answer = PlayableResponse.text(request.head.target.rawPath)
            answer.response.prelude = [.closeAfter(pause, waiting)]
            return .now(answer)
        }
        return harness
    }

    @Test(arguments: PollerKind.allCases)
    func `5 the connection closes after its response, at once or not a microsecond early`(_ kind: PollerKind) throws {
        let atOnce = try harness(kind, after: .zero)
        let client = try atOnce.client()
        client.get("/a")
        #expect(atOnce.turn { client.sawEnd })
        #expect(client.text.hasSuffix("Content-Length: 2\r\nDate: Fri, 20 Nov 2026 12:00:00 GMT\r\n\r\n/a"))
        let later = try harness(kind, after: Self.pause)
        let other = try later.client()
        other.get("/a")
        later.expect(other, toEndWith: "\r\n\r\n/a")
        expectEqual(later.application.outcomes, [.delivered])
        later.advance(Self.pause - .microseconds(1))
        #expect(!other.sawEnd)
        later.advance(.microseconds(1))
        #expect(later.turn { other.sawEnd })
    }

    @Test(arguments: PollerKind.allCases)
    func `5 a request that has begun keeps the connection, whole or not`(_ kind: PollerKind) throws {
        let harness = try harness(kind, after: Self.pause)
        let client = try harness.client()
        client.get("/a")
        harness.expect(client, toEndWith: "\r\n\r\n/a")
        client.send("GET /b HT")
        harness.settle()
        harness.application.onRequest = { request, _ in .now(.text(request.head.target.rawPath)) }
        harness.advance(Self.pause)
        #expect(!client.sawEnd)
        client.send("TP/1.1\r\nHost: a\r\n\r\n")
        harness.expect(client, toEndWith: "\r\n\r\n/b")
        harness.advance(.seconds(5))
        #expect(!client.sawEnd)
        // Two at once: the second has begun before the first is answered.
        let pipelined = try self.harness(kind, after: .zero)
        let both = try pipelined.client()
        both.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(pipelined.turn { both.sawEnd })
        expectEqual(both.answers, 2)
    }

    @Test(arguments: PollerKind.allCases)
    func `5 the world's clock ends the wait, too, or alone, and a reset leaves it`(_ kind: PollerKind) throws {
        for waiting in [Waiting.either, .world] {
            let harness = try harness(kind, after: .seconds(10), waiting)
            harness.application.clock.rate = 0
            let client = try harness.client()
            client.get("/a")
            harness.expect(client, toEndWith: "\r\n\r\n/a")
            if waiting == .world { harness.advance(.seconds(11)) }
            expectEqual(harness.server.cancel(world: 1), 0)
            #expect(!client.sawEnd)
            var clock = harness.application.clock
            clock.now = clock.now + .seconds(10)
            harness.server.clockChanged(world: 2, to: clock)
            harness.settle()
            #expect(!client.sawEnd)
            harness.server.clockChanged(world: 1, to: clock)
            #expect(harness.turn { client.sawEnd })
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `5 a stop ends a connection that waits to be closed`(_ kind: PollerKind) throws {
        let harness = try harness(kind, after: .seconds(60))
        let client = try harness.client()
        client.get("/a")
        harness.expect(client, toEndWith: "\r\n\r\n/a")
        harness.server.beginStop(gracefulWithin: .seconds(5))
        #expect(harness.turn { client.sawEnd && harness.server.isStopped })
    }

    @Test(arguments: PollerKind.allCases)
    func `5 all but the first request of a connection are on one that was used`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        var seen: [Bool?] = []
        harness.application.onAdmit = { _, exchange in
            seen.append(harness.server.arrival(of: exchange)?.isOnReused)
            return .read(.init(bodyLimit: 100, drainLimit: 100))
        }
        for count in [3, 1] {
            let client = try harness.client()
            for number in 1...count {
                client.get("/\(number)")
                harness.expect(client, toEndWith: "/\(number)")
            }
        }
        expectEqual(seen, [false, true, true, false])
    }

    @Test(arguments: PollerKind.allCases)
    func `4 a late 100 comes at its time, also beside a slow reading, and the time of the body waits`(
        _ kind: PollerKind
    ) throws {
        for rate in [nil, 1_000] {
            let harness = try Harness(kind)
            harness.application.onAdmit = { _, _ in
                var admission = ConnectionMachine.Admission(bodyLimit: 100, drainLimit: 100)
                admission.sendsContinue = false
                let late = Intake.LateContinue(delay: .seconds(600), .either)
                return .pace(admission, Intake(bytesPerSecond: rate, lateContinue: late), world: 1)
            }
            let client = try harness.client()
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(harness.turn { !harness.application.admitted.isEmpty })
            harness.advance(.seconds(599))
            expectEqual(client.text, "")
            harness.advance(.seconds(1))
            harness.expect(client, toEndWith: "HTTP/1.1 100 Continue\r\n\r\n")
            client.send("hi")
            harness.settle()
            if rate != nil { harness.advance(.seconds(1)) }
            harness.expect(client, toEndWith: "\r\n\r\n/a")
            expectEqual(client.text.components(of: "100 Continue").count, 2)
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `7 a client that leaves while its content is read slowly is noted at once, and one with all sent is answered`(
        _ kind: PollerKind
    ) throws {
        for (sent, outcome) in [(99, Outcome.interrupted), (100, .delivered)] {
            let harness = try Harness(kind)
            harness.application.onAdmit = { _, _ in
                let admission = ConnectionMachine.Admission(bodyLimit: 100, drainLimit: 100)
                return .pace(admission, Intake(bytesPerSecond: 10), world: 1)
            }
            let client = try harness.client()
            client.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
            #expect(harness.turn { !harness.application.admitted.isEmpty })
            client.send(String(repeating: "a", count: sent))
            harness.settle()
            client.endSending()
            harness.settle()
            expectEqual(harness.application.outcomes, sent < 100 ? [outcome] : [])
            // Ten seconds for all of the content.
            for _ in 0..<100 { harness.advance(.milliseconds(110)) }
            expectEqual(harness.application.outcomes, [outcome])
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `4 content that does not wait for a late 100 gets none`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        harness.application.onAdmit = { _, _ in
            var admission = ConnectionMachine.Admission(bodyLimit: 100, drainLimit: 100)
            admission.sendsContinue = false
            return .pace(admission, Intake(lateContinue: .init(delay: .seconds(1), .either)), world: 1)
        }
        let client = try harness.client()
        client.send("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nh")
        #expect(harness.turn { !harness.application.admitted.isEmpty })
        harness.advance(.seconds(1))
        expectEqual(client.text, "")
        client.send("i")
        harness.expect(client, toEndWith: "\r\n\r\n/a")
        #expect(!client.text.contains("100 Continue"))
    }
}
