import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// RFC 9112 section 9: persistence, pipelining, order.
@Suite struct KeepAliveTests {
    @Test func `a head is handed out before its content, with the announced length`() throws {
        let wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
        guard case .head(let head, .known(5)) = wire.next() else {
            Issue.record("no head with a known length")
            return
        }
        expectEqual(head.method, .post)
        #expect(wire.isQuiet(), "nothing before the head is admitted")
        wire.machine.admit(wire.admission, now: wire.now, into: &wire.output)
        #expect(wire.isQuiet())
        wire.receive("hello")
        try expectEqual(wire.handedOver().body.bytes, Array("hello".utf8))
    }

    @Test func `announced lengths of no content and of chunked content are told apart`() {
        var wire = Wire()
        wire.receive(Wire.get)
        guard case .head(_, .none) = wire.next() else {
            Issue.record("no head without content")
            return
        }
        wire = Wire()
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        guard case .head(_, .chunked) = wire.next() else {
            Issue.record("no head with chunked content")
            return
        }
    }

    @Test func `requests follow one another on a connection`() throws {
        let wire = Wire()
        for _ in 0..<3 {
            wire.receive(Wire.get)
            try wire.takeRequest()
            expectEqual(wire.answer(), .finished)
            expectEqual(wire.written(), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(Wire.dateLine)\r\n")
            #expect(wire.isQuiet())
            #expect(wire.machine.isIdle)
        }
    }

    @Test func `the second pipelined request is handed out only when the first answer has ended`() throws {
        let wire = Wire()
        wire.receive("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        try expectEqual(wire.takeRequest().head.target.rawPath, "/1")
        #expect(wire.isQuiet())
        expectEqual(wire.send(.head(ResponseHead(status: .ok, fields: Fields(), framing: .chunked))), .proceed)
        #expect(wire.isQuiet())
        expectEqual(wire.send(.end), .finished)
        try expectEqual(wire.takeRequest().head.target.rawPath, "/2")
    }

    @Test func `a broken request behind a good one is refused only after the good one's answer`() throws {
        let wire = Wire()
        wire.receive(Wire.get + "GET / HTTP/1.1\nHost: a\r\n\r\n")
        try wire.takeRequest()
        #expect(wire.isQuiet())
        expectEqual(wire.answer(), .finished)
        try expectEqual(wire.refusal().reason, .bareLineFeed)
        expectEqual(wire.answer(Response(status: .badRequest)), .finishedClosing)
        #expect(wire.written().hasSuffix("Connection: close\r\n\r\n"))
    }

    @Test func `an answer to a request with Connection close says close and ends the connection`() throws {
        let wire = Wire()
        wire.receive("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + Wire.get)
        try wire.takeRequest()
        expectEqual(wire.answer(), .finishedClosing)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(Wire.dateLine)Connection: close\r\n\r\n")
        #expect(wire.isQuiet())
        #expect(!wire.machine.wantsRead)
    }

    @Test func `an HTTP/1.0 connection that stays says so`() throws {
        let wire = Wire()
        wire.receive("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        try wire.takeRequest()
        expectEqual(wire.answer(), .finished)
        expectEqual(
            wire.written(),
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(Wire.dateLine)Connection: keep-alive\r\n\r\n"
        )
    }

    @Test func `reading pauses when one head's worth is buffered behind an unfinished answer`() throws {
        var limits = WireLimits()
        limits.requestLine = 100
        limits.headerSection = 200
        let wire = Wire(limits)
        wire.receive(Wire.get)
        try wire.takeRequest()
        wire.receive(String(repeating: "x", count: 299))
        #expect(wire.machine.wantsRead)
        wire.receive("x")
        #expect(!wire.machine.wantsRead)
        expectEqual(wire.answer(), .finished)
        try expectEqual(wire.refusal().reason, .requestLineTooLong)
    }

    @Test func `reading goes on between requests and in contents`() throws {
        let wire = Wire()
        #expect(wire.machine.wantsRead)
        wire.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
        try wire.admitHead()
        #expect(wire.machine.wantsRead)
        wire.receive("hello")
        try wire.handedOver()
        #expect(wire.machine.wantsRead)
        expectEqual(wire.answer(), .finished)
        #expect(wire.machine.wantsRead)
    }

    @Test func `what arrives during the last answer is thrown away, not stored`() throws {
        let wire = Wire()
        wire.receive("GET / HTTP/1.0\r\n\r\n")
        try wire.takeRequest()
        for _ in 0..<100 { wire.receive(String(repeating: "x", count: 10_000)) }
        expectEqual(wire.machine.bufferedBytes, 0)
        #expect(wire.machine.wantsRead, "only so is the peer's end noticed")
    }

    @Test func `the wire length counts head, framing, content and trailers`() throws {
        let wire = Wire()
        let text = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nA: b\r\n\r\n"
        wire.receive("\r\n" + text + Wire.get)
        try expectEqual(wire.takeRequest().wireLength, text.utf8.count)
        expectEqual(wire.answer(), .finished)
        try expectEqual(wire.takeRequest().wireLength, Wire.get.utf8.count)
    }

    @Test func `the authority of an absolute target overrides Host (RFC 9112 section 3.2.2)`() throws {
        let wire = Wire()
        wire.receive("GET http://b:1/x HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try wire.takeRequest().head
        expectEqual(head.authority, "b:1")
        expectEqual(head.fields[.host], "a")
    }

    @Test func `a refused head names what was wrong in a sentence, for every reason given`() throws {
        for vector in Vector.all where String(decoding: vector.transcript.joined(), as: UTF8.self).contains("refused") {
            var machine = ConnectionMachine(limits: WireLimits(), now: .epoch)
            machine.received(vector.input, now: .epoch)
            var output: [UInt8] = []
            while let event = machine.nextEvent(now: .epoch) {
                switch event {
                case .head:
                    machine.admit(.init(bodyLimit: 1 << 20, drainLimit: 2 << 20), now: .epoch, into: &output)
                case .request:
                    _ = machine.send(response: Response(status: .ok), now: .epoch, date: Wire.date, into: &output)
                case .refused(let refusal, _):
                    #expect(refusal.detail.count > 10)
                    #expect(refusal.detail.hasSuffix("."))
                case .closeConnection: break
                }
            }
        }
    }
}
