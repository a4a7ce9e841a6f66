import CivilTime
import Crypto
import HTTPMessage
import JSON
import Recording
import Secrets
import TestSupport
import Testing

/// Secrets planted in every place of an exchange, none of which may be in the written text.
@Suite struct RedactionTests {
    private static let jwt = Self.token(#"{"sub":"anna","iat":1735732800,"exp":1735736400}"#)
    private static let email = "anna.andersson+test@example.com"
    private static let phone = "+46701234567"
    private static let saudiPhone = "+966 50 123 4567"
    private static let personal = "19811218-9876"
    private static let opaque = "Zk3v-9x_Q2m8T7LrW1p0SecretValue"

    private static func token(_ payload: String) -> String {
        JWT.signed(
            header: Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8),
            payload: Array(payload.utf8),
            key: .hs256(HMACKey(secret: [1, 2, 3]))
        )
    }

    private static let planted = [
        jwt, email, phone, saudiPhone, personal, opaque, "hunter2-and-more", "c00kie-value-1",
    ]

    private static func entry() -> HAREntry {
        var request = HARRequest(
            method: "POST",
            url:
                "https://api.example.com/users/\(email)/reset-token/\(opaque)?access_token=\(opaque)&mail=\(email.percentEncodedComponent)&ok=1",
            headers: [
                HARPair("Authorization", "Bearer \(jwt)"), HARPair("Cookie", "sid=c00kie-value-1; theme=dark-c00kie"),
                HARPair("X-Api-Key", opaque), HARPair("X-User", email),
                HARPair("Proxy-Authorization", "Basic aHVudGVyMjph"),
                HARPair("Referer", "https://x/?token=\(opaque)"), HARPair("X-Note", "call \(phone) or \(saudiPhone)"),
            ]
        )
        request.cookies = [HARCookie(name: "sid", value: "c00kie-value-1")]
        request.query = [HARPair("access_token", opaque), HARPair("mail", email)]
        let body =
            #"{"email":"\#(email)","password":"hunter2-and-more","nested":{"tokens":["\#(opaque)"],"note":"pnr \#(personal)"},"phone":46701234567,"code":"123456","blob":"{\"refreshToken\":\"\#(opaque)\"}","n":1.50}"#
        request.postData = HARPostData(mimeType: "application/json", bytes: Array(body.utf8))
        let answer = #"{ "accessToken" : "\#(jwt)", "text": "mail \#(email), call \#(phone)", "a": [1, 2] }"#
        var response = HARResponse(
            status: 200,
            statusText: "OK",
            headers: [
                HARPair("Set-Cookie", "sid=c00kie-value-1; Path=/; HttpOnly"),
                HARPair("Location", "https://x/cb?code=\(opaque)&state=1"), HARPair("X-Refresh-Token", opaque),
            ],
            content: HARContent(size: 10, mimeType: "application/json", bytes: Array(answer.utf8))
        )
        response.redirectURL = "https://x/cb?code=\(opaque)"
        response.error = "could not mail \(email)"
        var entry = HAREntry(started: .epoch, request: request, response: response, timings: HARTimings())
        entry.comment = "by \(email)"
        return entry
    }

    private static func written(_ entry: HAREntry, by redactor: Redactor = Redactor()) -> String {
        String(decoding: HARText.file([redactor.entry(entry)], version: "1"), as: UTF8.self)
    }

    private static func expectClean(_ text: String, _ secrets: [String] = planted) {
        for secret in secrets {
            #expect(!text.contains(secret), "\(secret) is in \(text)")
            #expect(!text.contains(secret.percentEncodedComponent))
            #expect(!text.contains(Base64.encode(Array(secret.utf8))))
        }
    }

    @Test func `13 no secret of any kind is left in any place`() {
        let text = Self.written(Self.entry())
        Self.expectClean(text, Self.planted + ["46701234567", "123456", "aHVudGVyMjph", "dark-c00kie"])
    }

    @Test func `13 scheme words, attributes and everything else stay as they were`() throws {
        let clean = Redactor().entry(Self.entry())
        #expect(clean.request.headers[0].value.hasPrefix("Bearer ey"))
        #expect(clean.request.headers[4].value.hasPrefix("Basic "))
        expectEqual(clean.response.headers[0].value, "sid=redacted-cookie-1; Path=/; HttpOnly")
        #expect(clean.request.url.hasSuffix("&ok=1"))
        let answer = String(decoding: clean.response.content.bytes ?? [], as: UTF8.self)
        #expect(answer.hasPrefix(#"{ "accessToken" : "ey"#))
        #expect(answer.hasSuffix(#", "a": [1, 2] }"#))
        let body = try JSONReader.read(clean.request.postData?.bytes ?? [])
        expectEqual(body["n"]?.text, "1.50")
        expectEqual(body["email"], "redacted-email-1@example.invalid")
        expectEqual(body["phone"]?.text.count, 11)
        expectEqual(body["code"]?.stringValue?.count, 6)
    }

