import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, Redaction: what an app shows or needs and is no secret stays as it was.
@Suite struct KeptTextTests {
    private static func content(_ entry: JSON) throws -> JSON {
        try JSONReader.read(text: entry["response"]?["content"]?["text"]?.stringValue ?? "null")
    }

    /// Imports answers of these addresses and returns their contents.
    private static func answers(_ answers: [(url: String, json: JSON)]) throws -> [JSON] {
        let entries = answers.map { SmallArchive.entry("https://api.example.com\($0.url)", text: $0.json.text) }
        return try SmallArchive.imported(SmallArchive.text(entries)).entries.map(content)
    }

    private static let swedish: JSON = [
        "password": "Lösenord", "phone": "Telefon", "email": "E-post", "token": "Polett", "pin": "PIN-kod",
        "secret": "Hemlighet", "forgotPassword": "Har du glömt lösenordet?",
        "verificationCode": "Ange din 6-siffriga kod",
        "login": ["password": "Lösenord", "signature": "Med vänlig hälsning, Anna"], "personnummer": "Personnummer",
    ]

    @Test func `13 the texts of a catalogue stay`() throws {
        let urls = [
            "/i18n/sv", "/api/mobile/i18n?locale=sv", "/assets/locales/sv.json", "/l10n/messages", "/v2/translations",
            "/static/lang/sv-SE/common.json", "/texts/pt-BR.json", "/strings.json", "/app/sv-SE.json",
        ]
        for (url, json) in zip(urls, try Self.answers(urls.map { ($0, Self.swedish) })) {
            expectEqual(json, Self.swedish, "\(url)")
        }
        let inner: [JSON] = [
            ["translations": Self.swedish, "version": 3], ["sv": Self.swedish, "en-US": ["password": "Password"]],
            ["data": ["form": ["labels": ["password": "Lösenord"], "placeholders": ["token": "Skriv in koden"]]]],
        ]
        expectEqual(try Self.answers(inner.map { ("/config", $0) }), inner)
        let english: JSON = [
            "en": [
                "password": "Password", "forgotPassword": "Forgot your password?", "token": "Token",
                "apiKey": "API key",
                "labels": ["Password", "Username"],
            ]
        ]
        try expectEqual(Self.answers([("/config", english), ("/i18n/en", english)]), [english, english])
    }

    @Test func `13 a label that equals its own name stays, and so do words that can't be a credential`() throws {
        let json: JSON = [
            "password": "Password", "apiKey": "API key", "loginPassword": "Password", "token": "Token",
            "signature": "Kind regards, Anna", "tokens": ["the", "cat", "sat"], "phone": "Phone",
            "fields": [["name": "password", "value": "Password"], ["value": "Token", "name": "token"]],
            "passwordRequired": true, "maxTokens": 100,
        ]
        try expectEqual(Self.answers([("/config", json)]), [json])
    }

    @Test func `13 a secret stays a secret, whatever words it is made of`() throws {
        let phrases = ["correct horse battery staple", "Lösenord", "open sesame", "Password1", "hunter2"]
        for phrase in phrases {
            let body = JSON.object(["email": "anna@example.com", "password": .string(phrase)]).text
            let entries = [
                SmallArchive.entry(
                    "https://api.example.com/auth/login",
                    method: "POST",
                    body: ("application/json", body)
                ),
                SmallArchive.entry(
                    "https://api.example.com/i18n/login",
                    method: "POST",
                    body: ("application/json", body)
                ),
                SmallArchive.entry("https://api.example.com/me", text: body),
                SmallArchive.entry(
                    "https://api.example.com/form",
                    method: "POST",
                    body: ("application/x-www-form-urlencoded", "password=Password&x=1")
                ),
            ]
            let made = try SmallArchive.imported(SmallArchive.text(entries))
            #expect(!made.text.contains("\"\(phrase)\\\""), "\(phrase): \(made.text)")
            #expect(!made.text.contains("password=Password"), "\(made.text)")
        }
        // Also in a catalogue a value that looks generated is one.
        let odd: JSON = [
            "password": "hunter2", "apiKey": "Zk3v9xQ2m8T7LrW1p0", "token": "a1b2c3d4e5f6",
            "secret": "AbCdEfGhIjKlMnOp",
        ]
        let made = try Self.answers([("/i18n/en", odd)])
        for member in odd.objectValue?.members ?? [] {
            #expect(made[0][member.name] != member.value, "\(made[0].text)")
        }
        // A language code that is a word is no catalogue.
        let mine = try Self.answers([
            ("/profile", ["me": ["password": "open sesame"], "sv": ["password": "open", "n": 1]])
        ])
        #expect(!mine[0].text.contains("open"), "\(mine[0].text)")
    }

