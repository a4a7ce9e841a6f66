import CivilTime
import Crypto
import HTTPMessage
import JSON
import Recording
import TestSupport
import Testing

/// Control contract, section 13: secrets in HTML and XML, and in texts that are written into others.
@Suite struct MarkupSecretTests {
    private static let secret = "Zk3v9xQ2m8T7LrW1p0"

    private static func clean(_ text: String, _ type: String = "text/html") -> String {
        String(decoding: Redactor().content(Array(text.utf8), type: type), as: UTF8.self)
    }

    @Test(arguments: [
        #"<input type="hidden" name="csrf_token" value="@">"#,
        "<input value='@' name='authenticity_token' type=hidden>",
        "<input type=password value=@>",
        "<INPUT TYPE=\"hidden\"\n NAME=\"__RequestVerificationToken\"\n VALUE=\"@\" />",
        #"<input id=code value="@">"#, #"<meta name="csrf-token" content="@">"#,
        #"<meta content="@" name="csrf-token"/>"#,
        #"<div data-token="@" data-x="1">"#, "<body data-csrf-token='@'>", "<div data-api-key=@>",
        #"<param name="apiKey" value="@"/>"#, #"<user password="@"/>"#, "<token><![CDATA[@]]></token>",
        #"<map><string name="access_token">@</string></map>"#,
        "<dict><key>refreshToken</key>\n  <string>@</string></dict>",
        #"<div data-page="{&quot;props&quot;:{&quot;accessToken&quot;:&quot;@&quot;}}">"#,
        #"<div data-page='{&#34;sid&#34;:&#34;@ and more&#34;}'>"#, #"<script>a="{\"refreshToken\":\"@\"}"</script>"#,
        "<script>window.csrfToken = '@';</script>", "<script>f({apiKey: '@'})</script>",
        #"<a href="/x?a=1&amp;access_token=@">x</a>"#, #"<a href="/go?to=%2Fx%3Faccess_token%3D@%26a%3D1">x</a>"#,
        #"<form title="a > b"><input value="@" name="token"></form>"#,
    ])
    func `13 a secret in markup is taken out, and its surroundings stay`(model: String) {
        let parts = model.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        let text = Self.clean(parts[0] + Self.secret + parts[1])
        #expect(!text.contains(Self.secret))
        #expect(text.hasPrefix(parts[0]))
        #expect(text.hasSuffix(parts[1]) || model.contains("and more"))
        // A stand-in stays what it is.
        expectEqual(Self.clean(text), text)
    }

    @Test(arguments: [
        #"<input type="text" name="city" value="Stockholm">"#, #"<meta name="viewport" content="width=device-width">"#,
        #"<meta name="token-type" content="bearer">"#, #"<input name="code" value="SE">"#, "if a < b && c > d",
        "<key>name</key><string>Anna Andersson</string>", "<", "<a", "<a b", "<a b=", "<a b='", "<a/",
        "a <b>c</b> &quot;:",
        #"<option value="gold" selected>"#, #"<add key="key" value="name"/>"#, "key: name", "<Key>a/cat.jpg</Key>",
    ])
    func `13 markup without secrets stays as it is`(text: String) {
        expectEqual(Self.clean(text), text)
        expectEqual(Self.clean(text, "text/plain"), text)
    }

    @Test(arguments: 1...40) func `13 no markup is read beyond its end`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = [
            "<", "a", " name=", "token", "\"", "'", " value=", ">", "/", "</key>", "<string>", "&quot;", "\\\"", ":",
            "=", "%3D", "@x.se",
        ]
        let text = (0..<400).map { _ in words[random.below(words.count)] }.joined()
        #expect(!Self.clean(text).isEmpty)
    }

    @Test func `13 markup that never ends does not take quadratic time`() {
        expectEqual(Self.clean(String(repeating: "<a b=\"", count: 50_000)).count, 300_000)
    }

    @Test func `13 what a client sends in Base64 or in UTF-16 is looked into`() throws {
        let inner = Base64.encode(Array(#"{"password":"\#(Self.secret)"}"#.utf8))
        let outer = Self.clean(#"{"blob":"\#(inner)"}"#, "application/json")
        let blob = try #require(try JSONReader.read(text: outer)["blob"]?.stringValue)
        expectEqual(
            String(decoding: try #require(Base64.decode(blob)), as: UTF8.self),
            #"{"password":"redacted-token-1"}"#
        )
        for type in ["application/json; charset=utf-16le", "text/plain"] {
            let units = (type == "text/plain" ? [0xFEFF] : []) + Array(#"{"password":"\#(Self.secret)","a":"å"}"#.utf16)
            let bytes = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            let clean = Redactor().content(bytes, type: type)
            let text = String(decoding: clean.enumerated().filter { $0.offset % 2 == 0 }.map(\.element), as: UTF8.self)
            #expect(text.contains("redacted-token-1"), "\(type)")
            #expect(!text.contains(Self.secret))
            expectEqual(clean.suffix(6), bytes.suffix(6))
        }
    }

    @Test func `13 multipart that is cut, fields of authentication and types with parameters hold none either`() {
        let body = "--edge\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n\(Self.secret)"
        #expect(!Self.clean(body, "multipart/form-data; boundary=edge").contains(Self.secret))
        let redactor = Redactor()
        expectEqual(redactor.header("Authentication-Info", "rspauth=\"\(Self.secret)\""), "redacted-token-1")
        expectEqual(redactor.header("Sec-WebSocket-Protocol", "chat, token.\(Self.secret)"), "chat, redacted-token-2")
        var request = HARRequest(method: "POST", url: "https://a.example/", headers: [])
        request.postData = HARPostData(mimeType: "text/plain; token=\(Self.secret)", bytes: Array("x".utf8))
        let response = HARResponse(
            status: 200,
            statusText: "OK",
            headers: [],
            content: HARContent(size: 1, mimeType: "text/plain; token=\(Self.secret)", bytes: [0x78])
        )
        let entry = redactor.entry(
            HAREntry(started: .epoch, request: request, response: response, timings: HARTimings())
        )
        expectEqual(entry.request.postData?.mimeType.contains(Self.secret), false)
        #expect(!entry.response.content.mimeType.contains(Self.secret))
    }

    @Test func `13 replay matches what redaction took out of texts within texts`() {
        let maker = Fingerprinter()
        func print(_ body: String, _ type: String) -> RequestFingerprint {
            maker.fingerprint(method: "POST", path: "/a", query: nil, contentType: type, body: Array(body.utf8))
        }
        for (body, type) in [
            (#"{"blob":"\#(Base64.encode(Array(#"{"password":"\#(Self.secret)"}"#.utf8)))"}"#, "application/json"),
            (#"<input name="csrf" value="\#(Self.secret)">"#, "text/html"),
            ("a=%2Fx%3Faccess_token%3D\(Self.secret)", "application/x-www-form-urlencoded"),
        ] {
            expectEqual(print(body, type).key, print(Self.clean(body, type), type).key, "\(body)")
        }
    }
}
