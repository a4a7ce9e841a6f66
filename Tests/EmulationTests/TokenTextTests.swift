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

    @Test func `a payload nested too deep is none`() {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(TokenText.payload(of: token(#"{"iss":\#(deep)}"#)) == nil)
    }
}
