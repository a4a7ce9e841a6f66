import CivilTime
import Crypto
import HTTPMessage
import Recording
import TestSupport
import Testing

/// Requests with compressed content, which is searched like any other.
@Suite struct CodedRequestTests {
    private static let text = #"{"email":"anna@example.com","password":"hunter2-gzip"}"#
    private static let gzip =
        "H4sIAAAAAAACA6tWSs1NzMxRslJKzMtLdEitSMwtyEnVS87PVdJRKkgsLi7PL0oBymaU5pWkFhnppldlFijVAgA6AsHNNgAAAA=="
    private static let deflate =
        "eNqrVkrNTczMUbJSSszLS3RIrUjMLchJ1UvOz1XSUSpILC4uzy9KAcpmlOaVpBYZ6aZXZRYo1QIAB2cTCg=="
    private static let coded = [("gzip", gzip), ("X-GZip", gzip), ("deflate", deflate), ("identity, gzip", gzip)]

    private static func exchange(_ coding: String, _ body: [UInt8]) -> CapturedExchange {
        var exchange = CapturedExchange(
            started: .epoch,
            method: "POST",
            url: "https://api.example.com/login",
            fields: ["Content-Type": "application/json", "Content-Encoding": coding],
            body: body
        )
        exchange.status = 200
        return exchange
    }

    @Test(arguments: coded)
    func `13 a compressed request is decoded, and then has no secret left`(coding: String, base64: String) throws {
        let body = try #require(Base64.decode(base64))
        let entry = Self.exchange(coding, body).entry(keepsUndecoded: false)
        expectEqual(entry.request.postData?.bytes, Array(Self.text.utf8))
        expectEqual(entry.request.bodySize, body.count)
        let written = String(decoding: HARText.file([Redactor().entry(entry)], version: "1"), as: UTF8.self)
        for secret in ["anna@example.com", "hunter2", String(base64.prefix(40))] {
            #expect(!written.contains(secret), "\(secret)")
        }
        #expect(written.contains("redacted-email-1@example.invalid"))
    }

    @Test(arguments: ["br", "zstd", "gzip"])
    func `13 what can't be decoded is left out, unless secrets are kept`(coding: String) throws {
        // With the marks of gzip and zstd, and the control characters that every coded content has.
        let body = [0x1F, 0x8B, 0x08, 0x00] + Array("no such coding, and a secret: hunter2".utf8)
        let left = try #require(Self.exchange(coding, body).entry(keepsUndecoded: false).request.postData)
        #expect(left.bytes.isEmpty)
        expectEqual(left.comment?.contains("left out"), true)
        let kept = try #require(Self.exchange(coding, body).entry(keepsUndecoded: true).request.postData)
        expectEqual(kept.bytes, body)
    }

    @Test(arguments: coded)
    func `13 a compressed request is matched by what it says`(coding: String, base64: String) throws {
        let body = try #require(Base64.decode(base64))
        var book = OneReader(ReplayIndex())
        book.add(Self.exchange(coding, body).entry(keepsUndecoded: false), file: 0, offset: 0, length: 1)
        func live(_ body: [UInt8], _ coding: String?) -> RequestFingerprint {
            book.fingerprinter.fingerprint(
                method: "POST",
                path: "/login",
                query: nil,
                contentType: "application/json",
                coding: coding,
                body: body
            )
        }
        expectEqual(book.candidate(for: live(body, coding), failsWhenExhausted: false), .line(0))
        expectEqual(book.candidate(for: live(Array(Self.text.utf8), nil), failsWhenExhausted: false), .line(0))
        expectEqual(book.candidate(for: live(Array("{}".utf8), nil), failsWhenExhausted: false), .none)
        // A foreign archive may hold it as it was on the wire.
        var foreign = OneReader(ReplayIndex())
        var entry = Self.exchange(coding, body).entry(keepsUndecoded: false)
        entry.request.postData?.bytes = body
        foreign.add(entry, file: 0, offset: 0, length: 1)
        expectEqual(foreign.candidate(for: live(body, coding), failsWhenExhausted: false), .line(0))
    }
}
