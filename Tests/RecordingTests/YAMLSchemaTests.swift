import Recording
import TestSupport
import Testing

/// Control contract, section 13, Redaction: schemas and OpenAPI documents in YAML.
@Suite struct YAMLSchemaTests {
    private static let types = ["application/yaml", "text/yaml", "application/x-yaml; charset=utf-8"]

    @Test(arguments: [
        """
        openapi: 3.1.0
        paths:
          /token: {post: {operationId: token}}
        components:
          schemas:
            Login:
              properties:
                password: {type: string, format: password}
                token: {$ref: '#/components/schemas/Token'}
                secret: *secret
        """,
        """
        # A schema.
        $schema: "https://json-schema.org/draft/2020-12/schema"
        properties:
          "password": {"type":"string"}
          'api_key':   {$ref: "#/$defs/key"}
        """,
        """
        spec:
          versions:
          - name: v1
            schema:
              type: object
              properties:
                password: {type: string}
                accessToken:   # of the session
                  type: string
                  description: "token: what signs in"
                plain: {type: string}
        """,
        "x:\n  properties: {password: {type: string}, token: {enum: [a, b]}}\n",
        "form:\r\n  password: {type: string, label: Passwort}\r\n  apiKey:\r\n    type: text\r\n    title: Key: of access\r\n",
    ])
    func `13 the names of a schema in YAML are names, as in JSON`(text: String) {
        for type in Self.types { expectEqual(MessageFormTests.answer(text, type: type), text, type) }
        // A document is known by its version in plain text, too.
        expectEqual(MessageFormTests.answer(text, type: "text/plain") == text, text.hasPrefix("openapi"))
    }

    @Test(arguments: [
        "properties:\n  password: sesame-open\n", "db:\n  password: sesame-open\n  type: string\n",
        "properties:\n  password: {value: x}\n  token: sesame-open\n",
        "properties:\n  db.password:\n    type: string\n    value: x\ntoken: sesame-open\n",
        "openapi: yes\npassword: sesame-open\n",
        "a:\n  properties:\n    name: {type: string}\n  password: sesame-open\n",
        "properties: {password: sesame-open, name: {type: string}}\n",
    ])
    func `13 values in YAML that are none of a schema go`(text: String) {
        for type in Self.types {
            let found = MessageFormTests.answer(text, type: type)
            #expect(!found.contains("sesame"), "\(found)")
        }
    }

    @Test func `13 a secret in a schema in YAML goes, and a request has none`() {
        let document = "openapi: 3.0.3\ninfo: {contact: anna@example.com}\nx: Bearer Zk3v9xQ2m8T7LrW1p0\n"
        let found = MessageFormTests.answer(document + "y: {token: Ab1cD2eF3gH4iJ5k}\n", type: "application/yaml")
        for secret in ["anna", "Zk3v", "Ab1c"] { #expect(!found.contains(secret), "\(found)") }
        let sent = Redactor().content(Array("openapi: 3.0.3\npassword: sesame-open\n".utf8), type: "text/yaml")
        #expect(!String(decoding: sent, as: UTF8.self).contains("sesame"))
    }

    @Test func `13 hostile YAML takes linear time`() {
        func text(_ count: Int) -> [UInt8] {
            let line = "properties:\n  password: {type: string}\n  token: {a\n"
            return Array(String(repeating: line, count: count).utf8)
        }
        let redactor = Redactor().answering("/a", status: 200)
        let (some, more) = (text(500), text(4_000))
        let short = ProcessorTime.measure { _ = redactor.content(some, type: "text/yaml") }
        let long = ProcessorTime.measure { _ = redactor.content(more, type: "text/yaml") }
        #expect(long < short * 8 * 4, "\(long) \(short)")
    }
}
