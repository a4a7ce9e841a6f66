import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// Graceful stop in each state.
@Suite struct DrainTests {
    @Test func `an idle connection closes at once`() {
        let wire = Wire()
        wire.machine.beginDrain()
        #expect(wire.closes())
    }

    @Test func `a request in the making is taken and answered with close`() throws {
        let wire = Wire()
        wire.receive("GET / HTTP/1.1\r\n")
        #expect(wire.isQuiet())
        wire.machine.beginDrain()
        #expect(wire.isQuiet())
        wire.receive("Host: a\r\n\r\n")
        try wire.takeRequest()
        expectEqual(wire.answer(), .finishedClosing)
        #expect(wire.written().contains("\r\nConnection: close\r\n"))
    }

    @Test func `an answer not yet begun says close`() throws {
        let wire = Wire()
        wire.receive(Wire.get)
        try wire.takeRequest()
        wire.machine.beginDrain()
        expectEqual(wire.answer(), .finishedClosing)
        #expect(wire.written().contains("\r\nConnection: close\r\n"))
    }

    @Test func `an answer in progress is finished and the connection closes`() throws {
        let wire = Wire()
        wire.receive(Wire.get)
        try wire.takeRequest()
        expectEqual(wire.send(.head(ResponseHead(status: .ok, fields: Fields(), framing: .chunked))), .proceed)
        wire.machine.beginDrain()
        expectEqual(wire.send(.end), .finishedClosing)
        #expect(wire.written().hasSuffix("\r\n0\r\n\r\n"))
    }

    @Test func `further pipelined requests are dropped`() throws {
        let wire = Wire()
        wire.receive(Wire.get + Wire.get)
        try wire.takeRequest()
        wire.machine.beginDrain()
        expectEqual(wire.answer(), .finishedClosing)
        #expect(wire.isQuiet())
        expectEqual(wire.machine.bufferedBytes, 0)
    }

    @Test func `a held connection is let go`() throws {
        let wire = Wire()
        wire.receive(Wire.get)
        try wire.takeRequest()
        expectEqual(wire.send(.hold), .hold)
        wire.machine.beginDrain()
        #expect(wire.closes())
    }

    @Test func `a lingering connection goes on lingering`() throws {
        let wire = Wire()
        wire.receive("GET / HTTP/1.0\r\n\r\n")
        try wire.takeRequest()
        expectEqual(wire.answer(), .finishedClosing)
        wire.machine.beganLingering(now: wire.now)
        wire.machine.beginDrain()
        #expect(wire.isQuiet())
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.closes())
    }
}
