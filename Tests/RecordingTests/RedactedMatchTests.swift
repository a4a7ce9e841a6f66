import CivilTime
import HTTPMessage
import Recording
import Secrets
import TestSupport
import Testing

/// Redacted entries, which the original requests still match.
@Suite struct RedactedMatchTests {
    /// A request in one of the forms in which a value can stand under a name.
    struct Sent: Sendable, CustomTestStringConvertible {
        var form: String
        var target = "/a"
        var type = "application/json"
        var body = ""

        var testDescription: String { form }
    }

    static let names = [
        "password", "password2", "password_confirmation", "secret_key", "accessToken", "session", "access", "refresh",
        "bearer", "hmac", "authorization", "authentication", "code", "key", "otp", "mfaCode", "recoveryCode", "phone",
        "mobile", "personnummer", "cookie", "x",
    ]

    static func forms(_ name: String, _ value: String) -> [Sent] {
        func quoted(_ text: String) -> String {
            text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
        }
        let escaped = value.percentEncodedComponent
        let json = "{\"a\":1,\"\(name)\":\"\(value)\"}"
        let form = "application/x-www-form-urlencoded"
        let multipart = "multipart/form-data; boundary=B"
        func part(_ head: String, _ content: String) -> String {
            "--B\r\nContent-Disposition: form-data; \(head)\r\n\r\n\(content)\r\n--B--\r\n"
        }
        return [
            Sent(form: "query", target: "/a?b=1&\(name)=\(escaped)"),
            Sent(form: "path", target: "/a/\(name)/\(escaped)/b"),
            Sent(form: "form", type: form, body: "b=1&\(name)=\(escaped)"),
            Sent(form: "form name", type: form, body: "b=1&\(escaped)=1"), Sent(form: "JSON", body: json),
            Sent(form: "JSON list", body: "{\"\(name)\":[\"\(value)\"]}"),
            Sent(form: "JSON below", body: "{\"\(name)\":{\"value\":\"\(value)\",\"list\":[\"\(value)\"]}}"),
            Sent(form: "JSON in a text", body: "{\"t\":\"\(quoted(json))\"}"),
            Sent(form: "JSON pair", body: "[{\"name\":\"\(name)\",\"value\":\"\(value)\"}]"),
            Sent(form: "JSON name", body: "{\"\(value)\":{\"a\":1}}"),
            Sent(form: "JSON lines", type: "application/x-ndjson", body: "\(json)\n{\"b\":1}\n"),
            Sent(form: "multipart", type: multipart, body: part("name=\"\(name)\"", value)),
            Sent(
                form: "text file",
                type: multipart,
                body: part("name=\"f\"; filename=\"a.txt\"", "\(name)=\(value) b")
            ),
            Sent(form: "XML", type: "application/xml", body: "<r><\(name)>\(value)</\(name)></r>"),
            Sent(form: "text", type: "text/plain", body: "see \(name)=\(value) there"),
            Sent(form: "bare text", type: "text/plain", body: "see \(value) there"),
        ]
    }

    private static func entry(_ sent: Sent, answer: String = "{}") -> HAREntry {
        Archives.posted(sent.target, sent.type, Array(sent.body.utf8), answer: answer)
    }

    private static func fits(_ sent: Sent, _ recorded: HAREntry, _ knowing: Pseudonyms? = nil) -> Bool {
        var book = ReplayIndex()
        book.add(recorded, file: 0, offset: 0, length: 1)
        let parts = sent.target.split(separator: "?", maxSplits: 1).map(String.init)
        var maker = book.fingerprinter.at(["api.example.com"])
        if let knowing { maker = maker.knowing(knowing) }
        let live = maker.fingerprint(
            method: "POST",
            path: parts[0],
            query: parts.count > 1 ? parts[1] : nil,
            contentType: sent.type,
            body: Array(sent.body.utf8)
        )
        return book.candidate(for: live, at: ReplayPlace(), failsWhenExhausted: false) == .line(0)
    }

    @Test(arguments: [
        "Zk3v9xQ2m8T7LrW1p0", "word", "ABC123", "4711", "48151623", "anna.andersson@example.com", "+46 70 174 06 05",
        "0701740605", "070-174 06 05", "19811218-9876", "811218-9876", "1098765439", "redacted-token-3", "078-05-1120",
        "0046701740605",
    ])
    func `13 a redacted request is found by the one that it was, wherever a value stands`(_ value: String) {
        for name in Self.names {
            for sent in Self.forms(name, value) {
                let clean = Redactor().entry(Self.entry(sent))
                #expect(Self.fits(sent, clean), "\(name), \(sent.form): \(clean.request)")
            }
        }
    }

    @Test func `13 numbers in JSON that are personal or codes are redacted and still fit`() {
        for body in [#"{"x":1098765439}"#, #"{"x":[198112189876]}"#, #"{"code":48151}"#, #"{"password2":48151623}"#] {
            let sent = Sent(form: body, body: body)
            let clean = Redactor().entry(Self.entry(sent))
            let text = String(decoding: clean.request.postData?.bytes ?? [], as: UTF8.self)
            #expect(text != body)
            #expect(Self.fits(sent, clean), "\(text)")
        }
        // Amounts, times and identifiers stay.
        for body in [#"{"x":1700000000}"#, #"{"x":1700000000000}"#, #"{"x":4815162342}"#, #"{"code":500}"#] {
            let clean = Redactor().entry(Self.entry(Sent(form: body, body: body)))
            expectEqual(String(decoding: clean.request.postData?.bytes ?? [], as: UTF8.self), body)
        }
    }