    @Test func `13 a stand-in keeps its form, and equal values keep equal ones`() throws {
        let redactor = Redactor()
        let stand = redactor.header("Authorization", "Bearer \(Self.jwt)").dropFirst("Bearer ".count)
        let parts = try JWT.Parts(parsing: String(stand))
        let payload = try JSONReader.read(parts.payloadBytes)
        expectEqual(payload["exp"], 1_735_736_400)
        expectEqual(payload["sub"], "redacted-jwt-1")
        expectEqual(redactor.text("a \(Self.jwt) b"), "a \(stand) b")
        expectEqual(redactor.text(Self.phone).utf8.count, Self.phone.utf8.count)
        #expect(redactor.text(Self.phone).hasPrefix("+"))
        expectEqual(redactor.text(Self.personal).utf8.count, Self.personal.utf8.count)
        expectEqual(
            redactor.text("a@b.se c@d.se a@b.se"),
            "redacted-email-1@example.invalid redacted-email-2@example.invalid redacted-email-1@example.invalid"
        )
        expectEqual(Redactor().text("c@d.se"), "redacted-email-1@example.invalid")
    }

    @Test func `13 what is redacted stays as it is when it is redacted again`() {
        let once = Redactor().entry(Self.entry())
        expectEqual(Redactor().entry(once), once)
    }

    @Test func `13 an opaque secret that was seen under its name is found everywhere after`() {
        let redactor = Redactor()
        _ = redactor.value(Self.opaque, under: "refreshToken")
        expectEqual(redactor.text("see /x/\(Self.opaque)."), "see /x/redacted-token-1.")
        redactor.pseudonyms.learn("issued~by~understudy")
        expectEqual(redactor.text("issued~by~understudy"), "redacted-token-2")
    }

    @Test func `13 forms and multipart lose their secrets part by part`() throws {
        var entry = Self.entry()
        let form = "username=\(Self.email.percentEncodedComponent)&password=hunter2-and-more&otp=123456&lang=sv"
        entry.request.postData = HARPostData(
            mimeType: "application/x-www-form-urlencoded",
            parameters: [HARParameter(name: "password", value: "hunter2-and-more")],
            bytes: Array(form.utf8)
        )
        let text = Self.written(entry)
        Self.expectClean(text)
        #expect(text.contains("&lang=sv"))
        let type = "multipart/form-data; boundary=xYz"
        let body =
            "--xYz\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2-and-more\r\n"
            + "--xYz\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\(Self.email).json\"\r\nContent-Type: application/json\r\n\r\n"
            + "{\"refreshToken\":\"\(Self.opaque)\"}\r\n--xYz\r\nContent-Disposition: form-data; name=\"keep\"\r\n\r\nthis\r\n--xYz--\r\n"
        entry.request.postData = HARPostData(mimeType: type, bytes: Array(body.utf8))
        let clean = Redactor().entry(entry).request.postData?.bytes ?? []
        Self.expectClean(String(decoding: clean, as: UTF8.self))
        let parts = try MultipartParser.parse(body: clean, contentType: type)
        expectEqual(parts.map(\.name), ["password", "f", "keep"])
        expectEqual(parts[2].text, "this")
    }

    @Test func `13 secrets in text, logs and HTML are found by their form`() {
        let texts = [
            "mail \(Self.email)!", "<a href=\"mailto:\(Self.email)\">", "tel:\(Self.phone)", "ring \(Self.saudiPhone).",
            "pnr=\(Self.personal),", "Authorization: Bearer \(Self.opaque)", "token=\(Self.opaque)&x=1",
            "(\(Self.jwt))", "x\(Self.jwt)", "\"password\": \"hunter2-and-more\"", "0701234567", "00966501234567",
            "811218-9876", "198112189876",
        ]
        for text in texts {
            let clean = Redactor().text(text)
            Self.expectClean(clean, Self.planted + ["0701234567", "00966501234567", "811218-9876", "198112189876"])
            #expect(clean != text)
        }
    }

