import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// Steps of deliberately broken answers, and answers that do not fit their head.
@Suite struct FaultStepTests {
    private static let hello = Array("hello".utf8)
    private static let knownHead = Step.head(ResponseHead(status: .ok, fields: Fields(), framing: .length(5)))

    private static func wire() throws -> Wire {
        let wire = Wire()
        wire.receive(Wire.get)
        try wire.takeRequest()
        return wire
    }

    @Test func `close, abort and hold say so`() throws {
        var wire = try Self.wire()
        expectEqual(wire.send(.close), .closeConnection)
        #expect(wire.isQuiet())
        wire = try Self.wire()
        expectEqual(wire.send(.abort), .resetConnection)
        #expect(!wire.machine.wantsRead)
        wire = try Self.wire()
        expectEqual(wire.send(.hold), .hold)
        expectNil(wire.machine.deadline)
        wire.receive(Wire.get)
        #expect(wire.isQuiet(), "a held connection reads nothing more")
        expectEqual(wire.machine.bufferedBytes, 0)
    }

    @Test func `raw bytes go out as they are, and the connection closes after the answer`() throws {
        var wire = try Self.wire()
        let head = Step.head(ResponseHead(status: .ok, fields: Fields(), framing: .chunked))
        expectEqual(wire.play([head, .raw(Array("zz\r\n".utf8)), .end]), .finishedClosing)
        #expect(wire.written().hasSuffix("\r\n\r\nzz\r\n0\r\n\r\n"))
        wire = try Self.wire()
        expectEqual(wire.play([.raw([0xFF, 0x00]), .end]), .finishedClosing)
        expectEqual(wire.output, [0xFF, 0x00])
    }

    @Test func `an answer shorter than its Content-Length closes the connection`() throws {
        let wire = try Self.wire()
        expectEqual(wire.play([Self.knownHead, .bytes(Array("hell".utf8)), .end]), .finishedClosing)
        #expect(wire.written().hasSuffix("Content-Length: 5\r\n\(Wire.dateLine)\r\nhell"))
    }

    @Test func `an answer longer than its Content-Length is cut there`() throws {
        let wire = try Self.wire()
        expectEqual(wire.play([Self.knownHead, .bytes(Array("hel".utf8)), .bytes(Array("lo!".utf8)), .end]), .finished)
        #expect(wire.written().hasSuffix("\r\n\r\nhello"))
    }

    @Test func `a second head and content before a head are not sent`() throws {
        let wire = try Self.wire()
        expectEqual(wire.send(.bytes(Self.hello)), .proceed)
        expectEqual(wire.written(), "")
        expectEqual(wire.play([Self.knownHead, .bytes(Self.hello)]), .proceed)
        let once = wire.written()
        expectEqual(wire.send(Self.knownHead), .proceed)
        expectEqual(wire.send(.end), .finished)
        expectEqual(wire.written(), "")
        #expect(once.hasSuffix("\r\n\r\nhello"))
    }

    @Test func `an end without a head closes without an answer`() throws {
        let wire = try Self.wire()
        expectEqual(wire.send(.end), .finishedClosing)
        expectEqual(wire.written(), "")
    }

    @Test func `content behind the trailers is not sent`() throws {
        let wire = try Self.wire()
        let head = Step.head(ResponseHead(status: .ok, fields: Fields(), framing: .chunked))
        expectEqual(wire.play([head, .trailers(Fields()), .bytes(Self.hello), .trailers(Fields()), .end]), .finished)
        #expect(wire.written().hasSuffix("\r\n\r\n0\r\n\r\n"))
    }

    @Test func `nothing is written behind a half-close`() throws {
        let wire = try Self.wire()
        expectEqual(wire.play([Self.knownHead, .bytes(Array("he".utf8))]), .proceed)
        expectEqual(wire.send(.halfClose), .halfCloseConnection)
        _ = wire.written()
        expectEqual(
            wire.play([.bytes(Self.hello), .raw(Self.hello), .trailers(Fields()), .wait(.zero, .world)]),
            .proceed
        )
        expectEqual(wire.send(.end), .finishedClosing)
        expectEqual(wire.written(), "")
    }

    @Test func `an answer to nothing closes and writes nothing`() {
        let wire = Wire()
        expectEqual(wire.answer(), .closeConnection)
        expectEqual(wire.send(.bytes(Self.hello)), .closeConnection)
        expectEqual(wire.written(), "")
    }

    @Test func `admitting or answering early without a head changes nothing`() throws {
        let wire = Wire()
        wire.machine.admit(wire.admission, now: wire.now, into: &wire.output)
        wire.machine.answerEarly()
        #expect(wire.machine.isIdle)
        wire.receive(Wire.get)
        try wire.takeRequest()
    }

    @Test func `input after the end changes nothing`() {
        let wire = Wire()
        wire.machine.peerClosed(now: wire.now)
        #expect(wire.closes())
        wire.receive(Wire.get)
        wire.machine.beginDrain()
        wire.machine.beganLingering(now: wire.now)
        wire.fireTimer()
        #expect(wire.isQuiet())
        expectEqual(wire.machine.bufferedBytes, 0)
    }

    @Test func `a value with a line end never reaches the wire`() throws {
        var fields = Fields()
        fields.append("X", "a\r\nInjected: b")
        fields.append("X", "a\0")
        let wire = try Self.wire()
        expectEqual(wire.answer(Response(status: .ok, fields: fields)), .finished)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(Wire.dateLine)\r\n")
    }
}
