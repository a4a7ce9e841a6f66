import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, Redaction: the place of a text tells whether it is a secret, a message or a name.
@Suite struct MessageTextTests {
    private typealias Post = (type: String, text: String)

    /// Imports an answer to a request, and returns both contents.
    private static func exchange(
        _ url: String = "/register",
        status: Int64 = 200,
        post: Post? = nil,
        answer: JSON
    ) throws -> (sent: String?, answer: JSON) {
        let entry = SmallArchive.entry(
            "https://api.example.com\(url)",
            method: post == nil ? "GET" : "POST",
            status: status,
            body: post,
            text: answer.text
        )
        let made = try #require(try SmallArchive.imported(SmallArchive.text([entry])).entries.first)
        return (
            made["request"]?["postData"]?["text"]?.stringValue,
            try JSONReader.read(text: made["response"]?["content"]?["text"]?.stringValue ?? "null")
        )
    }

    @Test func `13 the messages of a refusal stay`() throws {
        let refusals: [JSON] = [
            ["errors": ["password": ["The password must have 8 characters", "is too common"]]],
            ["password": ["This field may not be blank."], "token": "is required", "pin": ["must have 4 digits"]],
            ["fields": ["token": "is required", "personnummer": "har fel form"]],
            ["errors": ["apiKey": [["message": "is unknown", "code": "invalid"]]]],
            ["violations": ["newPassword": "size must be between 8 and 64"]], ["secret": ["密码至少8个字符"]],
            ["password": ["min:8", "ERR_1001", "password.too_short.8"], "token": "TOKEN-EXPIRED-401"],
            ["error": ["token": "has expired at 2026-11-29T17:00:00Z"], "x": ["token": "is not like ^[a-f0-9]{32}$"]],
            ["ModelState": ["Password": ["Passwords must have at least one digit ('0'-'9')."]]],
        ]
        for refusal in refusals {
            for status: Int64 in [400, 422, 500] {
                let post: Post = ("application/json", #"{"password":"open sesame"}"#)
                let found = try Self.exchange(status: status, post: post, answer: refusal)
                expectEqual(found.answer, refusal)
                expectEqual(found.sent, #"{"password":"redacted-token-1"}"#)
            }
        }
        // Below a member of that name the status does not matter, as in GraphQL.
        let inner: JSON = ["data": .null, "errors": [["extensions": ["validation": ["password": ["is too short"]]]]]]
        try expectEqual(Self.exchange(status: 200, answer: inner).answer, inner)
        let list = #"{"password":["open sesame","is too short"]}"#
        let sent = try Self.exchange(status: 422, post: ("application/json", list), answer: [:]).sent
        expectEqual(sent, #"{"password":["redacted-token-1","redacted-token-2"]}"#, "a list of a request")
    }

    @Test func `13 a refusal that repeats a secret, or has a new one, is redacted`() throws {
        let posts: [Post] = [
            ("application/json", #"{"password":"open sesame","pin":"ab cd"}"#),
            ("application/x-www-form-urlencoded", "password=open+sesame&pin=ab+cd"),
        ]
        for post in posts {
            for status: Int64 in [200, 400] {
                let answer: JSON = [
                    "errors": ["password": ["'open sesame' is too common", "open sesame"], "token": "ab cd"],
                    "old": ["password": "open sesame"], "list": [["param": "password", "value": "open sesame"]],
                    "mfa_token": "Zk3v9xQ2m8T7LrW1p0",
                ]
                let found = try Self.exchange(status: status, post: post, answer: answer)
                expectEqual(found.answer["errors"]?["password"]?[0]?.stringValue, "'redacted-token-1' is too common")
                for hidden in ["sesame", "Zk3v"] {
                    #expect(!found.answer.text.contains(hidden), "\(found.answer.text)")
                }
                expectEqual(found.sent?.contains("sesame"), false)
            }
        }
        let fresh: JSON = ["password": "open sesame"]
        try expectEqual(Self.exchange(status: 399, answer: fresh).answer["password"], "redacted-token-1")
    }

    @Test func `13 the descriptions of a schema stay, and the values of other objects go`() throws {
        let document: JSON = [
            "openapi": "3.0.3", "paths": ["/token": ["post": ["summary": "Makes a token", "operationId": "token"]]],
            "components": [
                "securitySchemes": ["ApiKey": ["type": "apiKey", "name": "X-Token", "in": "header"]],
                "schemas": ["AccessToken": ["type": "string", "format": "jwt"]],
            ],
        ]
        let password: JSON = [
            "type": "string", "title": "Passwort", "description": "The password of the account",
            "pattern": "^[A-Za-z0-9]{8,}[a-z]*$", "enum": ["one", "other"],
        ]
        let schema: JSON = [
            "type": "object",
            "properties": [
                "password": password, "token": ["$ref": "#/components/schemas/OAuth2TokenOfLength40"],
                "credentials": ["type": "object", "properties": ["user": ["type": "string"]]],
            ],
        ]
        let draft: JSON = ["$schema": "http://json-schema.org/schema#", "$defs": ["secret": ["type": "string"]]]
        let field: JSON = ["type": "string", "required": true, "label": "Passwort", "max_length": 128]
        for kept in [
            document, schema, ["form": ["schema": schema]], draft, ["actions": ["POST": ["password": field]]],
        ] {
            try expectEqual(Self.exchange("/doc", answer: kept).answer, kept)
        }
        let sample: JSON = ["properties": ["password": ["type": "string", "example": "Ab1cD2eF3gH4iJ5k"]]]
        let other: JSON = ["properties": ["db.password": ["value": "open sesame", "origin": "env"]]]
        for (answer, hidden) in [
            (sample, "Ab1c"), (other, "sesame"), (["properties": ["password": "open sesame"]], "sesame"),
            (["token": ["type": "Bearer", "data": "open sesame"]], "sesame"),
            (["password": ["type": "string", "default": "Ab1cD2eF"]], "Ab1c"),
        ] {
            let found = try Self.exchange("/doc", answer: answer).answer
            #expect(!found.text.contains(hidden), "\(found.text)")
        }
    }

    @Test func `13 a file of texts is known by the language in its name`() throws {
        let texts: JSON = ["password": "Passwort", "token": "Zugangscode", "secret": "Geheimnis"]
        for (url, isCatalogue) in [
            ("/static/messages_de.json", true), ("/static/messages.de.json", true), ("/static/de.json", true),
            ("/x/app_pt_BR.arb", true), ("/x/de-messages.properties", true), ("/x/ui-zh-Hans.json", true),
            ("/users/de", false), ("/messages_de", false), ("/static/data.json", false), ("/me.json", false),
        ] {
            try expectEqual(Self.exchange(url, answer: texts).answer == texts, isCatalogue, url)
        }
    }

    @Test func `13 names of files and packages are no addresses of people`() throws {
        let kept = [
            "lodash@4.17.21.tgz", "https://r.example/lodash@4.17.21.tgz", "npm://lodash@4.17.21", "a@4.tgz",
            "lodash%404.17.21.tgz", "kit@1.2.3-rc.1.tar.gz", "@babel/core@7.1.0.tgz", "pkg@v2.0-beta.zip",
            "app@1.0.apk", "icon@2x.woff2", "x@1.2.3.min.js.map",
        ]
        let gone = [
            "anna@example.com.tgz", "anna@163.com", "https://anna:word@10.0.0.1/x", "ftp://anna@1.example.com",
            "anna@7.example.com",
        ]
        let json: JSON = ["kept": .array(kept.map { .string($0) }), "gone": .array(gone.map { .string($0) })]
        let made = try Self.exchange("/dl/lodash@4.17.21.tgz", answer: json).answer
        expectEqual(made["kept"], json["kept"])
        for item in made["gone"]?.arrayValue ?? [] { #expect(!item.text.contains("anna"), "\(item.text)") }
    }

    // MARK: Passwords that are words

    /// Requests with a password, and what is left of them.
    private static let words: [(type: String, sent: String, kept: String)] = [
        (
            "application/json", #"{"password":"password","grant_type":"password","type":"password"}"#,
            #"{"password":"redacted-token-1","grant_type":"password","type":"password"}"#
        ),
        (
            "application/x-www-form-urlencoded", "username=u&password=password&grant_type=password",
            "username=u&password=redacted-token-1&grant_type=password"
        ),
        (
            "application/json", #"{"contraseña":"contraseña","x":"contraseña"}"#,
            #"{"contraseña":"redacted-token-1","x":"contraseña"}"#
        ),
        (
            "application/json", #"{"dbSecret":"dbSecret","y":{"dbSecret":1}}"#,
            #"{"dbSecret":"redacted-token-1","y":{"dbSecret":1}}"#
        ),
        (
            "application/json", #"{"password":"description","description":"x","role":"description"}"#,
            #"{"password":"redacted-token-1","description":"x","role":"redacted-token-1"}"#
        ),
        (
            "application/x-www-form-urlencoded", "password=customer&customer=1&a=customer&b=customerId",
            "password=redacted-token-1&customer=1&a=redacted-token-1&b=customerId"
        ),
        (
            "application/xml", #"<a customer="1"><password>customer</password><customer>x</customer></a>"#,
            #"<a customer="1"><password>redacted-token-1</password><customer>x</customer></a>"#
        ),
        (
            "application/json", #"{"password":"customer","text":"{\"customer\":1, \"b\":\"customer\"}"}"#,
            #"{"password":"redacted-token-1","text":"{\"customer\":1, \"b\":\"redacted-token-1\"}"}"#
        ),
    ]

    @Test func `13 a password that is a word renames nothing`() throws {
        for (type, sent, kept) in Self.words {
            let answer: JSON = ["grant_type": "password", "customer": ["description": 1], "password": .null]
            let found = try Self.exchange("/login?customer=1", post: (type, sent), answer: answer)
            expectEqual(found.sent, kept)
            expectEqual(found.answer, answer, sent)
        }
    }

    @Test func `13 a recorder renames nothing for a password that it learns later, and the requests still match`()
        throws
    {
        for (word, body) in [
            ("customer", #"{"customer":{"response":1},"request":2}"#), ("response", #"{"response":{"headers":1}}"#),
            ("application", #"{"application":1}"#), ("description", #"{"a":[{"description":1}]}"#),
        ] {
            let backend = try Backend()
            let folder = try Folder()
            let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "r.har"], in: folder)
            try expectEqual(recorder.ask("POST", "/echo?\(word)=1", body).status, 200)
            let login = JSON.object(["user": "anna", "password": .string(word), "x": [word: 1]]).text
            try expectEqual(recorder.ask("POST", "/login", login).status, 200)
            try recorder.stop()
            let text = try String(contentsOf: folder.url.appendingPathComponent("r.har"), encoding: .utf8)
            let entries = try #require(try JSONReader.read(text: text)["log"]?["entries"]?.arrayValue)
            expectEqual(entries[0]["request"]?["postData"]?["text"]?.stringValue, body, word)
            expectEqual(entries[0]["request"]?["postData"]?["mimeType"], "application/json", word)
            expectEqual(entries[0]["request"]?["queryString"]?[0]?["name"]?.stringValue, word)
            expectEqual(entries[0]["request"]?["url"]?.stringValue?.hasSuffix("?\(word)=1"), true, text)
            expectEqual(
                entries[1]["request"]?["postData"]?["text"]?.stringValue,
                login.replacingOccurrences(of: #":"\#(word)""#, with: #":"redacted-token-1""#),
                word
            )
            let replay = try Proxy(["replay", "r.har"], in: folder)
            for _ in 0..<2 {
                try expectEqual(replay.ask("POST", "/login", login).status, 200, word)
                try expectEqual(replay.ask("POST", "/echo?\(word)=1", body).status, 200, word)
            }
            try replay.stop()
        }
    }
}
