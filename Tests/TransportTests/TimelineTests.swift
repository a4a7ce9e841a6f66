import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

/// The playback of timelines.
@Suite struct TimelineTests {
    private func play(
        _ steps: [Step],
        on harness: Harness,
        live: Bool = false,
        staysOpen: Bool = false
    ) throws -> Client {
        harness.application.onRequest = { _, _ in .now(.steps(steps, staysOpen: staysOpen)) }
        let client = live ? try harness.liveClient() : try harness.client()
        client.get("/")
        #expect(harness.turn { !harness.application.admitted.isEmpty })
        harness.settle()
        return client
    }

    @Test(arguments: PollerKind.allCases)
    func `a wait ends at its instant and not one microsecond before`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try play([.text("a"), .wait(.seconds(2), .either), .text("b"), .end], on: harness)
        #expect(client.text.hasSuffix("1\r\na\r\n"))
        harness.advance(.seconds(2) - .microseconds(1))
        #expect(client.text.hasSuffix("1\r\na\r\n"))
        harness.advance(.microseconds(1))
        harness.expect(client, toEndWith: "1\r\nb\r\n0\r\n\r\n")
        let record = try #require(harness.application.records.first?.record)
        expectEqual(record.outcome, .delivered)
        expectEqual(record.ended - record.began, .seconds(2))
    }

    @Test(arguments: PollerKind.allCases)
    func `effects run in their place, each after the bytes before it are gone`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        var seen: [String] = []
        var client: Client?
        harness.application.onEffect = { number, _ in
            let content = client?.text.components(of: "\r\n\r\n").last ?? ""
            seen.append("\(number): \(content.filter(\.isLetter))")
        }
        harness.application.onRequest = { _, _ in
            .now(
                .steps([.effect(1), .text("a"), .effect(2), .text("b"), .wait(.seconds(1), .either), .effect(3), .end])
            )
        }
        client = try harness.client()
        client?.get("/")
        #expect(harness.turn { seen.count == 2 })
        expectEqual(seen, ["1: ", "2: a"])
        harness.advance(.seconds(1))
        expectEqual(seen, ["1: ", "2: a", "3: ab"])
        expectEqual(harness.application.log.last, "finished delivered")
    }

    @Test(arguments: PollerKind.allCases)
    func `an effect is not reached while the client does not take what comes before`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let big = [UInt8](repeating: 0x61, count: 4 * 1024 * 1024)
        let client = try play([.bytes(big), .effect(1), .wait(.seconds(1), .either), .text("z"), .end], on: harness)
        harness.advance(.seconds(59))
        #expect(harness.application.log.isEmpty)
        let took = harness.turn {
            client.receive()
            return harness.application.log == ["effect 1"]
        }
        #expect(took)
        #expect(!client.text.hasSuffix("0\r\n\r\n"), "the wait counts from here")
        harness.advance(.seconds(1))
        harness.expect(client, toEndWith: "1\r\nz\r\n0\r\n\r\n")
    }

    @Test(arguments: PollerKind.allCases)
    func `an effect can hold back what comes after it, until it is released`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        harness.application.heldEffects = [1]
        let client = try play([.text("a"), .effect(1), .text("b"), .effect(2), .end], on: harness)
        #expect(client.text.hasSuffix("1\r\na\r\n"))
        let exchange = try #require(harness.application.admitted.first)
        harness.advance(.seconds(10))
        #expect(client.text.hasSuffix("1\r\na\r\n"))
        expectEqual(harness.application.log, ["effect 1"])
        harness.server.release(exchange)
        harness.expect(client, toEndWith: "1\r\nb\r\n0\r\n\r\n")
        expectEqual(harness.application.log, ["effect 1", "effect 2", "finished delivered"])
        // Nothing is held any more, and the exchange is over.
        harness.server.release(exchange)
        harness.settle()
        expectEqual(harness.application.log.count, 3)
    }

    @Test(arguments: PollerKind.allCases)
    func `an answer that is held back can be cut`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        harness.application.heldEffects = [1]
        let client = try play([.text("a"), .effect(1), .text("b"), .end], on: harness)
        harness.server.cancel(try #require(harness.application.admitted.first))
        harness.settle()
        expectEqual(harness.application.log, ["effect 1", "finished cut"])
        #expect(!client.text.contains("b\r\n0"))
    }

    @Test(arguments: PollerKind.allCases)
    func `a client that leaves before an effect never causes it`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try play([.text("a"), .wait(.seconds(1), .either), .effect(1), .end], on: harness, live: true)
        client.reset()
        #expect(harness.turn { !harness.application.records.isEmpty })
        harness.advance(.seconds(2))
        expectEqual(harness.application.log, ["finished interrupted"])
    }

    /// A live client whose answer the application gives later.
    private func putOff(on harness: Harness) throws -> (client: Client, exchange: ExchangeID) {
        harness.application.onRequest = { _, _ in .later(world: 1) }
        let client = try harness.liveClient()
        client.get("/")
        #expect(harness.turn { !harness.application.admitted.isEmpty })
        harness.settle()
        return (client, try #require(harness.application.admitted.first))
    }

    @Test(arguments: PollerKind.allCases)
    func `11 a client that closes before its answer is told of at once, and nothing is delivered to it`(
        _ kind: PollerKind
    ) throws {
        let harness = try Harness(kind)
        let (client, exchange) = try putOff(on: harness)
        client.close()
        #expect(harness.turn { !harness.application.log.isEmpty })
        expectEqual(harness.application.log, ["peer ended"])
        harness.server.complete(exchange, with: .text("a"))
        #expect(harness.turn { !harness.application.records.isEmpty })
        expectEqual(harness.application.outcomes, [.interrupted])
        #expect(harness.turn { harness.server.openConnections == 0 })
    }

    @Test(arguments: PollerKind.allCases)
    func `11 a client that has only half closed still gets its answer`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let (client, exchange) = try putOff(on: harness)
        client.endSending()
        #expect(harness.turn { harness.application.log == ["peer ended"] })
        harness.server.complete(exchange, with: .text("a"))
        harness.expect(client, toEndWith: "a")
        expectEqual(harness.application.outcomes, [.delivered])
    }

    @Test(arguments: PollerKind.allCases)
    func `a reset reaches the client as a reset`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try play([.abort], on: harness, live: true)
        #expect(harness.turn { client.sawReset })
        #expect(client.received.isEmpty || client.text.hasPrefix("HTTP/1.1 200"))
        expectEqual(harness.application.outcomes, [.cut])
        expectEqual(harness.server.openConnections, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `bytes before a reset arrive`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try play([.text("half"), .wait(.seconds(1), .either), .abort], on: harness, live: true)
        #expect(harness.turn { client.text.contains("half") })
        harness.advance(.seconds(1))
        #expect(harness.turn { client.sawReset })
    }

    @Test(arguments: PollerKind.allCases)
    func `a close in mid-answer is an orderly end without the last chunk`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try play([.text("half"), .close], on: harness)
        #expect(harness.turn { client.sawEnd })
        #expect(client.text.hasSuffix("4\r\nhalf\r\n"))
        expectEqual(harness.application.outcomes, [.cut])
    }

    @Test(arguments: PollerKind.allCases)
    func `a timeline without an end breaks off`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try play([.text("half")], on: harness)
        #expect(harness.turn { client.sawEnd })
        #expect(client.text.hasSuffix("4\r\nhalf\r\n"))
        expectEqual(harness.application.outcomes, [.cut])
        expectEqual(harness.server.openConnections, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `a half-close ends our direction and the timeline goes on`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try play([.text("a"), .halfClose, .wait(.seconds(1), .either), .effect(1), .close], on: harness)
        #expect(harness.turn { client.sawEnd })
        expectEqual(harness.server.openConnections, 1)
        harness.advance(.seconds(1))
        expectEqual(harness.application.log, ["effect 1", "finished cut"])
        expectEqual(harness.server.openConnections, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `a held connection stays until the client leaves`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try play([.text("a"), .hold], on: harness)
        harness.advance(.hours(10))
        #expect(client.isOpen)
        expectEqual(harness.server.inFlightCount(world: 1), 1)
        client.endSending()
        #expect(harness.turn { harness.server.openConnections == 0 })
        expectEqual(harness.application.outcomes, [.interrupted])
    }

    @Test(arguments: PollerKind.allCases)
    func `steps can be pushed to an answer that stays open`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let client = try play([.text("a")], on: harness, staysOpen: true)
        let exchange = try #require(harness.application.admitted.first)
        #expect(client.text.hasSuffix("1\r\na\r\n"))
        #expect(harness.server.push(exchange, steps: [.text("b"), .effect(4)]))
        #expect(harness.server.push(exchange, steps: [.text("c")]))
        harness.settle()
        #expect(client.text.hasSuffix("1\r\na\r\n1\r\nb\r\n1\r\nc\r\n"))
        expectEqual(harness.application.log, ["effect 4"])
        #expect(harness.server.push(exchange, steps: [.end]))
        harness.expect(client, toEndWith: "0\r\n\r\n")
        #expect(!harness.server.push(exchange, steps: [.text("late")]))
        expectEqual(harness.application.outcomes, [.delivered])
    }

    @Test(arguments: PollerKind.allCases)
    func `a client too far behind its stream is cut, at the limit it is not`(_ kind: PollerKind) throws {
        var limits = ServerLimits()
        limits.waitingSteps = 10
        let harness = try Harness(kind, limits: limits)
        let big = [UInt8](repeating: 0x61, count: 4 * 1024 * 1024)
        let client = try play([.bytes(big)], on: harness, staysOpen: true)
        let exchange = try #require(harness.application.admitted.first)
        for _ in 0..<10 { #expect(harness.server.push(exchange, steps: [.text("x")])) }
        #expect(client.isOpen)
        #expect(!harness.server.push(exchange, steps: [.text("x")]))
        harness.settle()
        expectEqual(harness.application.outcomes, [.cut])
    }

    @Test(arguments: PollerKind.allCases)
    func `a long stream shares the loop with others`(_ kind: PollerKind) throws {
        var limits = ServerLimits()
        limits.playBytesPerTurn = 1_024
        let harness = try Harness(kind, limits: limits)
        let chunk = String(repeating: "x", count: 100)
        let client = try play([Step](repeating: .text(chunk), count: 500) + [.end], on: harness)
        #expect(harness.application.records.isEmpty, "one turn's share is far less")
        harness.expect(client, toEndWith: "0\r\n\r\n")
        expectEqual(client.text.components(of: chunk).count, 501)
    }

    @Test(arguments: [256 * 1_024 - 1, 256 * 1_024, 256 * 1_024 + 1, 3 * 1_024 * 1_024 + 7])
    func `content that is known shares the loop where it is long, and looks the same`(_ length: Int) throws {
        let harness = try Harness(.portable)
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        harness.application.onRequest = { _, _ in .now(.bytes(content)) }
        let client = try harness.client()
        client.get("/")
        let end = Array(content.suffix(64))
        #expect(
            harness.turn {
                client.receive(); return client.received.suffix(64).elementsEqual(end)
            }
        )
        let head = try #require(client.received.firstRange(of: Array("\r\n\r\n".utf8)))
        #expect(client.received[head.upperBound...].elementsEqual(content))
        #expect(
            String(decoding: client.received[..<head.lowerBound], as: UTF8.self).contains("Content-Length: \(length)")
        )
        harness.settle()
        expectEqual(harness.application.outcomes, [.delivered])
        expectEqual(harness.application.records.first?.record.contentPlayed, length > 256 * 1_024 ? length : 0)
    }

    @Test func `HEAD has the length of long content and none of it`() throws {
        let harness = try Harness(.portable)
        harness.application.onRequest = { _, _ in .now(.bytes([UInt8](repeating: 0x61, count: 1_000_000))) }
        let client = try harness.client()
        client.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(harness.turn { client.sawEnd })
        #expect(client.text.contains("Content-Length: 1000000\r\n"))
        #expect(client.text.hasSuffix("\r\n\r\n"))
    }

    @Test(arguments: PollerKind.allCases)
    func `many delayed answers each end at their own instant`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        let count = 300
        var delays: [Int64] = []
        harness.application.onRequest = { request, _ in
            let delay = Int64(request.head.target.rawPath.dropFirst()) ?? 0
            return .now(.steps([.wait(.milliseconds(delay), .either), .text("done"), .end]))
        }
        var clients: [Client] = []
        for number in 0..<count {
            let client = try harness.client()
            delays.append(Int64(number * 37 % 1_000 + 1))
            client.get("/\(delays[number])")
            clients.append(client)
        }
        #expect(harness.turn { harness.server.inFlightCount(world: 1) == count })
        for step in [250, 250, 250, 251] {
            harness.advance(.milliseconds(Int64(step)))
            let elapsed = harness.time.monotonic - Instant(seconds: 1_000)
            let ended = zip(clients, delays).allSatisfy { client, delay in
                client.text.hasSuffix("0\r\n\r\n") == (.milliseconds(delay) <= elapsed)
            }
            #expect(ended)
        }
        expectEqual(harness.application.outcomes, [Outcome](repeating: .delivered, count: count))
    }
}
