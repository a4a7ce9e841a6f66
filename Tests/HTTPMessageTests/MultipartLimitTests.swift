import HTTPMessage
import TestSupport
import Testing

@Suite struct MultipartLimitTests {
    static let type = "multipart/form-data; boundary=b"
    static let part = "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n"

    static func parse(_ body: String) throws(MultipartError) -> [MultipartPart] {
        try MultipartParser.parse(body: Array(body.utf8), contentType: type)
    }

    @Test func `100 parts are taken and 101 are not (control contract, section 14)`() throws {
        try expectEqual(Self.parse(String(repeating: Self.part, count: 100) + "--b--").count, 100)
        #expect(throws: MultipartError.tooManyParts(limit: 100)) {
            try Self.parse(String(repeating: Self.part, count: 101) + "--b--")
        }
    }

    @Test func `16 headers are taken and 17 are not`() throws {
        func body(_ count: Int) -> String {
            "--b\r\nContent-Disposition: form-data; name=a\r\n" + String(repeating: "X: y\r\n", count: count - 1)
                + "\r\n1\r\n--b--"
        }
        try expectEqual(Self.parse(body(16)).first?.headers.count, 16)
        #expect(throws: MultipartError.tooManyHeaders(part: 1, limit: 16)) { try Self.parse(body(17)) }
        #expect(throws: MultipartError.tooManyHeaders(part: 1, limit: 16)) { try Self.parse(body(100_000)) }
    }

    @Test func `8 KiB of headers are taken and a byte more is not`() throws {
        func body(_ length: Int) -> String {
            let disposition = "Content-Disposition: form-data; name=a\r\n"
            let rest = length - disposition.utf8.count - "X: \r\n".utf8.count
            return "--b\r\n\(disposition)X: \(String(repeating: "y", count: rest))\r\n\r\n1\r\n--b--"
        }
        try expectEqual(Self.parse(body(8_192)).count, 1)
        for length in [8_193, 8_194, 8_195, 8_196, 100_000] {
            #expect(throws: MultipartError.headersTooLong(part: 1, limit: 8_192)) { try Self.parse(body(length)) }
        }
    }

    @Test func `a header without an end is refused once it is too long`() {
        #expect(throws: MultipartError.headersTooLong(part: 1, limit: 8_192)) {
            try Self.parse("--b\r\n" + String(repeating: "x", count: 1_000_000))
        }
    }

    @Test func `a body cut anywhere is refused`() throws {
        let whole = Array(
            ("preamble\r\n--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f\"\r\n"
                + "Content-Type: text/plain\r\n\r\n"
                + "one\r\n--b\r\nContent-Disposition: form-data; name=b\r\n\r\ntwo\r\n--b--").utf8
        )
        try expectEqual(MultipartParser.parse(body: whole, contentType: Self.type).count, 2)
        for length in 0..<whole.count {
            #expect(throws: MultipartError.self, "cut to \(length)") {
                try MultipartParser.parse(body: Array(whole[..<length]), contentType: Self.type)
            }
        }
    }

    @Test func `any bytes are parsed or refused`() {
        let seed: UInt64 = 2_046
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "--b", "\r\n", "--", "\r", "\n", "Content-Disposition: form-data; name=a", "x", ":", ";", "\"", "filename=",
            " ", "%22",
        ].map { Array($0.utf8) }
        var parsed = 0
        for _ in 0..<20_000 {
            var body = Bool.random(using: &random) ? Array("--b\r\n".utf8) : []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                body += pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }
            if Bool.random(using: &random) { body += Array("\r\n--b--".utf8) }
            guard let parts = try? MultipartParser.parse(body: body, contentType: Self.type) else { continue }
            parsed += 1
            #expect(parts.allSatisfy { $0.content.endIndex <= body.count && !$0.headers.isEmpty }, "seed \(seed)")
        }
        #expect(parsed > 50, "seed \(seed)")
    }

    @Test func `a million tiny parts are refused at the limit`() {
        let body = Array(
            String(repeating: "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n", count: 1_000_000).utf8
        )
        let elapsed = ProcessorTime.measure {
            #expect(throws: MultipartError.tooManyParts(limit: 100)) {
                try MultipartParser.parse(body: body, contentType: Self.type)
            }
        }
        #expect(elapsed < .milliseconds(500))
    }

    @Test func `content that is nearly the boundary again and again takes linear time`() throws {
        let boundary = String(repeating: "-", count: 69) + "x"
        let head = Array("--\(boundary)\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8)
        let tail = Array("\r\n--\(boundary)--".utf8)
        func time(_ count: Int, _ unit: [UInt8]) throws -> Duration {
            let body = head + Array(repeatElement(unit, count: count / unit.count).joined()) + tail
            return try ProcessorTime.measure {
                let parts = try MultipartParser.parse(
                    body: body,
                    contentType: "multipart/form-data; boundary=\(boundary)"
                )
                expectEqual(parts.first?.content.count, count / unit.count * unit.count)
            }
        }
        for unit in [Array("\r\n--".utf8) + [UInt8](repeating: 0x2D, count: 69), [0x0D], [0x0D, 0x0A], [0x2D]] {
            // Quadratic time would be a factor of 256; the slack is for a busy machine.
            let short = try time(1 << 14, unit)
            let long = try time(1 << 18, unit)
            #expect(long < max(short * 100, .milliseconds(250)))
        }
    }
}
