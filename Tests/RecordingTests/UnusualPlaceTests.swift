import CivilTime
import Compression
import Crypto
import HTTPMessage
import JSON
import Recording
import Secrets
import TestSupport
import Testing

/// Secrets in unusual places, and requests with them that still match.
@Suite struct UnusualPlaceTests {
    private static func entry(
        _ target: String = "/a",
        _ body: [UInt8] = [],
        type: String = "application/json"
    ) -> HAREntry {
        Archives.posted(target, type, body)
    }

    private static func written(_ entry: HAREntry) -> String {
        String(decoding: HARText.file([entry], version: "1"), as: UTF8.self)
    }

    /// Tells whether a request matches the entry recorded of another.
    private static func fits(_ entry: HAREntry, _ recorded: HAREntry) -> Bool {
        var book = ReplayIndex()
        book.add(recorded, file: 0, offset: 0, length: 1)
        guard let address = HARAddress(entry.request.url) else { return false }
        let live = book.fingerprint(of: entry, address)
        return book.candidate(for: live, at: ReplayPlace(), failsWhenExhausted: false) == .line(0)
    }

    @Test func `13 a reason phrase loses its secrets`() {
        var entry = Self.entry()
        entry.response.statusText = "Locked anna@example.com"
        expectEqual(Redactor().entry(entry).response.statusText, "Locked redacted-email-1@example.invalid")
    }

    /// Form data that a strict reader refuses, each with a password.
    private static func forms(_ password: String) -> [(type: String, body: String)] {
        func part(_ head: String, _ content: String) -> String { "--B\r\n\(head)\r\n\r\n\(content)\r\n" }
        func field(_ name: String, _ content: String) -> String {
            part("Content-Disposition: form-data; name=\"\(name)\"", content)
        }
        let type = "multipart/form-data; boundary=B"
        let secret = field("password", password)
        let end = "--B--\r\n"
        let many = (0..<120).map { field("f\($0)", "q") }.joined()
        let nameless = part("Content-Disposition: form-data; filename=\"x\"", "q")
        let bare = part("X: y", "q")
        let coded = part("Content-Disposition: form-data; name=\"z\"\r\nContent-Transfer-Encoding: base64", "AQI=")
        return [
            (type, "\(nameless)\(secret)\(end)"), (type, "\(bare)\(secret)--B--"), (type, "\(many)\(secret)\(end)"),
            ("multipart/form-data", "\(secret)\(end)"), (type, "\(coded)\(secret)\(end)"),
            (type, "--B\nContent-Disposition: form-data; name=\"password\"\n\n\(password)\n--B--\n"),
            (type, "\(bare)--B\r\nContent-Disposition: form-data; name=password\r\n\r\n\(password)"),
        ]
    }

    @Test func `13 known names in multipart count also where a strict reader refuses it, and it still fits`() {
        let others = Self.forms("another-word")
        for (number, form) in Self.forms("hunter2-and-more").enumerated() {
            let entry = Self.entry("/a", Array(form.body.utf8), type: form.type)
            let clean = Redactor().entry(entry)
            #expect(!Self.written(clean).contains("hunter2"), "form \(number)")
            #expect(Self.fits(entry, clean), "form \(number)")
            let other = Self.entry("/a", Array(others[number].body.utf8), type: form.type)
            #expect(Self.fits(other, clean), "form \(number)")
        }
    }

