import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13, Redaction: credentials that are recognised by their form, wherever they are found.
@Suite struct MarkedSecretTests {
    private static let body = "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"

    private static func key(_ label: String, _ joint: String) -> String {
        let lines = [
            "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7", "VJTUt9Us8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3S",
        ]
        return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----"]).joined(separator: joint)
    }

    /// Each with a part that must not be left.
    private static let secrets: [(text: String, part: String)] =
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_11ABCDEFG0_", "npm_", "hf_"].map { ($0 + body, body) }
        + ["sk_live_", "sk_test_", "rk_live_", "rk_test_"].map {
            ("\($0)51H\(body.prefix(24))", String(body.prefix(24)))
        }
        + ["xoxb-", "xoxp-", "xoxa-2-", "xoxr-", "xoxs-", "xapp-1-"].map {
            ("\($0)123456789012-123456789012-\(body.prefix(24))", String(body.prefix(24)))
        }
        + ["glpat-", "sk-ant-api03-", "sk-proj-", "sb_secret_", "dckr_pat_", "GOCSPX-"].map { ($0 + body, body) }
        + [
            ("AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"), ("ASIAQ3EGQXZ5EXAMPLE7", "Q3EGQXZ5"),
            ("AIzaSy\(body.prefix(33))", "0aB1cD2e"),
        ]
        + [
            "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY",
            "PGP PRIVATE KEY BLOCK",
        ].flatMap { label in ["\n", "\r\n", "\\n", ""].map { (key(label, $0), "MIIEvQIBADANBg") } }

    /// The places of an exchange; each is an entry with the text in it.
    private static func places(_ text: String) -> [(name: String, entry: JSON)] {
        let url = "https://api.example.com/x"
        let inline = text.filter { !$0.isNewline }
        let component = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let inJSON = JSON.object(["note": .string("see \(text) there"), "n": 1]).text
        func plain(_ text: String) -> JSON { SmallArchive.entry(text: text, type: "text/plain") }
        return [
            ("JSON", SmallArchive.entry(text: inJSON)),
            ("JSON in JSON", SmallArchive.entry(text: JSON.object(["blob": .string(inJSON)]).text)),
            ("a name", SmallArchive.entry(text: JSON.object([text: 1]).text)),
            ("text", plain("the key is \(text), keep it")), ("text alone", plain(text)),
            ("a log", plain("[INFO] start\n\(text)\n[INFO] end")), ("HTML", plain("<p>\(text)</p>")),
            ("base64", plain(Data(text.utf8).base64EncodedString())),
            ("YAML", plain("data:\n  tls.key: \(Data(text.utf8).base64EncodedString())\n")),
            (
                "events",
                SmallArchive.entry(
                    text: "data: \(JSON.object(["d": .string(String(text.prefix(7)))]).text)\n\n"
                        + "data: \(JSON.object(["d": .string(String(text.dropFirst(7)))]).text)\n\n",
                    type: "text/event-stream"
                )
            ),
            ("a query", SmallArchive.entry("\(url)?q=\(component)")),
            ("a path", SmallArchive.entry("\(url)/\(component)/y")),
            ("a field", SmallArchive.entry(fields: [("X-Note", "see \(inline) there")])),
            ("a request's field", SmallArchive.entry(sent: [("X-Note", inline)])),
            (
                "a form",
                SmallArchive.entry(
                    method: "POST",
                    body: ("application/x-www-form-urlencoded", "a=\(component)&b=1")
                )
            ),
            ("a body", SmallArchive.entry(method: "POST", body: ("application/json", inJSON))),
            (
                "a file's part",
                SmallArchive.entry(
                    method: "POST",
                    body: (
                        "multipart/form-data; boundary=b",
                        "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"k.txt\"\r\n\r\n\(text)\r\n--b--\r\n"
                    )
                )
            ),
        ]
    }

    @Test func `13 credentials with the prefix of their issuer and private keys go, wherever they are found`() throws {
        for (text, part) in Self.secrets {
            let places = Self.places(text)
            let made = try SmallArchive.imported(SmallArchive.text(places.map(\.entry)))
            let packed = Data(part.utf8).base64EncodedString().prefix(12)
            for (place, entry) in zip(places, made.entries) {
                let found = entry.text
                #expect(!found.contains(part), "\(text.prefix(30)) in \(place.name): \(found)")
                let decoded = entry["response"]?["content"]?["text"]?.stringValue ?? ""
                #expect(!decoded.contains(packed), "\(text.prefix(30)) in \(place.name): \(found)")
            }
            let said = made.entries[3]["response"]?["content"]?["text"]?.stringValue ?? ""
            #expect(said.hasPrefix("the key is redacted-token-") && said.hasSuffix(", keep it"), "\(said)")
        }
    }

    @Test func `13 what only begins like a credential stays`() throws {
        let texts = [
            "ghp_", "the prefix ghp_ marks a token", "highp_vec4_position_variable", "sk_live_", "sk_test_mode",
            "xoxb-",
            "AKIA", "AKIAlowercase0000000", "BAKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLES3", "AIzaShort",
            "npm_config_cache",
            "hf_hub", "SG.12", "task-project", "-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBg\n-----END CERTIFICATE-----",
            "-----BEGIN PUBLIC KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END PUBLIC KEY-----",
            "-----BEGIN PRIVATE KEY-----",
        ]
        let entries = texts.map { SmallArchive.entry(text: JSON.object(["note": .string($0)]).text) }
        let made = try SmallArchive.imported(SmallArchive.text(entries))
        for (text, entry) in zip(texts, made.entries) {
            let content = try JSONReader.read(text: entry["response"]?["content"]?["text"]?.stringValue ?? "")
            expectEqual(content["note"]?.stringValue, text)
        }
    }
}