    @Test func `13 other words are other requests, also beside secrets`() {
        let recorded = Redactor().entry(Self.entry(Sent(form: "", body: #"{"session":"morning","n":"12 May"}"#)))
        #expect(Self.fits(Sent(form: "", body: #"{"n":"12 May","session":"morning"}"#), recorded))
        #expect(!Self.fits(Sent(form: "", body: #"{"n":"12 May","session":"evening"}"#), recorded))
        #expect(!Self.fits(Sent(form: "", body: #"{"n":"13 May","session":"morning"}"#), recorded))
    }

    @Test func `13 a value that was sent under a telling name fits where it stands without one`() {
        let redactor = Redactor()
        let value = "5f3a9c0d7e1b2468aabbccddeeff0011"
        let first = Sent(form: "", body: "{\"deviceToken\":\"\(value)\"}")
        let second = Sent(form: "", target: "/devices/\(value)")
        _ = redactor.entry(Self.entry(first))
        let recorded = redactor.entry(Self.entry(second))
        #expect(!recorded.request.url.contains(value))
        #expect(!Self.fits(second, recorded))
        let known = Pseudonyms()
        let live = ReplayIndex().fingerprinter.fingerprint(
            method: "POST",
            path: "/a",
            query: nil,
            contentType: "application/json",
            body: Array(first.body.utf8)
        )
        for secret in live.secrets { known.learn(secret) }
        #expect(Self.fits(second, recorded, known))
    }

    @Test(arguments: [
        "X-Auth", "X-Auth-Key", "X-Session", "X-Hub-Signature-256", "Authentication", "X-Secret-Key", "Cookie2", "DPoP",
    ])
    func `13 header fields of more kinds lose their credentials`(_ name: String) {
        var entry = Self.entry(Sent(form: ""))
        entry.request.headers.append(HARPair(name, "Zk3v9xQ2m8T7LrW1p0"))
        expectEqual(Redactor().entry(entry).request.headers.last?.value.contains("Zk3v"), false)
    }

    @Test(arguments: [
        "password_confirmation", "passwordConfirm", "password2", "newPassword1", "secretKey", "secret_key", "authKey",
        "AWSAccessKeyId", "session_key", "encryptionKey", "signingKey", "recoveryCode", "backupCode", "mfaCode",
        "smsCode",
        "confirmationCode", "password_hash", "tokenHash", "tokenValue", "oauth_verifier", "p256dh", "SAMLResponse",
        "authorization",
    ])
    func `13 values of more telling names are taken out`(_ name: String) {
        let value = "Zk3v9xQ2m8T7LrW1p0"
        for sent in Self.forms(name, value).filter({
            ["query", "form", "JSON", "JSON pair", "multipart"].contains($0.form)
        }) {
            let clean = Redactor().entry(Self.entry(sent)).request
            let text = clean.url + String(decoding: clean.postData?.bytes ?? [], as: UTF8.self)
            #expect(!text.contains(value), "\(sent.form): \(text)")
        }
    }

    @Test func `13 no letter of a code is left, nor of a document's number`() {
        let body = #"{"otp":"G7K2QX","passportNumber":"AB1234567","authorization":"Token Zk3v9xQ2m8T7LrW1p0"}"#
        let clean = Redactor().entry(Self.entry(Sent(form: "", body: body)))
        expectEqual(
            String(decoding: clean.request.postData?.bytes ?? [], as: UTF8.self),
            #"{"otp":"redacted-code-1","passportNumber":"redacted-person-1","authorization":"Token redacted-token-1"}"#
        )
    }

    @Test func `13 each of several phone numbers in a row is taken out`() {
        let sent = Sent(form: "", type: "text/plain", body: "070-174 06 05 0701740606, +46701740607 0701740608")
        let clean = Redactor().entry(Self.entry(sent))
        let text = String(decoding: clean.request.postData?.bytes ?? [], as: UTF8.self)
        for number in ["174", "1740606", "1740607", "1740608"] { #expect(!text.contains(number), "\(text)") }
        #expect(Self.fits(sent, clean), "\(text)")
    }

    @Test func `13 a secret split over the lines of a JSON stream is caught at every place`() {
        let secret = "anna.andersson@example.com"
        for cut in 1..<secret.utf8.count {
            let left = String(secret.prefix(cut))
            let right = String(secret.dropFirst(cut))
            let body = "{\"delta\":\"to \(left)\"}\n{\"delta\":\"\(right) now\"}\n"
            let clean = Redactor().content(Array(body.utf8), type: "application/x-ndjson")
            let text = String(decoding: clean, as: UTF8.self)
            #expect(text.contains("redacted-email-"), "cut at \(cut): \(text)")
            #expect(!text.contains("anders") && !text.contains("example.com"), "cut at \(cut): \(text)")
        }
    }
}
