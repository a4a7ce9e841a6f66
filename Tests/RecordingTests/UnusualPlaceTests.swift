import CivilTime
import HTTPMessage
import JSON
import Recording
import Testing

/// Secrets in places where nobody expects them, and requests with them that are still found.
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

    /// Whether a request fits the entry that was recorded of another.
    private static func fits(_ entry: HAREntry, _ recorded: HAREntry) -> Bool {
        var book = ReplayBook()
        book.add(recorded, file: 0, offset: 0, length: 1)
        guard let address = HARAddress(entry.request.url) else { return false }
        let live = book.fingerprint(of: entry, address)
        return book.candidate(for: live, at: ReplayPlace(), failsWhenExhausted: false) == .line(0)
    }

    @Test func `13 a reason phrase loses its secrets`() {
        var entry = Self.entry()
        entry.response.statusText = "Locked anna@example.com"
        #expect(Redactor().entry(entry).response.statusText == "Locked redacted-email-1@example.invalid")
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
        #expect(Redactor().entry(other) == other)
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
        #expect(
            Redactor().entry(entry).fault == [
                "name": "for redacted-email-1@example.invalid",
                "effect": ["tokens": "expire", "message": "hi redacted-email-1@example.invalid"],
            ]
        )
    }

    @Test func `13 a number below the name of a phone number is taken out, and fits`() {
        let body = #"{"phone":{"countryCode":46,"number":701234599,"verifiedAt":1700000000},"otp":{"ttl":300}}"#
        let entry = Self.entry("/a", Array(body.utf8))
        let clean = Redactor().entry(entry)
        #expect(
            String(decoding: clean.request.postData?.bytes ?? [], as: UTF8.self)
                == #"{"phone":{"countryCode":46,"number":900000001,"verifiedAt":1700000000},"otp":{"ttl":300}}"#
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
        #expect(clean.request.query == [HARPair("q", "redacted-token-1")])
        #expect(clean.request.postData?.bytes == Array(#"{"x":["redacted-token-1"]}"#.utf8))
    }

    @Test func `13 a credential in Base64 that was seen under its name is found in running text`() {
        let redactor = Redactor()
        _ = redactor.value("q+7/Zk9LmPw7RtaB+dEf8x==", under: "accessToken")
        #expect(redactor.text("key q+7/Zk9LmPw7RtaB+dEf8x== here") == "key redacted-token-1 here")
    }
}
