import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing
import Transport

/// Two exchanges at once on one connection, by a protocol of many channels.
@Suite struct ChannelTests {
    private func harness(_ kind: PollerKind, _ steps: [String: [Step]]) throws -> Harness {
        let harness = try Harness(kind)
        harness.application.onRequest = { request, _ in
            let path = request.head.target.rawPath
            guard let steps = steps[path] else { return .later(world: path == "/other" ? 2 : 1) }
            return .now(.steps(steps, world: path == "/other" ? 2 : 1))
        }
        return harness
    }

    @Test(arguments: PollerKind.allCases)
    func `a channel that waits holds up no other one`(_ kind: PollerKind) throws {
        let harness = try harness(
            kind,
            ["/slow": [.text("a"), .wait(.seconds(5), .either), .text("b"), .end], "/fast": [.text("c"), .end]]
        )
        let client = try harness.multiplexedClient()
        client.send("1 /slow\n3 /fast\n")
        harness.settle()
        expectEqual(client.text, "1:a\n3:c\n3.\n")
        expectEqual(harness.application.outcomes, [.delivered])
        harness.advance(.seconds(5))
        expectEqual(client.text, "1:a\n3:c\n3.\n1:b\n1.\n")
        expectEqual(harness.application.outcomes, [.delivered, .delivered])
        expectEqual(harness.server.openConnections, 1)
    }

    @Test(arguments: PollerKind.allCases)
    func `each exchange is completed on its own channel, in any order`(_ kind: PollerKind) throws {
        let harness = try harness(kind, [:])
        let client = try harness.multiplexedClient()
        client.send("1 /a\n3 /b\n5 /c\n")
        harness.settle()
        let exchanges = harness.application.admitted
        expectEqual(Set(exchanges).count, 3)
        #expect(harness.server.complete(exchanges[2], with: .text("third")))
        harness.settle()
        #expect(harness.server.complete(exchanges[0], with: .text("first")))
        harness.settle()
        #expect(!harness.server.complete(exchanges[2], with: .text("again")))
        #expect(harness.server.complete(exchanges[1], with: .text("second")))
        harness.settle()
        expectEqual(client.text, "5:third\n5.\n1:first\n1.\n3:second\n3.\n")
        expectEqual(harness.application.records.map(\.exchange), [exchanges[2], exchanges[0], exchanges[1]])
        expectEqual(harness.application.records.map(\.record.bytesSent), [11, 11, 12])
    }

    @Test(arguments: PollerKind.allCases)
    func `cancelling an exchange resets its channel and leaves the connection`(_ kind: PollerKind) throws {
        let machine = LineMachine()
        let harness = try harness(kind, [:])
        let client = try harness.multiplexedClient(machine)
        client.send("1 /a\n3 /b\n")
        harness.settle()
        harness.server.cancel(harness.application.admitted[0])
        harness.settle()
        expectEqual(machine.resets, [ChannelNumber(1)])
        expectEqual(harness.application.outcomes, [.cut])
        #expect(!harness.server.isUnderWay(harness.application.admitted[0]))
        #expect(harness.server.complete(harness.application.admitted[1], with: .text("b")))
        harness.settle()
        expectEqual(client.text, "1!\n3:b\n3.\n")
        #expect(client.isOpen)
    }

    @Test(arguments: PollerKind.allCases)
    func `a world is cancelled channel by channel`(_ kind: PollerKind) throws {
        let harness = try harness(kind, [:])
        let client = try harness.multiplexedClient()
        client.send("1 /a\n3 /other\n5 /b\n")
        harness.settle()
        expectEqual(harness.server.inFlightCount(world: 1), 2)
        expectEqual(harness.server.cancel(world: 1), 2)
        harness.settle()
        expectEqual(client.text, "1!\n5!\n")
        expectEqual(harness.server.inFlightCount(world: 2), 1)
        #expect(client.isOpen)
    }

    @Test(arguments: PollerKind.allCases)
    func `an abort in a timeline resets its channel, a close ends the connection`(_ kind: PollerKind) throws {
        let harness = try harness(kind, ["/abort": [.text("a"), .abort], "/close": [.close], "/broken": [.text("x")]])
        let client = try harness.multiplexedClient()
        client.send("1 /wait\n3 /abort\n5 /broken\n")
        harness.settle()
        expectEqual(client.text, "3:a\n3!\n5:x\n5!\n")
        expectEqual(harness.application.outcomes, [.cut, .cut])
        client.send("7 /close\n")
        harness.settle()
        #expect(!client.isOpen)
        expectEqual(harness.application.outcomes, [.cut, .cut, .cut, .cut], "the exchange that waited ends too")
        expectEqual(harness.server.openConnections, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `a client gives up one channel, or all of them with the connection`(_ kind: PollerKind) throws {
        let harness = try harness(kind, [:])
        let client = try harness.multiplexedClient()
        client.send("1 /a\n3 /b\n5 /c\n")
        harness.settle()
        client.send("3 cancel\n")
        harness.settle()
        expectEqual(harness.application.outcomes, [.interrupted])
        expectEqual(harness.application.records.map(\.exchange), [harness.application.admitted[1]])
        #expect(client.isOpen)
        harness.server.endWithPeer(harness.application.admitted[0])
        client.endSending()
        harness.settle()
        expectEqual(harness.application.outcomes, [.interrupted, .interrupted])
        #expect(harness.server.complete(harness.application.admitted[2], with: .text("c")))
        harness.settle()
        #expect(client.text.hasSuffix("5:c\n5.\n"))
        expectEqual(harness.server.openConnections, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `a stop counts what it cuts by the exchange`(_ kind: PollerKind) throws {
        let harness = try harness(kind, [:])
        let client = try harness.multiplexedClient()
        client.send("1 /a\n3 /b\n")
        harness.settle()
        harness.server.beginStop(gracefulWithin: .seconds(10))
        harness.server.beginStop(gracefulWithin: .zero)
        expectEqual(harness.server.run(), 2)
        #expect(!client.isOpen)
    }
}
