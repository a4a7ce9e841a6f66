import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// Control contract, section 17: head 30 s, body 60 s between bytes, idle 75 s; lingering 2 s.
@Suite struct TimerTests {
    private static func isDue(_ wire: Wire, _ kind: ConnectionMachine.DeadlineKind, after seconds: Int64) -> Bool {
        guard let deadline = wire.machine.deadline else { return false }
        return deadline.kind == kind && deadline.at == Instant(seconds: seconds)
    }

    @Test func `an idle connection is closed silently after 75 seconds and not a microsecond before`() {
        let wire = Wire()
        #expect(Self.isDue(wire, .idle, after: 75))
        wire.now = Instant(microseconds: 74_999_999)
        wire.fireTimer()
        #expect(wire.isQuiet())
        wire.now = Instant(seconds: 75)
        wire.fireTimer()
        #expect(wire.closes())
        expectEqual(wire.written(), "")
    }

    @Test func `a head that takes 30 seconds is refused with 408`() throws {
        let wire = Wire()
        wire.now = Instant(seconds: 10)
        wire.receive("G")
        #expect(wire.isQuiet())
        wire.now = Instant(seconds: 20)
        wire.receive("ET / HTTP/1.1\r\n")
        #expect(wire.isQuiet())
        #expect(Self.isDue(wire, .head, after: 40), "from the first byte, not the last")
        wire.now = Instant(microseconds: 39_999_999)
        wire.fireTimer()
        #expect(wire.isQuiet())
        wire.now = Instant(seconds: 40)
        wire.fireTimer()
        let refusal = try wire.refusal()
        expectEqual(refusal.reason, .headTimeout)
        expectEqual(refusal.status, .requestTimeout)
        expectEqual(wire.answer(Response(status: .requestTimeout)), .finishedClosing)
    }

    @Test func `the head timer covers the second request, from its own first byte`() throws {
        let wire = Wire()
        wire.receive(Wire.get)
        try wire.takeRequest()
        expectNil(wire.machine.deadline, "no timer runs while the owner answers")
        wire.now = Instant(seconds: 100)
        expectEqual(wire.answer(), .finished)
        #expect(wire.isQuiet())
        #expect(Self.isDue(wire, .idle, after: 175))
        wire.now = Instant(seconds: 170)
        wire.receive("G")
        #expect(wire.isQuiet())
        #expect(Self.isDue(wire, .head, after: 200))
        wire.now = Instant(seconds: 200)
        wire.fireTimer()
        try expectEqual(wire.refusal().reason, .headTimeout)
    }

    @Test func `a head that was pipelined behind an answer is timed from the answer's end`() throws {
        let wire = Wire()
        wire.receive(Wire.get + "GET")
        try wire.takeRequest()
        wire.now = Instant(seconds: 1000)
        expectEqual(wire.answer(), .finished)
        #expect(wire.isQuiet())
        #expect(Self.isDue(wire, .head, after: 1030))
    }

    @Test func `empty lines do not begin a head`() {
        let wire = Wire()
        wire.now = Instant(seconds: 10)
        wire.receive("\r\n\r\n")
        #expect(wire.isQuiet())
        #expect(Self.isDue(wire, .idle, after: 75))
        wire.receive("\r")
        #expect(wire.isQuiet())
        #expect(Self.isDue(wire, .idle, after: 75))
    }

