import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// The peer's end in each state.
@Suite struct HalfCloseTests {
    @Test func `the end of an idle connection closes it`() {
        let wire = Wire()
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.closes())
        #expect(wire.isQuiet(), "once is enough")
    }

    @Test func `the end in a head closes without an answer`() {
        let wire = Wire()
        wire.receive("GET / HTTP/1.1\r\nHo")
        #expect(wire.isQuiet())
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.closes())
    }

    @Test(arguments: ["Content-Length: 5\r\n\r\nhell", "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"])
    func `the end in a content closes without an answer`(_ rest: String) throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\n" + rest)
        try wire.admitHead()
        #expect(wire.isQuiet())
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.closes())
        expectEqual(wire.written(), "")
    }

    @Test func `a complete request is answered after the end`() throws {
        let wire = Wire()
        wire.receive(Wire.get)
        wire.machine.peerClosed(now: wire.now)
        try wire.takeRequest()
        expectEqual(wire.answer(), .finishedClosing)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(Wire.dateLine)\r\n")
        wire.machine.beganLingering(now: wire.now)
        #expect(wire.closes())
    }

    @Test func `the end in mid-answer lets the answer finish`() throws {
        let wire = Wire()
        wire.receive(Wire.get)
        try wire.takeRequest()
        expectEqual(wire.send(.head(ResponseHead(status: .ok, fields: Fields(), framing: .chunked))), .proceed)
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.isQuiet())
        #expect(!wire.machine.wantsRead)
        expectEqual(wire.send(.bytes(Array("hello".utf8))), .proceed)
        expectEqual(wire.send(.end), .finishedClosing)
        #expect(wire.written().hasSuffix("5\r\nhello\r\n0\r\n\r\n"))
    }

    @Test func `the end after an answer closes`() throws {
        let wire = Wire()
        wire.receive(Wire.get)
        try wire.takeRequest()
        expectEqual(wire.answer(), .finished)
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.closes())
    }

    @Test func `pipelined requests sent before the end are all answered`() throws {
        let wire = Wire()
        wire.receive(Wire.get + Wire.get)
        wire.machine.peerClosed(now: wire.now)
        try wire.takeRequest()
        expectEqual(wire.answer(), .finished)
        try wire.takeRequest()
        expectEqual(wire.answer(), .finishedClosing)
    }

    @Test func `half a pipelined request before the end closes after the answers`() throws {
        let wire = Wire()
        wire.receive(Wire.get + "GET /")
        wire.machine.peerClosed(now: wire.now)
        try wire.takeRequest()
        expectEqual(wire.answer(), .finished)
        #expect(wire.closes())
    }

    @Test func `a held connection ends with the peer's end`() throws {
        let wire = Wire()
        wire.receive(Wire.get)
        try wire.takeRequest()
        expectEqual(wire.send(.hold), .hold)
        #expect(wire.isQuiet())
        #expect(wire.machine.wantsRead)
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.closes())
    }
}
