import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// RFC 9110 section 10.1.1: Expect: 100-continue.
@Suite struct ContinueTests {
    private static let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
    private static let interim = "HTTP/1.1 100 Continue\r\n\r\n"

    @Test func `100 is written when the content is awaited`() throws {
        let wire = Wire()
        wire.receive(Self.head)
        try wire.admitHead()
        expectEqual(wire.written(), Self.interim)
        wire.receive("hello")
        try expectEqual(wire.handedOver().body.bytes, Array("hello".utf8))
        expectEqual(wire.answer(), .finished)
    }

    @Test func `100 is written for chunked content`() throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
        try wire.admitHead()
        expectEqual(wire.written(), Self.interim)
    }

    @Test func `100 is not written when content has already come`() throws {
        let wire = Wire()
        wire.receive(Self.head + "h")
        try wire.admitHead()
        expectEqual(wire.written(), "")
        wire.receive("ello")
        try wire.handedOver()
        expectEqual(wire.answer(), .finished)
    }

    @Test func `100 is not written to HTTP/1.0`() throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        try wire.admitHead()
        expectEqual(wire.written(), "")
        wire.receive("hello")
        try wire.handedOver()
    }

    @Test(arguments: ["", "Content-Length: 0\r\n"])
    func `100 is not written when no content is announced`(_ framing: String) throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\(framing)\r\n")
        try wire.admitHead()
        expectEqual(wire.written(), "")
        try wire.handedOver()
        expectEqual(wire.answer(), .finished, "nothing is left unread")
    }

    @Test func `content of exactly the limit is asked for`() throws {
        let wire = Wire()
        wire.admission = .init(bodyLimit: 5, drainLimit: 100)
        wire.receive(Self.head)
        try wire.admitHead()
        expectEqual(wire.written(), Self.interim)
    }

    @Test func `content of one more than the limit is not asked for, and the connection closes`() throws {
        let wire = Wire()
        wire.admission = .init(bodyLimit: 4, drainLimit: 100)
        wire.receive(Self.head)
        try wire.admitHead()
        expectEqual(wire.written(), "")
        let request = try wire.handedOver()
        #expect(request.body.exceedsLimit)
        expectEqual(request.body.length, 5)
        #expect(request.body.bytes.isEmpty)
        expectEqual(wire.answer(Response(status: .contentTooLarge)), .finishedClosing)
        #expect(wire.written().contains("\r\nConnection: close\r\n"))
    }

    @Test func `an early answer to a client that waits for 100 closes, as nobody knows whether it will send`() throws {
        let wire = Wire()
        wire.receive(Self.head)
        guard case .head = wire.next() else {
            Issue.record("no head")
            return
        }
        wire.machine.answerEarly()
        expectEqual(wire.answer(Response(status: .unauthorized)), .finishedClosing)
        #expect(wire.written().contains("\r\nConnection: close\r\n"))
    }
}
