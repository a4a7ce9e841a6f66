import Crypto
import Emulation
import JSON
import Testing

@Suite struct TokenTextTests {
    private func token(_ payload: String) -> String {
        JWT.signed(header: Array("{}".utf8), payload: Array(payload.utf8), key: .hs256(HMACKey(secret: [1])))
    }

    @Test func `an issuer is read without any key`() {
        #expect(TokenText.issuer(of: token(#"{"iss":"a"}"#)) == "a")
        #expect(TokenText.issuer(of: token(#"{"iss":"https://appleid.apple.com","understudy":"b"}"#)) == "b")
        #expect(TokenText.payload(of: token(#"{"sub":"s"}"#))?["sub"] == "s")
    }

    @Test(arguments: [#"{}"#, #"{"iss":1}"#, #"{"iss":null}"#, "[]", "\"iss\"", "{", "null"])
    func `a payload without one names none`(payload: String) {
        #expect(TokenText.issuer(of: token(payload)) == nil)
    }

    @Test(arguments: ["", ".", "..", "...", "a.b.c", "eyJ9.eyJ9", String(repeating: ".", count: 1_000)])
    func `what is no token is none`(text: String) {
        #expect(TokenText.payload(of: text) == nil)
    }

    @Test func `only the second of three parts has to decode in a loose reading`() {
        let payload = Base64URL.encode(Array(#"{"sub":"s"}"#.utf8))
        #expect(TokenText.loosePayload(of: "?.\(payload).?")?["sub"] == "s")
        #expect(TokenText.payload(of: "?.\(payload).?") == nil)
        #expect(TokenText.loosePayload(of: "\(payload)") == nil)
        #expect(TokenText.loosePayload(of: "a.\(payload).b.c") == nil)
        #expect(TokenText.loosePayload(of: "a.!.b") == nil)
        #expect(TokenText.subject(of: token(#"{"sub":"s"}"#)) == "s")
    }

    @Test func `a payload nested too deep is none`() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(TokenText.payload(of: token(#"{"iss":\#(deep)}"#)) == nil)
    }
}
