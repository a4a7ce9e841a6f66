import Compression
import Crypto
import Recording
import Secrets
import TestSupport
import Testing

/// Control contract, section 13: recorder and proxy undo the same codings.
@Suite struct CodedTextTests {
    private static let secret = "opaque-secret-12345"

    private static func wide(_ text: String) -> [UInt8] { text.utf8.flatMap { [$0, 0] } }

    private static func each(_ form: (UInt8) -> String) -> String { secret.utf8.map(form).joined() }

    private static func hex(_ byte: UInt8) -> String { String(byte, radix: 16) }

    /// Texts that have the secret in a coding.
    private static func coded() -> [[UInt8]] {
        let texts = [
            each { #"\u{\#(hex($0))}"# }, each { #"\x\#(hex($0))"# }, secret.replacingHyphens(with: #"\-"#),
            "opaque-= \t\r\nsecret-12345", each { "=\(hex($0).uppercased())" },
            Base64.encode(Array(each { "&#x\(hex($0));" }.utf8)), Base64.encode(Array(each { "%u00\(hex($0))" }.utf8)),
            Base64.encode(Array(each { #"\\\\u00\#(hex($0))"# }.utf8)),
            Base64.encode([0xFF] + (Deflate.compress(Array(secret.utf8), .gzip) ?? [])),
            Base64.encode(Array(Base64.encode(wide(secret)).utf8)),
        ]
        return texts.map { Array($0.utf8) }
            + [wide(secret), Deflate.compress(Array("a \(secret)".utf8), .gzip) ?? []]
    }

    @Test func `13 a known secret is found in every coding, and its place holds nothing else`() {
        for text in Self.coded() {
            let redactor = Redactor()
            redactor.pseudonyms.learn(Self.secret)
            let shown = String(decoding: text, as: UTF8.self)
            let whole = Array("see (".utf8) + text + Array(") there".utf8)
            if text.allSatisfy({ $0 > 0 && $0 < 0x80 }) {
                expectEqual(redactor.text("see (\(shown)) there"), "see (redacted-token-1) there", shown)
            }
            #expect(LateSecrets(redactor.pseudonyms).lies(in: whole), "\(shown)")
        }
    }

    @Test func `13 many secrets in one word take linear time`() {
        let redactor = Redactor()
        redactor.pseudonyms.learn(Self.secret)
        let word = Base64.encode(Array(String(repeating: "\(Self.secret) ", count: 4_000).utf8))
        expectEqual(redactor.text("a \(word) b"), "a redacted-token-1 b")
    }
}

extension String {
    fileprivate func replacingHyphens(with text: String) -> String {
        split(separator: "-", omittingEmptySubsequences: false).joined(separator: text)
    }
}
