import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// Wire contract, sections 4 and 5: bytes outside any framing that keep the connection, content that ends with the
/// connection, and `100 Continue` that is withheld.
@Suite struct ByHandTests {
    private static let hello = Array("hello".utf8)
    private static let upload = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
    private static let interim = "HTTP/1.1 100 Continue\r\n\r\n"

    private static func wire() throws -> Wire {
        let wire = Wire()
        wire.receive(Wire.get)
        try wire.takeRequest()
        return wire
    }

    @Test func `4 bytes behind the content leave the connection`() throws {
        let wire = try Self.wire()
        let head = Step.head(ResponseHead(status: .ok, fields: Fields(), framing: .length(5)))
        expectEqual(wire.play([head, .bytes(Self.hello), .stray(Array("more".utf8)), .end]), .finished)
        #expect(wire.written().hasSuffix("\r\n\r\nhellomore"))
        wire.receive(Wire.get)
        try wire.takeRequest()
    }

    @Test func `4 bytes before a head stand for the answer, and no head follows`() throws {
        let wire = try Self.wire()
        let head = Step.head(ResponseHead(status: .ok, fields: Fields(), framing: .length(0)))
        expectEqual(wire.play([.stray(Self.hello), head, .bytes(Self.hello), .end]), .finished)
        expectEqual(wire.written(), "hello")
        #expect(wire.machine.isIdle)
    }

    @Test func `4 content that ends with the connection has neither length nor chunks, and says that it closes`() throws
    {
        let wire = try Self.wire()
        let head = Step.head(ResponseHead(status: .ok, fields: ["Content-Length": "5"], framing: .untilClose))
        expectEqual(wire.play([head, .bytes(Self.hello), .end]), .finishedClosing)
        expectEqual(wire.written(), "HTTP/1.1 200 OK\r\n\(Wire.dateLine)Connection: close\r\n\r\nhello")
    }

    @Test func `4 a 100 that is withheld is written later, unless content has come`() throws {
        for content in ["", "h"] {
            let wire = Wire()
            wire.admission.sendsContinue = false
            wire.receive(Self.upload)
            try wire.admitHead()
            expectEqual(wire.written(), "")
            #expect(wire.isQuiet(), "the content is awaited")
            wire.receive(content)
            wire.machine.writeContinue(into: &wire.output)
            expectEqual(wire.written(), content.isEmpty ? Self.interim : "")
            wire.receive(String("hello".dropFirst(content.count)))
            try expectEqual(wire.handedOver().body.bytes, Self.hello)
            wire.machine.writeContinue(into: &wire.output)
            expectEqual(wire.written(), "")
            expectEqual(wire.answer(), .finished)
        }
    }
}
