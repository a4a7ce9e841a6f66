import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// RFC 9112 sections 6 and 7, output side.
@Suite struct EncodingTests {
    private static let hello = Array("hello".utf8)

    private static func wire(_ request: String = Wire.get) throws -> Wire {
        let wire = Wire()
        wire.receive(request)
        try wire.takeRequest()
        return wire
    }

    @Test func `known content: status line, own fields in order, Content-Length, Date`() throws {
        let wire = try Self.wire()
        let fields: Fields = ["X-B": "2", "Content-Type": "text/plain", "x-a": "1", "X-B": "3"]
        expectEqual(wire.answer(Response(status: .created, fields: fields, body: .bytes(Self.hello))), .finished)
        expectEqual(
            wire.written(),
            "HTTP/1.1 201 Created\r\nX-B: 2\r\nContent-Type: text/plain\r\nx-a: 1\r\nX-B: 3\r\n"
                + "Content-Length: 5\r\n\(Wire.dateLine)\r\nhello"
        )
    }

    @Test func `the fast path and the timeline write the same bytes`() throws {
        let fields: Fields = ["Content-Type": "text/plain", "Connection": "keep-alive"]
        for body in [Response.Body.empty, .bytes([]), .bytes(Self.hello)] {
            for request in [Wire.get, "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"] {
                for status in [Status.ok, .noContent, .notModified] {
                    let response = Response(status: status, fields: fields, body: body)
                    let fast = try Self.wire(request)
                    let slow = try Self.wire(request)
                    expectEqual(fast.answer(response), slow.play(response.timeline))
                    expectEqual(fast.output, slow.output)
                }
            }
        }
    }

    @Test func `steps are sent as chunks, one for each`() throws {
        let wire = try Self.wire()
        let steps: [Step] = [
            .bytes(Self.hello), .wait(.seconds(1), .either), .bytes([]), .effect(1),
            .bytes([UInt8](repeating: 0x78, count: 26)), .end,
        ]
        expectEqual(wire.play(Response(status: .ok, body: .steps(steps)).timeline), .finished)
        expectEqual(
            wire.written(),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(Wire.dateLine)\r\n"
                + "5\r\nhello\r\n1a\r\n\(String(repeating: "x", count: 26))\r\n0\r\n\r\n"
        )
    }

    @Test func `of an answer made of steps the fast path writes the head`() throws {
        let wire = try Self.wire()
        let response = Response(status: .ok, body: .steps([.bytes(Self.hello), .end]))
        expectEqual(wire.answer(response), .proceed)
        expectEqual(wire.play([.bytes(Self.hello), .end]), .finished)
        #expect(wire.written().hasSuffix("\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
    }

    @Test func `trailers end a chunked content once`() throws {
        let wire = try Self.wire()
        let head = Step.head(ResponseHead(status: .ok, fields: Fields(), framing: .chunked))
        expectEqual(wire.play([head, .bytes(Self.hello), .trailers(["X-Sum": "1"]), .end]), .finished)
        #expect(wire.written().hasSuffix("5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n"))
    }

    @Test func `trailers of a content of known length are not sent`() throws {
        let wire = try Self.wire()
        let head = Step.head(ResponseHead(status: .ok, fields: Fields(), framing: .length(5)))
        expectEqual(wire.play([head, .bytes(Self.hello), .trailers(["X-Sum": "1"]), .end]), .finished)
        #expect(wire.written().hasSuffix("\r\n\r\nhello"))
    }

    @Test func `HTTP/1.0 never gets chunks: the content ends with the connection`() throws {
        let wire = try Self.wire("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let steps: [Step] = [.bytes(Self.hello), .bytes(Self.hello), .end]
        expectEqual(wire.play(Response(status: .ok, body: .steps(steps)).timeline), .finishedClosing)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\n\(Wire.dateLine)Connection: close\r\n\r\nhellohello")
    }

    @Test func `HTTP/1.0 never gets interim answers`() throws {
        let wire = try Self.wire("GET / HTTP/1.0\r\n\r\n")
        expectEqual(wire.send(.interim(Status(103), Fields())), .proceed)
        expectEqual(wire.written(), "")
    }

    @Test func `interim answers come before the head, as many as there are`() throws {
        let wire = try Self.wire()
        expectEqual(wire.send(.interim(Status(102), Fields())), .proceed)
        expectEqual(wire.send(.interim(Status(103), ["Link": "</a>"])), .proceed)
        expectEqual(wire.answer(), .finished)
        #expect(
            wire.written().hasPrefix(
                "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n"
            )
        )
    }

