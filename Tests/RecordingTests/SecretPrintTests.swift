import Recording
import Secrets
import Testing

/// Control contract, section 18: credentials that Understudy issued are searched for everywhere.
@Suite struct SecretPrintTests {
    @Test func `18 a secret of which only the print is kept is known, and no other text is`() {
        let pseudonyms = Pseudonyms()
        #expect(!pseudonyms.hasKnown)
        pseudonyms.learn([])
        #expect(!pseudonyms.hasKnown)
        pseudonyms.learn(
            ["opaque-secret-1", "0123456789", "redacted-token-1"].reduce(into: []) { $0.insert(SecretPrint($1)) }
        )
        #expect(pseudonyms.hasKnown)
        #expect(pseudonyms.isKnown("opaque-secret-1"))
        #expect(!pseudonyms.isKnown("opaque-secret-2"))
        // Ten digits are too common, and a stand-in is no secret.
        #expect(!pseudonyms.isKnown("0123456789"))
        #expect(!pseudonyms.isKnown("redacted-token-1"))
        pseudonyms.learn([SecretPrint("opaque-secret-2")])
        #expect(pseudonyms.isKnown("opaque-secret-1") && pseudonyms.isKnown("opaque-secret-2"))
    }
}