    @Test func `a content is refused with 408 after 60 seconds without a byte`() throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
        try wire.admitHead()
        #expect(wire.isQuiet())
        #expect(Self.isDue(wire, .body, after: 60))
        wire.now = Instant(seconds: 59)
        wire.receive("h")
        #expect(wire.isQuiet())
        #expect(Self.isDue(wire, .body, after: 119), "each byte starts the time again")
        wire.now = Instant(microseconds: 118_999_999)
        wire.fireTimer()
        #expect(wire.isQuiet())
        wire.now = Instant(seconds: 119)
        wire.fireTimer()
        guard case .refused(let refusal, let head) = wire.next() else {
            Issue.record("no refusal")
            return
        }
        expectEqual(refusal.reason, .bodyTimeout)
        expectEqual(refusal.status, .requestTimeout)
        expectEqual(head?.method, .post)
        expectEqual(wire.answer(Response(status: .requestTimeout)), .finishedClosing)
    }

    @Test func `a HEAD that times out gets no content`() throws {
        let wire = Wire()
        wire.receive("HEAD / HTTP/1.1\r\nHo")
        #expect(wire.isQuiet())
        wire.now = Instant(seconds: 30)
        wire.fireTimer()
        try expectEqual(wire.refusal().reason, .headTimeout)
        expectEqual(wire.answer(Response(status: .requestTimeout, body: .bytes(Array("late".utf8)))), .finishedClosing)
        let written = wire.written()
        #expect(written.contains("Content-Length: 4\r\n"))
        #expect(written.hasSuffix("\r\n\r\n"))
    }

    @Test func `the rest of an early answered content has 60 seconds between bytes, then a silent close`() throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
        _ = wire.next()
        wire.machine.answerEarly()
        expectEqual(wire.answer(), .finished)
        #expect(Self.isDue(wire, .body, after: 60))
        wire.now = Instant(seconds: 60)
        wire.fireTimer()
        #expect(wire.closes())
    }

    @Test func `lingering ends after 2 seconds`() throws {
        let wire = Wire()
        wire.receive("x\n")
        _ = try wire.refusal()
        expectEqual(wire.answer(Response(status: .badRequest)), .finishedClosing)
        expectNil(wire.machine.deadline)
        wire.now = Instant(seconds: 5)
        wire.machine.beganLingering(now: wire.now)
        #expect(Self.isDue(wire, .linger, after: 7))
        wire.now = Instant(microseconds: 6_999_999)
        wire.fireTimer()
        #expect(wire.isQuiet())
        wire.now = Instant(seconds: 7)
        wire.fireTimer()
        #expect(wire.closes())
        expectNil(wire.machine.deadline)
    }

    @Test func `lingering takes 262144 bytes`() throws {
        let wire = Wire()
        wire.receive("x\n")
        _ = try wire.refusal()
        expectEqual(wire.answer(Response(status: .badRequest)), .finishedClosing)
        wire.machine.beganLingering(now: wire.now)
        #expect(wire.machine.wantsRead)
        wire.machine.received([UInt8](repeating: 0, count: 262_144), now: wire.now)
        #expect(wire.isQuiet())
        expectEqual(wire.machine.bufferedBytes, 0)
        wire.receive("x")
        #expect(wire.closes())
        #expect(!wire.machine.wantsRead)
    }

    @Test func `lingering ends with the peer's end`() throws {
        let wire = Wire()
        wire.receive("x\n")
        _ = try wire.refusal()
        expectEqual(wire.answer(Response(status: .badRequest)), .finishedClosing)
        wire.machine.beganLingering(now: wire.now)
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.closes())
    }
}

/// Uploads that the owner does not read on with, on purpose.
@Suite struct RestartedTimerTests {
    @Test func `a body timer that is restarted begins anew, and no other timer does`() throws {
        let start = Instant(seconds: 100)
        var machine = ConnectionMachine(limits: WireLimits(), now: start)
        machine.restartBodyTimer(now: start + .seconds(50))
        expectEqual(machine.deadline?.kind, .idle)
        expectEqual(machine.deadline?.at, start + .seconds(75))
        machine.received(Array("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n".utf8), now: start)
        guard case .head? = machine.nextEvent(now: start) else {
            Issue.record("no head")
            return
        }
        var output: [UInt8] = []
        machine.admit(ConnectionMachine.Admission(bodyLimit: 9, drainLimit: 9), now: start, into: &output)
        if machine.nextEvent(now: start) != nil { Issue.record("an event too early") }
        machine.restartBodyTimer(now: start + .seconds(59))
        machine.deadlineReached(now: start + .seconds(60))
        if machine.nextEvent(now: start + .seconds(60)) != nil { Issue.record("refused too early") }
        machine.deadlineReached(now: start + .seconds(119))
        guard case .refused? = machine.nextEvent(now: start + .seconds(119)) else {
            Issue.record("no refusal")
            return
        }
    }
}
