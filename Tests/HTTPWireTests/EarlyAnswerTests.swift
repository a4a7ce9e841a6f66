import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// Answers that come before the content has been read, and contents beyond the owner's limit.
@Suite struct EarlyAnswerTests {
    private struct NoHead: Error {}

    private static func wire(contentLength: Int) throws -> Wire {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(contentLength)\r\n\r\n")
        guard case .head = wire.next() else { throw NoHead() }
        wire.machine.answerEarly()
        return wire
    }

    @Test func `a rest of 65536 bytes is thrown away and the connection stays`() throws {
        let wire = try Self.wire(contentLength: 65_536)
        expectEqual(wire.answer(Response(status: .unauthorized)), .finished)
        #expect(!wire.written().contains("Connection"))
        #expect(wire.isQuiet())
        for _ in 0..<64 {
            wire.receive(String(repeating: "x", count: 1024))
            #expect(wire.isQuiet())
            expectEqual(wire.machine.bufferedBytes, 0)
        }
        wire.receive(Wire.get)
        try wire.takeRequest()
        expectEqual(wire.answer(), .finished)
    }

    @Test func `a rest of 65537 bytes closes the connection`() throws {
        let wire = try Self.wire(contentLength: 65_537)
        expectEqual(wire.answer(Response(status: .unauthorized)), .finishedClosing)
        #expect(wire.written().contains("\r\nConnection: close\r\n"))
    }

    @Test func `the rest that comes during the answer is thrown away at once`() throws {
        let wire = try Self.wire(contentLength: 1000)
        wire.receive(String(repeating: "x", count: 999))
        expectEqual(wire.machine.bufferedBytes, 0)
        #expect(wire.machine.wantsRead)
        expectEqual(wire.send(.head(ResponseHead(status: .ok, fields: Fields(), framing: .length(0)))), .proceed)
        wire.receive("x" + Wire.get)
        #expect(wire.isQuiet())
        expectEqual(wire.send(.end), .finished)
        try wire.takeRequest()
    }

    @Test func `an answer sent without asking for the content counts as early`() throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" + Wire.get)
        let event = wire.next()
        guard case .head = event else {
            Issue.record("no head")
            return
        }
        expectEqual(wire.answer(Response(status: .forbidden)), .finished)
        try wire.takeRequest()
    }

    @Test func `an answer in the middle of a content throws the rest away`() throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhello")
        try wire.admitHead()
        #expect(wire.isQuiet())
        wire.machine.answerEarly()
        expectEqual(wire.answer(), .finished)
        wire.receive("hello" + Wire.get)
        try wire.takeRequest()
    }

    @Test func `a chunked rest that has not come in full closes the connection`() throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel")
        guard case .head = wire.next() else {
            Issue.record("no head")
            return
        }
        wire.machine.answerEarly()
        expectEqual(wire.answer(), .finishedClosing)
    }

    @Test func `a chunked rest that has come in full keeps the connection`() throws {
        let wire = Wire()
        wire.receive(
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n" + Wire.get
        )
        guard case .head = wire.next() else {
            Issue.record("no head")
            return
        }
        wire.machine.answerEarly()
        expectEqual(wire.answer(), .finished)
        try wire.takeRequest()
    }

    @Test func `a broken chunked rest closes the connection, without a second answer`() throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
        guard case .head = wire.next() else {
            Issue.record("no head")
            return
        }
        wire.machine.answerEarly()
        expectEqual(wire.answer(), .finishedClosing)
        #expect(wire.isQuiet())
    }

    @Test func `a peer that ends in the rest of its content is let go`() throws {
        let wire = try Self.wire(contentLength: 10)
        expectEqual(wire.answer(), .finished)
        wire.receive("hello")
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.closes())
    }

    @Test func `content over the limit is counted, cut and marked, and the connection stays`() throws {
        let wire = Wire()
        wire.admission = .init(bodyLimit: 5, drainLimit: 8)
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\nhello!!!")
        let body = try wire.takeRequest().body
        expectEqual(body.bytes, Array("hello".utf8))
        expectEqual(body.length, 8)
        #expect(body.exceedsLimit)
        expectEqual(wire.answer(Response(status: .contentTooLarge)), .finished)
    }

    @Test func `content announced beyond what is read is handed over at once`() throws {
        let wire = Wire()
        wire.admission = .init(bodyLimit: 5, drainLimit: 8)
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n")
        let body = try wire.takeRequest().body
        expectEqual(body.length, 9)
        #expect(body.exceedsLimit)
        expectEqual(wire.answer(Response(status: .contentTooLarge)), .finishedClosing)
    }

    @Test func `a drain limit below the content limit counts as the content limit`() throws {
        let wire = Wire()
        wire.admission = .init(bodyLimit: 5, drainLimit: 0)
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
        try expectEqual(wire.takeRequest().body.bytes.count, 5)
    }

    @Test func `a huge announced length reserves no memory`() throws {
        let wire = Wire()
        wire.admission = .init(bodyLimit: .max, drainLimit: .max)
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\nhello")
        try wire.admitHead()
        #expect(wire.isQuiet())
        #expect(wire.machine.bufferCapacity < 4096)
    }
}