    @Test func `an interim answer behind the head is not sent`() throws {
        let wire = try Self.wire()
        expectEqual(wire.send(.head(ResponseHead(status: .ok, fields: Fields(), framing: .length(0)))), .proceed)
        _ = wire.written()
        expectEqual(wire.send(.interim(Status(103), Fields())), .proceed)
        expectEqual(wire.written(), "")
    }

    @Test func `HEAD gets the Content-Length of GET and no content`() throws {
        let wire = try Self.wire("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + Wire.get)
        expectEqual(wire.answer(Response(status: .ok, body: .bytes(Self.hello))), .finished)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\(Wire.dateLine)\r\n")
        try wire.takeRequest()
    }

    @Test func `HEAD of steps gets no chunk`() throws {
        let wire = try Self.wire("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        expectEqual(wire.play(Response(status: .ok, body: .steps([.bytes(Self.hello), .end])).timeline), .finished)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\(Wire.dateLine)\r\n")
    }

    @Test func `HEAD of steps in HTTP/1.0 may keep its connection`() throws {
        let wire = try Self.wire("HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        expectEqual(wire.play(Response(status: .ok, body: .steps([.bytes(Self.hello), .end])).timeline), .finished)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\n\(Wire.dateLine)Connection: keep-alive\r\n\r\n")
    }

    @Test(arguments: [204, 304])
    func `204 and 304 have neither content nor length`(_ code: Int) throws {
        let wire = try Self.wire()
        expectEqual(wire.answer(Response(status: Status(code), body: .bytes(Self.hello))), .finished)
        let written = wire.written()
        #expect(!written.contains("Content-Length"))
        #expect(written.hasSuffix("\(Wire.dateLine)\r\n"))
    }

    @Test func `an own Date stays the only one`() throws {
        let wire = try Self.wire()
        expectEqual(wire.answer(Response(status: .ok, fields: ["date": "now"])), .finished)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\ndate: now\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `own framing fields give way to the real framing`() throws {
        let wire = try Self.wire()
        let fields: Fields = ["content-length": "99", "X": "y", "Transfer-Encoding": "gzip"]
        expectEqual(wire.answer(Response(status: .ok, fields: fields, body: .bytes(Self.hello))), .finished)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\(Wire.dateLine)\r\nhello")
    }

    @Test func `an own Connection keep-alive is not doubled`() throws {
        let wire = try Self.wire("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        expectEqual(wire.answer(Response(status: .ok, fields: ["Connection": "keep-alive"])), .finished)
        expectEqual(
            wire.written(),
            "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\(Wire.dateLine)\r\n"
        )
    }

    @Test func `an own Connection keep-alive gives way to close`() throws {
        let wire = try Self.wire("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let fields: Fields = ["Connection": "keep-alive", "X": "y"]
        expectEqual(wire.answer(Response(status: .ok, fields: fields)), .finishedClosing)
        expectEqual(
            wire.written(),
            "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 0\r\n\(Wire.dateLine)Connection: close\r\n\r\n"
        )
    }

    @Test func `an own Connection close closes`() throws {
        let wire = try Self.wire()
        expectEqual(wire.answer(Response(status: .ok, fields: ["Connection": "x, Close"])), .finishedClosing)
        let written = wire.written()
        #expect(written.contains("\r\nConnection: close\r\n"))
        #expect(!written.contains("x, Close"))
    }

    @Test func `an answer that closes says so`() throws {
        let wire = try Self.wire(Wire.get + Wire.get)
        expectEqual(wire.answer(Response(status: .ok, closesConnection: true)), .finishedClosing)
        #expect(wire.written().contains("\r\nConnection: close\r\n"))
        #expect(wire.isQuiet())
    }

    @Test func `a status without a known reason has that of its class`() throws {
        let wire = try Self.wire(Wire.get + Wire.get)
        expectEqual(wire.answer(Response(status: Status(499))), .finished)
        #expect(wire.written().hasPrefix("HTTP/1.1 499 Bad Request\r\n"))
        try wire.takeRequest()
        expectEqual(wire.answer(Response(status: Status(799))), .finished)
        #expect(wire.written().hasPrefix("HTTP/1.1 799 Internal Server Error\r\n"))
    }

    @Test func `a large content has its length in decimal and its chunk size in hexadecimal`() throws {
        let large = [UInt8](repeating: 0x78, count: 1_234_567)
        let wire = try Self.wire(Wire.get + Wire.get)
        expectEqual(wire.answer(Response(status: .ok, body: .bytes(large))), .finished)
        #expect(wire.written().contains("Content-Length: 1234567\r\n"))
        try wire.takeRequest()
        expectEqual(wire.play(Response(status: .ok, body: .steps([.bytes(large), .end])).timeline), .finished)
        #expect(wire.written().contains("\r\n\r\n12d687\r\nxxx"))
    }
}