    @Test func `13 what only looks like a secret stays`() {
        for text in [
            "2025-01-01T12:00:00.000Z", "1735732800", "1735732800000", "icon@2x.png", "3.14159265", "v1.2.3",
            "0f8fad5b-d9cd-469f-a165-70867728950e", "conv_welcome_00000001", "Content-Type: text/plain", "a@b",
            "192.168.100.100", "10.0.0.1:8080", "the password is wrong", "tokens: 5",
        ] {
            expectEqual(Redactor().text(text), text)
        }
        for (name, value) in [("tokenType", "Bearer"), ("code", "INVALID_TOKEN"), ("code", "sv"), ("maxTokens", "100")]
        {
            expectEqual(Redactor().value(value, under: name), value)
        }
    }

    @Test func `13 a secret split over two stream frames at any byte is caught`() throws {
        for secret in [Self.jwt, Self.email, Self.phone] {
            for cut in 1..<secret.utf8.count {
                let left = String(decoding: secret.utf8.prefix(cut), as: UTF8.self)
                let right = String(decoding: secret.utf8.dropFirst(cut), as: UTF8.self)
                let stream =
                    "data: {\"type\":\"delta\",\"delta\":\"say \(left)\"}\n\n"
                    + "data: {\"type\":\"delta\",\"delta\":\"\(right) now\"}\n\ndata: [DONE]\n\n"
                let clean = String(
                    decoding: Redactor().content(Array(stream.utf8), type: "text/event-stream"),
                    as: UTF8.self
                )
                var parser = EventStreamParser()
                let deltas = parser.feed(Array(clean.utf8)[...]).dropLast()
                    .compactMap { (try? JSONReader.read(text: $0.data))?["delta"]?.stringValue }
                let said = deltas.joined()
                #expect(!said.contains(secret), "cut at \(cut)")
                #expect(said.hasPrefix("say ") && said.hasSuffix(" now"))
                #expect(clean.contains("data: [DONE]"))
            }
        }
    }

    @Test func `13 a secret split over chunks of the wire is caught at every byte`() {
        let body = Array("{\"password\":\"hunter2-and-more\",\"m\":\"\(Self.email)\"}".utf8)
        for cut in 1..<body.count {
            var capture = CapturedExchange(
                started: .epoch,
                method: "GET",
                url: "https://x/",
                fields: Fields(),
                body: []
            )
            capture.status = 200
            capture.responseFields = [.contentType: "application/json"]
            capture.received(Array(body[..<cut]), at: .zero)
            capture.received(Array(body[cut...]), at: .zero)
            Self.expectClean(Self.written(capture.entry(keepsUndecoded: false)))
        }
    }

    @Test func `13 events beside the content lose the same secrets`() {
        var capture = CapturedExchange(started: .epoch, method: "GET", url: "https://x/", fields: Fields(), body: [])
        capture.status = 200
        capture.responseFields = [.contentType: "text/event-stream"]
        capture.received(Array("data: {\"m\":\"\(Self.email)\"}\n\ndata: tail \(Self.phone)\n\n".utf8), at: .zero)
        let text = Self.written(capture.entry(keepsUndecoded: false))
        Self.expectClean(text)
        #expect(text.contains("_eventSourceMessages"))
    }

    @Test func `13 content that is no JSON after all is looked at as text`() {
        for body in [
            "{\"password\":\"hunter2-and-more\"", "{'token':'\(Self.opaque)'}", "[\(Self.jwt)",
            "{}\n{\"secret\":\"\(Self.opaque)\"}\n",
        ] {
            let clean = String(decoding: Redactor().content(Array(body.utf8), type: "application/json"), as: UTF8.self)
            Self.expectClean(clean)
        }
        let binary: [UInt8] = [0xFF, 0xD8, 0] + Array(" \(Self.email) ".utf8) + [0xFE]
        let clean = Redactor().content(binary, type: "image/jpeg")
        #expect(!String(decoding: clean, as: UTF8.self).contains(Self.email))
        #expect(clean.starts(with: [0xFF, 0xD8, 0]))
    }

    @Test func `13 hostile text takes linear time`() {
        let texts = [
            String(repeating: "@", count: 200_000), String(repeating: "a@", count: 100_000),
            String(repeating: "eyJ", count: 100_000), String(repeating: "eyJhIjoxfQ.", count: 20_000),
            String(repeating: "1-", count: 100_000), String(repeating: "+1 ", count: 70_000),
            String(repeating: "=", count: 200_000), String(repeating: "%40", count: 70_000),
            String(repeating: "token=", count: 50_000), String(repeating: "\"", count: 200_000),
        ]
        for text in texts { #expect(!Redactor().text(text).isEmpty) }
    }
}
