import CivilTime
import TestSupport
import Testing
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite struct PollerTests {
    @Test(arguments: PollerKind.allCases)
    func `reports readable, writable and broken with the token`(_ kind: PollerKind) throws {
        let poller = try kind.make()
        let (one, other) = try Socket.openPair().get()
        let served = OwnedDescriptor(one)
        let client = Client(OwnedDescriptor(other))
        var events: [PollEvent] = []

        try poller.add(served.number, token: 77, interest: .read)
        poller.wait(atMost: .zero, into: &events)
        #expect(events.isEmpty)

        client.send("x")
        poller.wait(atMost: .seconds(5), into: &events)
        expectEqual(events.map(\.token), [77])
        expectEqual(events.first?.readable, true)
        expectEqual(events.first?.writable, false)

        poller.change(served.number, token: 78, interest: .write)
        poller.wait(atMost: .seconds(5), into: &events)
        expectEqual(events.map(\.token), [78])
        expectEqual(events.first?.writable, true)
        expectEqual(events.first?.readable, false)

        poller.change(served.number, token: 79, interest: [])
        poller.wait(atMost: .zero, into: &events)
        #expect(events.isEmpty)

        client.close()
        poller.wait(atMost: .seconds(5), into: &events)
        expectEqual(events.first?.broken, true)

        poller.remove(served.number)
        poller.wait(atMost: .zero, into: &events)
        #expect(events.isEmpty)
    }

    @Test(arguments: PollerKind.allCases)
    func `13 the end of a peer's direction is told while what it sent before is left unread`(_ kind: PollerKind) throws
    {
        let poller = try kind.make()
        let (one, other) = try Socket.openPair().get()
        let served = OwnedDescriptor(one)
        let client = Client(OwnedDescriptor(other))
        var events: [PollEvent] = []
        try poller.add(served.number, token: 5, interest: .end)
        client.send("x")
        poller.wait(atMost: .zero, into: &events)
        #expect(events.isEmpty)
        client.endSending()
        poller.wait(atMost: .seconds(5), into: &events)
        expectEqual(events.map(\.token), [5])
        expectEqual(events.first.map { $0.readable || $0.broken }, true)
    }

    @Test(arguments: PollerKind.allCases)
    func `removing one of many leaves the others`(_ kind: PollerKind) throws {
        let poller = try kind.make()
        var clients: [Client] = []
        var numbers: [Int32] = []
        for token in 0..<20 {
            let (one, other) = try Socket.openPair().get()
            clients.append(Client(OwnedDescriptor(other)))
            clients.append(Client(OwnedDescriptor(one)))
            numbers.append(one)
            try poller.add(one, token: UInt64(token), interest: .write)
        }
        for token in [0, 7, 19] { poller.remove(numbers[token]) }
        var events: [PollEvent] = []
        poller.wait(atMost: .seconds(5), into: &events)
        expectEqual(events.map(\.token).sorted(), (0..<20).filter { ![0, 7, 19].contains($0) }.map { UInt64($0) })
        expectEqual(clients.count, 40)
    }

    @Test(arguments: PollerKind.allCases)
    func `a signal from another thread ends a wait without limit`(_ kind: PollerKind) throws {
        let poller = try kind.make()
        let wakeUp = poller.wakeUp
        let thread = try #require(SystemThread.start { wakeUp.signal() })
        var events: [PollEvent] = []
        // Were the wake-up lost, this would take the whole minute.
        let before = TimeSource.system.monotonic()
        poller.wait(atMost: .minutes(1), into: &events)
        #expect(TimeSource.system.monotonic() - before < .seconds(30))
        #expect(events.isEmpty)
        SystemThread.join(thread)
    }

    @Test(arguments: PollerKind.allCases)
    func `many signals before a wait end one wait, and a later one ends the next`(_ kind: PollerKind) throws {
        let poller = try kind.make()
        var events: [PollEvent] = []
        for _ in 0..<100_000 { poller.wakeUp.signal() }
        poller.wait(atMost: .minutes(1), into: &events)
        let before = TimeSource.system.monotonic()
        poller.wait(atMost: .milliseconds(20), into: &events)
        #expect(TimeSource.system.monotonic() - before >= .milliseconds(20), "the second wait had nothing to end it")
        poller.wakeUp.signal()
        let again = TimeSource.system.monotonic()
        poller.wait(atMost: .minutes(1), into: &events)
        #expect(TimeSource.system.monotonic() - again < .seconds(30))
    }
}
