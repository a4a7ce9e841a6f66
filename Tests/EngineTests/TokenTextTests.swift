import Backend
import Crypto
import JSON
import TestSupport
import Testing

@Suite struct TokenTextTests {
    private func token(_ payload: String) -> String {
        JWT.signed(header: Array("{}".utf8), payload: Array(payload.utf8), key: .hs256(HMACKey(secret: [1])))
    }

    @Test func `an issuer is read without any key`() {
        expectEqual(TokenText.issuer(of: token(#"{"iss":"a"}"#)), "a")
        expectEqual(TokenText.issuer(of: token(#"{"iss":"https://appleid.apple.com","understudy":"b"}"#)), "b")
        expectEqual(TokenText.payload(of: token(#"{"sub":"s"}"#))?["sub"], "s")
    }

    @Test(arguments: [#"{}"#, #"{"iss":1}"#, #"{"iss":null}"#, "[]", "\"iss\"", "{", "null"])
    func `a payload without one names none`(payload: String) {
        expectNil(TokenText.issuer(of: token(payload)))
    }

    @Test(arguments: ["", ".", "..", "...", "a.b.c", "eyJ9.eyJ9", String(repeating: ".", count: 1_000)])
    func `what is no token is none`(text: String) {
        expectNil(TokenText.payload(of: text))
    }

    @Test func `only the second of three parts has to decode in a loose reading`() {
        let payload = Base64URL.encode(Array(#"{"sub":"s"}"#.utf8))
        expectEqual(TokenText.loosePayload(of: "?.\(payload).?")?["sub"], "s")
        expectNil(TokenText.payload(of: "?.\(payload).?"))
        expectNil(TokenText.loosePayload(of: "\(payload)"))
        expectNil(TokenText.loosePayload(of: "a.\(payload).b.c"))
        expectNil(TokenText.loosePayload(of: "a.!.b"))
        expectEqual(TokenText.subject(of: token(#"{"sub":"s"}"#)), "s")
    }

    @Test func `a payload nested too deep is none`() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        expectNil(TokenText.payload(of: token(#"{"iss":\#(deep)}"#)))
    }
}