    @Test func `13 a catalogue of another form than JSON stays`() throws {
        for (url, type, text) in [
            ("/locales/sv.properties", "text/plain", "login.password=Lösenord\nlogin.token = Polett\n"),
            ("/i18n/sv.strings", "text/plain", "\"password\" = \"Lösenord\";\n\"secret\" = \"Hemlighet\";\n"),
            (
                "/values-sv/strings.xml", "text/xml",
                "<resources><string name=\"password\">Lösenord</string></resources>"
            ),
        ] {
            let entry = SmallArchive.entry("https://api.example.com\(url)", text: text, type: type)
            let made = try SmallArchive.imported(SmallArchive.text([entry]))
            expectEqual(made.entries[0]["response"]?["content"]?["text"]?.stringValue, text)
        }
    }

    @Test func `13 what only looks like an address stays, and addresses go`() throws {
        let kept = [
            "git@github.com:owner/project.git", "ssh://git@github.com/owner/project.git", "git@gitlab.com:group/x.git",
            "git+ssh://git@bitbucket.org/team/repo.git", "Meet us @ 5.pm", "see you @ 12.30 today", "12@30.se",
            "sprite@2x.min.css", "logo@3x.png", "icon@2x.bundle.js", "react@18.2.0", "hg@code.example.org:x",
        ]
        let gone = [
            "anna@example.com", "anna@example.com.pdf", "123456@163.com", "ann @ x.example", "12345@30.se",
            "anna@2x.example", "mail git-anna@example.com", "anna@example.com:work",
        ]
        let json: JSON = ["kept": .array(kept.map { .string($0) }), "gone": .array(gone.map { .string($0) })]
        let made = try Self.answers([("/x", json)])[0]
        expectEqual(made["kept"], json["kept"])
        for item in made["gone"]?.arrayValue ?? [] { #expect(item.text.contains("redacted-email-"), "\(item.text)") }
    }

    // MARK: JWTs

    private static func token(_ claims: JSON) -> String {
        func part(_ text: String) -> String {
            Data(text.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
                .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        }
        return [part(#"{"alg":"HS256","typ":"JWT"}"#), part(claims.text), part("a signature of some bytes")]
            .joined(separator: ".")
    }

    private static func claims(_ token: String) throws -> JSON {
        var part = token.split(separator: ".").dropFirst().first.map(String.init) ?? ""
        part = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        part += String(repeating: "=", count: (4 - part.count % 4) % 4)
        return try JSONReader.read(Array(try #require(Data(base64Encoded: part))))
    }

    @Test func `13 the claims of a JWT that stand elsewhere in the clear stay the same, in every entry`() throws {
        let claims: JSON = [
            "sub": "user_anna", "role": "student", "org": 4711, "name": "Anna Hidden", "email": "anna@example.com",
            "session_id": "s-1-secret-session", "iat": 1_735_732_800, "exp": 1_735_736_400,
        ]
        let token = Self.token(claims)
        let answer: JSON = [
            "access_token": .string(token),
            "user": [
                "id": "user_anna", "role": "student", "org": 4711, "email": "anna@example.com",
                "session": ["id": "s-1-secret-session"], "session_id": "s-1-secret-session",
            ],
        ]
        let made = try SmallArchive.imported(
            SmallArchive.text([
                SmallArchive.entry("https://api.example.com/token", method: "POST", text: answer.text),
                SmallArchive.entry("https://api.example.com/me", sent: [("Authorization", "Bearer \(token)")]),
            ])
        )
        let given = try Self.content(made.entries[0])
        let standIn = try #require(given["access_token"]?.stringValue)
        let kept = try Self.claims(standIn)
        expectEqual(kept["sub"], "user_anna")
        expectEqual(given["user"]?["id"], "user_anna")
        expectEqual(kept["role"], "student")
        expectEqual(kept["org"], 4711)
        expectEqual(kept["exp"], 1_735_736_400)
        for hidden in ["Anna Hidden", "anna@example.com", "s-1-secret-session"] {
            #expect(!kept.text.contains(hidden), "\(kept.text)")
        }
        expectEqual(
            made.entries[1]["request"]?["headers"]?[0]?["value"]?.stringValue,
            "Bearer \(standIn)"
        )
    }

    @Test func `13 a subject that stands nowhere else goes, unless it is an id without a meaning`() throws {
        let id = "0f8fad5b-d9cd-469f-a165-70867728950e"
        for (subject, isKept) in [("anna.andersson", false), ("anna@example.com", false), (id, true), ("42", false)] {
            let body = JSON.object(["access_token": .string(Self.token(["sub": .string(subject)]))]).text
            let made = try SmallArchive.imported(SmallArchive.text([SmallArchive.entry(text: body)]))
            let token = try #require(try Self.content(made.entries[0])["access_token"]?.stringValue)
            let claims = try Self.claims(token)
            expectEqual(claims["sub"]?.stringValue == subject, isKept, "\(claims.text)")
        }
    }
}
