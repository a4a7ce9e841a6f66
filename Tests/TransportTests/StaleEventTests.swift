import CivilTime
import HTTPMessage
import TestSupport
import Testing
import Transport

/// Late reports about a connection that was closed earlier in the same batch.
@Suite struct StaleEventTests {
    @Test(arguments: PollerKind.allCases)
    func `a report about a closed connection does not reach the one that has its descriptor now`(
        _ kind: PollerKind
    ) throws {
        let application = TestApplication()
        let poller = RepeatingPoller(try kind.make())
        let server = try Server(application: application, time: ManualTime().source, poller: poller)
        let (ours, theirs) = try Socket.openPair().get()
        let first = Client(OwnedDescriptor(theirs))
        #expect(server.adopt(first: ours))
        application.onRequest = { _, _ in .now(.steps([.close])) }

        first.get("/")
        server.turn(atMost: .seconds(5))
        expectEqual(server.openConnections, 0)

        application.onRequest = { _, _ in .now(.text("second")) }
        let (next, end) = try Socket.openPair().get()
        let second = Client(OwnedDescriptor(end))
        #expect(server.adopt(first: next))
        // Every report about the first connection comes again, as broken, beside those of this turn.
        poller.repeatsAsBroken = true
        for _ in 0..<5 { server.turn(atMost: .zero) }
        expectEqual(server.openConnections, 1, "the new connection was not taken for the old one")
        poller.repeatsAsBroken = false
        second.get("/")
        for _ in 0..<50 where !second.text.hasSuffix("second") { server.turn(atMost: .milliseconds(2)) }
        #expect(second.text.hasSuffix("second"))
    }
}

extension Server {
    fileprivate func adopt(first number: Int32) -> Bool {
        adopt(OwnedDescriptor(number), peer: Peer(host: "", port: 0, listener: 0))
    }
}

/// Reports everything a second time, as a poller may whose batch holds more than one report about a descriptor.
private final class RepeatingPoller: Poller {
    let inner: any Poller
    var repeatsAsBroken = false
    private var earlier: [PollEvent] = []

    init(_ inner: any Poller) { self.inner = inner }

    var wakeUp: WakeUp { inner.wakeUp }

    func add(_ descriptor: Int32, token: UInt64, interest: Interest) throws(Errno) {
        try inner.add(descriptor, token: token, interest: interest)
    }

    func change(_ descriptor: Int32, token: UInt64, interest: Interest) {
        inner.change(descriptor, token: token, interest: interest)
    }

    func remove(_ descriptor: Int32) { inner.remove(descriptor) }

    func wait(atMost timeout: Interval?, into events: inout [PollEvent]) {
        inner.wait(atMost: timeout, into: &events)
        if repeatsAsBroken {
            events.append(
                contentsOf: earlier.map { PollEvent(token: $0.token, readable: true, writable: true, broken: true) }
            )
        } else {
            let fresh = events
            events.append(contentsOf: fresh)
            earlier += fresh
        }
    }
}
