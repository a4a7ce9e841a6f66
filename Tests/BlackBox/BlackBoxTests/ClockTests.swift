import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 5, over the wire.
@Suite(.serialized) struct ClockTests {
    private static let pace = """
        {"omnichat":{"stream":{"firstTokenMs":5000,"gapMs":5000,"replyText":"a b c d e f g h"}}}
        """

    @Test func `an advance ends every wait of a stream that lies within it, and no more`() throws {
        let served = try Served()
        try expectEqual(served.control("PUT", "/settings", Self.pace).status, 200)
        let stream = try served.startStream(try served.token())
        try stream.wait(for: "message_start")
        // Four waits of 5 s lie within 20 s.
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":20}"#).json["fired"], 1)
        try stream.wait(for: #""content":" d""#)
        try expectEqual(served.control("GET", "/clock").status, 200)
        #expect(!stream.text.contains(#""content":" e""#))
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":60}"#).json["fired"], 1)
        #expect(try stream.answer().text.hasSuffix("data: [DONE]\n\n"))
    }

    @Test func `the Date of a control answer is that of the world it is about`() throws {
        let served = try Served()
        let world = #"{"name":"later","clock":{"mode":"frozen","now":"2031-05-06T07:08:09Z"}}"#
        try expectEqual(served.control("POST", "/worlds", world).status, 201)
        let answer = try Wire(port: served.hub).ask("GET", "/@later/__admin/clock")
        expectEqual(answer["Date"], "Tue, 06 May 2031 07:08:09 GMT")
        try expectEqual(served.control("GET", "/clock")["Date"], "Wed, 01 Jan 2025 12:00:00 GMT")
    }

    @Test func `OPTIONS of the whole server is 204 with the methods`() throws {
        let served = try Served()
        for port in [served.hub, served.api] {
            let answer = try Wire(port: port).ask("OPTIONS", "*")
            expectEqual(answer.status, 204)
            expectEqual(answer["Allow"]?.contains("PATCH"), true)
        }
    }
}
