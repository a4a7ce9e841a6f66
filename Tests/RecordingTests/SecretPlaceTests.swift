import CivilTime
import Crypto
import HTTPMessage
import JSON
import Recording
import TestSupport
import Testing

/// Every kind of secret in every place of an exchange: none is left.
@Suite struct SecretPlaceTests {
    /// Secrets that are recognised by their form, in any place.
    private static let formed: [(kind: String, text: String)] = [
        ("JWT", token("{\"sub\":\"anna\"}")), ("encrypted JWT", encrypted),
        ("e-mail address", "anna.andersson+test@example.com"), ("international phone", "+46701234567"),
        ("spaced phone", "+966 50 123 4567"), ("local phone", "0701234567"), ("personal number", "19811218-9876"),
        ("national number", "1098765439"),
    ]

    /// A secret that is recognised only by its name or its place.
    private static let opaque = "Zk3v-9x_Q2m8T7LrW1p0SecretValue"

    private static func token(_ payload: String) -> String {
        JWT.signed(
            header: Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8),
            payload: Array(payload.utf8),
            key: .hs256(HMACKey(secret: [1, 2, 3]))
        )
    }

    private static var encrypted: String {
        let header = Base64URL.encode(Array(#"{"alg":"dir","enc":"A128GCM"}"#.utf8))
        return "\(header)..MTIzNDU2Nzg5MDEy.Y2lwaGVydGV4dC1vZi1hbm5h.dGFnLXRhZy10YWctdGFn"
    }

    private static func entry(
        url: String = "https://api.example.com/a",
        fields: [HARPair] = [],
        body: String = "",
        type: String = "application/json",
        answerFields: [HARPair] = [],
        answer: String = "",
        answerType: String = "application/json"
    ) -> HAREntry {
        var request = HARRequest(method: "POST", url: url, headers: fields)
        request.query = HARAddress(url)?.queryPairs ?? []
        if !body.isEmpty { request.postData = HARPostData(mimeType: type, bytes: Array(body.utf8)) }
        let response = HARResponse(
            status: 200,
            statusText: "OK",
            headers: answerFields,
            content: HARContent(size: 1, mimeType: answerType, bytes: Array(answer.utf8))
        )
        return HAREntry(started: .epoch, request: request, response: response, timings: HARTimings())
    }

    /// The file's text, and with it every base64 value decoded.
    private static func written(_ entry: HAREntry) -> String {
        let clean = Redactor().entry(entry)
        return String(decoding: HARText.file([clean], version: "1"), as: UTF8.self)
            + String(decoding: clean.request.postData?.bytes ?? [], as: UTF8.self)
            + String(decoding: clean.response.content.bytes ?? [], as: UTF8.self)
    }

    private static func multipart(_ name: String, _ value: String, file: Bool = false) -> String {
        "--edge\r\nContent-Disposition: form-data; name=\"\(name)\"\(file ? "; filename=\"a.txt\"" : "")\r\n\r\n"
            + "\(value)\r\n--edge--\r\n"
    }

    private static let multipartType = "multipart/form-data; boundary=edge"

    private static func places(of text: String) -> [(place: String, entry: HAREntry)] {
        let coded = text.percentEncodedComponent
        let plus = coded.split(separator: "%20").joined(separator: "+")
        let json = JSON.string("see \(text) there").text
        return [
            ("a header field", entry(fields: [HARPair("X-Note", "for \(text)")])),
            ("an answer's header field", entry(answerFields: [HARPair("X-Note", text)])),
            ("Link", entry(answerFields: [HARPair("Link", "<https://a.example/x?q=\(coded)>; rel=next")])),
            ("Location", entry(answerFields: [HARPair("Location", "https://a.example/x?q=\(coded)")])),
            ("Referer", entry(fields: [HARPair("Referer", "https://a.example/\(coded)")])),
            ("a query", entry(url: "https://api.example.com/a?q=\(coded)&x=1")),
            ("a query with plus signs", entry(url: "https://api.example.com/a?q=\(plus)&x=1")),
            ("a name in a query", entry(url: "https://api.example.com/a?\(coded)")),
            ("a form", entry(body: "q=\(coded)&x=1", type: "application/x-www-form-urlencoded")),
            ("a JSON text", entry(body: "{\"note\":\(json),\"x\":[1,{\"deep\":[\(json)]}]}")),
            ("a JSON name", entry(body: "{\(JSON.string(text).text):1}")),
            ("a JSON top-level text", entry(answer: json)),
            ("JSON inside a JSON text", entry(answer: JSON.object(["a": .string("{\"b\":\(json)}")]).text)),
            ("JSON that is cut", entry(answer: "{\"a\":1,\"note\":\(json)")),
            ("JSON lines", entry(answer: "{\"a\":\(json)}\n{\"b\":2}\n", answerType: "application/x-ndjson")),
            ("multipart", entry(body: multipart("note", text), type: multipartType)),
            ("a file in multipart", entry(body: multipart("file", text, file: true), type: multipartType)),
            ("plain text", entry(answer: "so \(text), and", answerType: "text/plain")),
            ("XML", entry(answer: "<r><n>\(text)</n></r>", answerType: "application/xml")),
            ("an unknown type", entry(answer: "so \(text).", answerType: "x-unknown")),
            ("an event", entry(answer: "data: \(text)\n\n", answerType: "text/event-stream")),
            ("a comment in a stream", entry(answer: ": \(text)\n\n", answerType: "text/event-stream")),
            ("an event's id", entry(answer: "id: \(text)\ndata: 1\n\n", answerType: "text/event-stream")),
        ]
    }

    @Test func `13 what is a secret by its form is found in every place`() {
        for secret in Self.formed {
            for (place, entry) in Self.places(of: secret.text) {
                let text = Self.written(entry)
                #expect(!text.contains(secret.text), "\(secret.kind) in \(place): \(text)")
                #expect(!text.contains(secret.text.percentEncodedComponent), "\(secret.kind) in \(place): \(text)")
            }
        }
    }

    @Test func `13 a token and an e-mail address are found in a path`() {
        for secret in Self.formed.prefix(3) {
            let text = Self.written(Self.entry(url: "https://api.example.com/users/\(secret.text)/x"))
            #expect(!text.contains(secret.text), "\(secret.kind): \(text)")
        }
    }

    private static let names = [
        "password", "Password", "PASSWORD", "newPassword", "new_password", "new-password", "user[password]", "passwd",
        "access_token", "accessToken", "AccessToken", "ACCESS_TOKEN", "access-token", "refreshToken", "id_token",
        "clientSecret", "client_secret", "api_key", "apiKey", "X-Api-Key", "sessionId", "JSESSIONID", "PHPSESSID",
        "csrf", "X-CSRF", "_csrf", "X-XSRF", "X-Amz-Signature", "X-Goog-Signature", "X-Amz-Security-Token",
        "X-Amz-Credential", "sig", "signature", "assertion", "code_verifier", "magicLink", "session", "refresh", "code",
    ]

    @Test(arguments: names)
    func `13 a value under a telling name is gone in query, form, JSON, multipart, events, XML and header fields`(
        name: String
    ) {
        let coded = name.percentEncodedComponent
        let plain = name.filter { $0 != "[" && $0 != "]" }
        var places = [
            ("query", Self.entry(url: "https://api.example.com/a?\(coded)=\(Self.opaque)")),
            ("form", Self.entry(body: "\(coded)=\(Self.opaque)", type: "application/x-www-form-urlencoded")),
            ("JSON", Self.entry(body: #"{"a":{"\#(name)":"\#(Self.opaque)"}}"#)),
            ("JSON list", Self.entry(answer: #"{"\#(name)":["\#(Self.opaque)"]}"#)),
            ("multipart", Self.entry(body: Self.multipart(name, Self.opaque), type: Self.multipartType)),
            (
                "event",
                Self.entry(answer: "data: {\"\(name)\":\"\(Self.opaque)\"}\n\n", answerType: "text/event-stream")
            ),
            ("Location", Self.entry(answerFields: [HARPair("Location", "/cb?\(coded)=\(Self.opaque)#x")])),
        ]
        if plain == name {
            places.append(("header field", Self.entry(fields: [HARPair(name, Self.opaque)])))
            if !["session", "refresh", "code"].contains(name) {
                places.append(
                    ("XML", Self.entry(answer: "<r><\(name)>\(Self.opaque)</\(name)></r>", answerType: "text/xml"))
                )
                places.append(("text", Self.entry(answer: "with \(name)=\(Self.opaque), so", answerType: "text/plain")))
            }
        }
        for (place, entry) in places {
            let text = Self.written(entry)
            #expect(!text.contains(Self.opaque), "\(place): \(text)")
        }
    }

    @Test(arguments: [
        HARPair("Authorization", "Bearer \(opaque)"), HARPair("authorization", "bearer \(opaque)"),
        HARPair("Authorization", opaque), HARPair("Authorization", "Basic YW5uYTpaazN2LTl4X1EybTg="),
        HARPair("Authorization", "Digest username=\"anna-of-the-digest\", nonce=\"n\", response=\"\(opaque)\""),
        HARPair("Authorization", "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/2025, Signature=\(opaque)"),
        HARPair("Proxy-Authorization", "Token \(opaque)"), HARPair("X-Forwarded-Authorization", "Bearer \(opaque)"),
        HARPair("Cookie", "a=\(opaque)"), HARPair("Cookie", opaque), HARPair("Cookie", "a=1; \(opaque); b=\(opaque)"),
        HARPair("Cookie", "a=\"\(opaque)\""), HARPair("Set-Cookie", "a=\(opaque); Path=/"),
        HARPair("Set-Cookie", opaque), HARPair("Set-Cookie", "\(opaque); HttpOnly"),
        HARPair("Set-Cookie2", "a=\(opaque)"),
        HARPair("X-Auth-Token", opaque), HARPair("Location", "https://anna:\(opaque)@a.example/x"),
        HARPair("Referer", "https://anna:\(opaque)@localhost:8080/x"), HARPair("Link", "<//x/?token=\(opaque)>; rel=a"),
        HARPair("X-Note", "ftp://\(opaque)@files.example/"), HARPair("X-Note", "with Bearer \(opaque) in it"),
    ])
    func `13 credentials in header fields are gone`(field: HARPair) {
        for entry in [Self.entry(fields: [field]), Self.entry(answerFields: [field])] {
            let text = Self.written(entry)
            for secret in [Self.opaque, "YW5uYTpaazN2LTl4X1EybTg=", "anna-of-the-digest", "AKIDEXAMPLE"] {
                #expect(!text.contains(secret), "\(text)")
            }
        }
    }

    @Test func `13 user information is gone from addresses, and the host stays`() {
        let redactor = Redactor()
        expectEqual(
            redactor.url("https://anna:pw-1@api.example.com/a?x=1"),
            "https://redacted-token-1@api.example.com/a?x=1"
        )
        expectEqual(redactor.text("at https://bob@host:8080/ and"), "at https://redacted-token-2@host:8080/ and")
        expectEqual(redactor.text("https://medium.example/@anna"), "https://medium.example/@anna")
        let inner = "https://anna:pw-1@api.example.com/".percentEncodedComponent
        expectEqual(
            redactor.form("next=\(inner)"),
            "next="
                + "https://redacted-token-1@api.example.com/".percentEncodedComponent
        )
    }

    @Test func `13 a password of digits alone is gone, a count of tokens stays`() {
        let redactor = Redactor()
        func json(_ text: String) -> String {
            String(decoding: redactor.content(Array(text.utf8), type: "application/json"), as: UTF8.self)
        }
        #expect(!json(#"{"password":987654321987}"#).contains("987654321987"))
        #expect(!json(#"{"newPassword":4711}"#).contains("4711"))
        #expect(!json(#"{"pin":4711}"#).contains("4711"))
        #expect(!json(#"{"accessToken":123456789012}"#).contains("123456789012"))
        expectEqual(json(#"{"tokens":1500,"max_tokens":4096}"#), #"{"tokens":1500,"max_tokens":4096}"#)
        #expect(json(#"{"session":"morning","access":"public","refresh":"weekly"}"#).contains("morning"))
        #expect(JSONReader.isValid(json(#"{"password":12345678}"#)))
    }

    @Test func `13 bytes that are no text stay as they are, unless a secret in them is no chance`() {
        var generator = SeededGenerator(seed: 20_250_101)
        var image: [UInt8] = [0xFF, 0xD8, 0xFF]
        for _ in 0..<60_000 {
            let word = generator.next()
            image += (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
        let redactor = Redactor()
        expectEqual(redactor.content(image, type: "image/jpeg"), image, "seed 20250101")
        let planted = image + Array("by anna.andersson@example.com".utf8) + [0xFF, 0xD9]
        let clean = redactor.content(planted, type: "image/jpeg")
        #expect(String(decoding: clean.suffix(60), as: UTF8.self).contains("by redacted-email-1@example.invalid"))
        expectEqual(Array(clean.prefix(image.count)), image)
    }

    @Test func `13 the head of long content has no half of a secret`() {
        let redactor = Redactor()
        for start in 980..<1_060 {
            let text =
                #"{"a":""# + String(repeating: "x", count: start)
                + #" anna@example.com","tokens":["\#(Self.opaque)"],"z":""#
                + String(repeating: "y", count: 90_000) + "\"}"
            let head = String(
                decoding: redactor.head(of: Array(text.utf8), type: "application/json", count: 1_024),
                as: UTF8.self
            )
            #expect(!head.contains("anna"), "\(start)")
            #expect(!head.contains(Self.opaque.prefix(6)), "\(start)")
        }
    }
}

extension JSONReader {
    fileprivate static func isValid(_ text: String) -> Bool { (try? read(text: text)) != nil }
}