    @Test(arguments: ["+46701234542", "anna+tag@example.com"])
    func `13 a number or address with a bare plus sign in a query or form is taken out, and fits`(_ value: String) {
        let form = "application/x-www-form-urlencoded"
        let entries = [Self.entry("/a?b=1&q=\(value)"), Self.entry("/a", Array("b=1&q=\(value)".utf8), type: form)]
        for entry in entries {
            let clean = Redactor().entry(entry)
            let text = Self.written(clean)
            for rest in ["701234542", "anna", "tag"] { #expect(!text.contains(rest), "\(text)") }
            #expect(Self.fits(entry, clean), "\(text)")
        }
        let other = Self.entry("/a?q=one+two")
        expectEqual(Redactor().entry(other), other)
    }

    @Test func `13 a request in UTF-16 is found again by the one that it was`() {
        let type = "application/json; charset=utf-16"
        func wide(_ text: String) -> [UInt8] {
            [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        }
        let entry = Self.entry("/a", wide(#"{"password":"hunter2-and-more","n":1}"#), type: type)
        let clean = Redactor().entry(entry)
        #expect(clean != entry)
        #expect(Self.fits(entry, clean))
        #expect(!Self.fits(Self.entry("/a", wide(#"{"password":"hunter2-and-more","n":2}"#), type: type), clean))
    }

    @Test func `13 a value is known by the name beside it in whatever order the two stand`() {
        let pair = #"{"value":"hunter2-and-more","name":"password"}"#
        let bodies = [
            pair, "[{\"value\":\"one\",\"name\":\"size\"},\(pair)]", "{\"value\":[1,\(pair)],\"name\":\"x\"}",
        ]
        for body in bodies {
            let entry = Self.entry("/a", Array(body.utf8))
            let clean = Redactor().entry(entry)
            let text = String(decoding: clean.request.postData?.bytes ?? [], as: UTF8.self)
            #expect(text.contains("redacted-token-1") && !text.contains("hunter2"), "\(text)")
            #expect((try? JSONReader.read(Array(text.utf8))) != nil, "\(text)")
            #expect(Self.fits(entry, clean), "\(text)")
        }
    }

    @Test func `13 the name and message of a fault lose their secrets, and its effect stays`() {
        var entry = Self.entry()
        entry.fault = [
            "name": "for anna@example.com", "effect": ["tokens": "expire", "message": "hi anna@example.com"],
        ]
        expectEqual(
            Redactor().entry(entry).fault,
            [
                "name": "for redacted-email-1@example.invalid",
                "effect": ["tokens": "expire", "message": "hi redacted-email-1@example.invalid"],
            ]
        )
    }

    @Test func `13 a number below the name of a phone number is taken out, and fits`() {
        let body = #"{"phone":{"countryCode":46,"number":701234599,"verifiedAt":1700000000},"otp":{"ttl":300}}"#
        let entry = Self.entry("/a", Array(body.utf8))
        let clean = Redactor().entry(entry)
        expectEqual(
            String(decoding: clean.request.postData?.bytes ?? [], as: UTF8.self),
            #"{"phone":{"countryCode":46,"number":900000001,"verifiedAt":1700000000},"otp":{"ttl":300}}"#
        )
        #expect(Self.fits(entry, clean))
    }

    @Test(arguments: ["q+7/Zk9LmPw7RtaB+dEf8x==", "P@ssw0rd!2024#Z", "correct horse battery staple"])
    func `13 a secret of any letters that was seen under its name is taken out where it is a value`(_ secret: String) {
        let redactor = Redactor()
        _ = redactor.value(secret, under: "password")
        let entry = Self.entry("/a?q=\(secret.percentEncodedComponent)", Array("{\"x\":[\"\(secret)\"]}".utf8))
        let clean = redactor.entry(entry)
        #expect(!clean.request.url.contains(secret.percentEncodedComponent))
        expectEqual(clean.request.query, [HARPair("q", "redacted-token-1")])
        expectEqual(clean.request.postData?.bytes, Array(#"{"x":["redacted-token-1"]}"#.utf8))
    }

    @Test func `13 a credential in Base64 that was seen under its name is found in running text`() {
        let redactor = Redactor()
        _ = redactor.value("q+7/Zk9LmPw7RtaB+dEf8x==", under: "accessToken")
        expectEqual(redactor.text("key q+7/Zk9LmPw7RtaB+dEf8x== here"), "key redacted-token-1 here")
    }
}

/// Control contract, section 13: known secrets are found in any surroundings and spelling.
@Suite struct SpelledSecretTests {
    private static let secrets = [
        "3f9a-w-bWFpbg|session_0001", "Zk3v9xQ2m8T7LrW1p0", "977lsccehi2a", "qlt_9cc6f00dfeed", "hunter2-hunter2",
    ]

    private static func knowing(_ secret: String) -> Redactor {
        let redactor = Redactor()
        redactor.pseudonyms.learn(secret)
        return redactor
    }

    @Test(arguments: secrets)
    func `13 a known secret is found among any letters`(_ secret: String) {
        for text in [
            "T", "xT", "Tx", "|T|", "aTb", "T.T", "é T é", "(T)", "=T=", "/T/x", "T@x", "9T9", "_T_", "{\"T\":1}",
            "語T語", "TT", "see T. Then",
        ] {
            let filled = text.split(separator: "T", omittingEmptySubsequences: false).joined(separator: secret)
            #expect(!Self.knowing(secret).text(filled).contains(secret), "\(text)")
        }
        // A print of it is enough.
        let redactor = Redactor()
        redactor.pseudonyms.learn([SecretPrint(secret)])
        expectEqual(redactor.text("a|\(secret)|b"), "a|redacted-token-1|b")
    }

    @Test func `13 a word that is a password is one word, and no part of others`() {
        let redactor = Self.knowing("customer")
        expectEqual(redactor.text("the customer: customer."), "the redacted-token-1: redacted-token-1.")
        expectEqual(redactor.text("customerId customers my-customer"), "customerId customers my-customer")
    }

    @Test(arguments: secrets)
    func `13 a known secret is found behind escapes, in Base64, in packed files and in names`(_ secret: String) throws {
        func escaped(_ text: String) -> String {
            text.utf8.map { "%" + (String($0, radix: 16).count < 2 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        let redactor = Self.knowing(secret)
        let once = escaped(secret)
        let twice = once.split(separator: "%").map { "%25" + $0 }.joined()
        for text in [once, twice, secret.utf8.map { "&#\($0);" }.joined(), "x\(twice)y"] {
            #expect(redactor.text(text).contains("redacted-token-1"), "\(text)")
            #expect(redactor.path("/a/\(text)/b").hasSuffix("/b"))
        }
        let packed = redactor.content(Array(Base64.encode(Array("the \(secret)!".utf8)).utf8), type: "text/plain")
        expectEqual(Base64.decode(String(decoding: packed, as: UTF8.self)), Array("the redacted-token-1!".utf8))
        let file = try #require(Deflate.compress(Array("a \(secret) b".utf8), .gzip))
        let clean = redactor.content(file, type: "application/gzip")
        try expectEqual(Inflater.inflate(clean, .gzip, limit: 100), Array("a redacted-token-1 b".utf8))
        expectEqual(redactor.field(HARPair("X-\(secret)", "1")).name, "X-redacted-token-1")
        expectEqual(redactor.form("\(secret.percentEncodedComponent)=1"), "redacted-token-1=1")
    }

    @Test func `13 a packed file without secrets stays as it is, one that can't be opened is left out`() throws {
        let file = try #require(Deflate.compress(Array("nothing".utf8), .gzip))
        expectEqual(Redactor().content(file, type: "application/gzip"), file)
        let closed: [UInt8] = [0x50, 0x4B, 3, 4, 1, 2, 3]
        var entry = Archives.posted("/a", "application/zip", closed)
        entry.response.content.bytes = closed
        let clean = Redactor().entry(entry)
        expectEqual(clean.request.postData?.bytes, [])
        expectEqual(clean.request.postData?.comment?.contains("left out"), true)
        expectNil(clean.response.content.bytes)
    }

    @Test(arguments: [
        (#"{"lösenord":"T"}"#, "application/json"), (#"{"Contraseña":"T"}"#, "application/json"),
        (#"{"mot de passe":"T"}"#, "application/json"), (#"{"كلمة المرور":"T"}"#, "application/json"),
        (#"{"пароль":"T","hasło":"T","senha":"T","nonce":"T"}"#, "application/json"),
        (#"{"k":"token","v":"T"}"#, "application/json"), (#"{"v":"T","n":"password"}"#, "application/json"),
        ("name,password\nann,T\nbo,\"T\"\n", "text/csv"), ("id;lösenord;x\n1;T;2\n", "text/plain"),
        ("<a href=\"/x?code=T\">in</a>", "text/html"), ("Your password is T.", "text/plain"),
        ("lösenord: T", "text/plain"), ("كلمة المرور: T", "text/plain"), ("mot de passe : T", "text/plain"),
    ])
    func `13 names of secrets in other languages and forms`(text: String, type: String) {
        let secret = "Zk3v9xQ2m8T7LrW1p0"
        let filled = text.split(separator: "T", omittingEmptySubsequences: false).joined(separator: secret)
        let clean = Redactor().content(Array(filled.utf8), type: type)
        #expect(!String(decoding: clean, as: UTF8.self).contains(secret), "\(text)")
    }

    @Test(arguments: [
        "Your code is 482913", "G-482915 is your Google verification code", "code: 482913", "Din kod är 482913",
        "482913 is your login code", "Use 482913 to sign in", "verification code 4829", "your PIN is 4829",
        "4111 1111 1111 1111", "5555555555554444", "378282246310005", "SE45 5000 0000 0583 9825 7466",
        "GB82WEST12345698765432", "ann&#64;x.example", "ann@[192.0.2.1]", "ann@intranet", "ann @ x.example",
        "96891234507", "(555) 123-4508", "“482913 is your code”", "555-123-4508", "٠٧٠١٧٤٠٦٠٥",
        "070\u{A0}174\u{A0}06\u{A0}05",
        "070–174\u{2011}06\u{2011}05",
    ])
    func `13 what a sentence, a check digit or a form proves is gone, and still fits`(text: String) throws {
        for (before, after) in [("", ""), ("note ", " end"), ("(", ")")] {
            let redactor = Redactor()
            let clean = redactor.text(before + text + after)
            #expect(clean != before + text + after, "\(text)")
            #expect(clean.hasPrefix(before) && clean.hasSuffix(after))
            expectEqual(redactor.text(before + text + after), clean)
            let entry = Archives.posted("/a", "text/plain", Array((before + text + after).utf8))
            var book = ReplayIndex()
            book.add(Redactor().entry(entry), file: 0, offset: 0, length: 1)
            let live = book.fingerprinter.at(["api.example.com"]).fingerprint(
                method: "POST",
                path: "/a",
                query: nil,
                contentType: "text/plain",
                body: Array((before + text + after).utf8)
            )
            expectEqual(
                book.candidate(for: live, at: ReplayPlace(), failsWhenExhausted: false),
                .line(0),
                "\(text): \(clean)"
            )
        }
    }

    @Test(arguments: [
        "status code 500123", "the country code is 0046", "postal code 11452", "error code: 10013", "the code is short",
        "password is required", "the password is too short", "4111 1111 1111 1112", "SE45 5000 0000 0583 9825 7467",
        "1700000000000", "1700000000000000", "kit@latest", "icon@2x.png", "a@b", "@scope/kit@1.2.3", "100% of 25%",
        "R&D &amp; more", "figure.run", "G-ABCDEF", "12-345-6789", "v1.2.3-4567", "in 2024 is the year",
        "session_0001 and 550e8400-e29b-41d4-a716-446655440000", "“quoted” – text…", "التاريخ ٢٠٢٤", "x=1&y=2%20z",
    ])
    func `13 innocent text stays as it is`(text: String) {
        expectEqual(Redactor().text(text), text)
        expectEqual(Redactor().content(Array(text.utf8), type: "text/plain"), Array(text.utf8))
    }

    @Test func `13 late secrets are taken out of the text of an entry, which keeps its length`() throws {
        let secret = "hunter2\"hunter2"
        let entry = Archives.posted(
            "/a?q=\(secret.percentEncodedComponent)",
            "text/plain",
            Array("note \(secret)".utf8)
        )
        let text = Array(HARText.entry(entry, isFirst: true).drop { $0 != 0x7B })
        let redactor = Redactor()
        let clean = try #require(LateSecrets([secret], redactor.pseudonyms).cleaned(text))
        expectEqual(clean.count, text.count)
        let read = try HARStreamReader.entry(clean)
        expectEqual(read.request.postData?.bytes, Array("note redacted-token-1".utf8))
        #expect(read.request.url.hasSuffix("/a?q=redacted-token-1"))
        expectNil(LateSecrets(["another-secret-1"], redactor.pseudonyms).cleaned(text))
    }

    @Test func `13 all secrets that were learnt are taken out of a text, however they are written there`() {
        let (secret, plain) = ("hunter2\"hun/ter=2", "opaque-token-12345")
        let redactor = Redactor()
        for secret in [secret, plain] { redactor.pseudonyms.learn(secret) }
        let late = LateSecrets(redactor.pseudonyms)
        let spellings = [secret, #"hunter2\"hun/ter=2"#, secret.percentEncodedComponent]
        for text in spellings {
            let clean = late.replaced(Array("a=\(text)&b=\(plain)".utf8)).map { String(decoding: $0, as: UTF8.self) }
            expectEqual(clean, "a=redacted-token-1&b=redacted-token-2", text)
        }
        expectEqual(late.content(Array(Base64.encode(Array("it is \(plain)".utf8)).utf8)).map { $0.count > 0 }, true)
        // What is learnt later is not among them, and what was not learnt is none.
        redactor.pseudonyms.learn("another-secret-1")
        expectNil(late.replaced(Array("another-secret-1 hunter2 hun/ter=2".utf8)))
        #expect(LateSecrets(redactor.pseudonyms).lies(in: Array("(another-secret-1)".utf8)))
    }
}
