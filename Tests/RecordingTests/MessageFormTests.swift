import Recording
import TestSupport
import Testing

/// Control contract, section 13, Redaction: the form of a text tells whether it is a secret or a message.
@Suite struct MessageFormTests {
    /// The content of an answer behind a request with some content.
    static func answer(
        _ text: String,
        status: Int = 200,
        type: String = "application/json",
        request: String = "{}",
        by redactor: Redactor = Redactor()
    ) -> String {
        var entry = Archives.posted("/register", "application/json", Array(request.utf8))
        entry.response.status = status
        entry.response.content = HARContent(size: text.utf8.count, mimeType: type, bytes: Array(text.utf8))
        return String(decoding: redactor.entry(entry).response.content.bytes ?? [], as: UTF8.self)
    }

    @Test(arguments: [
        "E1001", "ERR_2FA", "P2002", "AADSTS50126", "AUTH-E42", "auth/2fa-required", "PWD001", "2FA_REQUIRED",
        "too_short",
        "password.min:8", "ERR_1001",
    ])
    func `13 the code of an error under a telltale name stays in a refusal`(code: String) {
        for text in [
            #"{"errors":{"password":"\#(code)"}}"#, #"{"errors":{"apiKey":["\#(code)","is too short"]}}"#,
        ] {
            expectEqual(Self.answer(text), text)
            expectEqual(Self.answer(text, status: 422), text)
        }
        expectEqual(Self.answer(#"{"token":"\#(code)"}"#, status: 400), #"{"token":"\#(code)"}"#)
        expectEqual(Self.answer("token: \(code)", status: 400, type: "text/plain"), "token: \(code)")
        // Elsewhere it may be the secret itself.
        expectEqual(Self.answer(#"{"password":"\#(code)"}"#), #"{"password":"redacted-token-1"}"#)
        let echo = #"{"errors":{"password":"\#(code)"}}"#
        for status in [200, 422] {
            let found = Self.answer(echo, status: status, request: #"{"password":"\#(code)"}"#)
            expectEqual(found, #"{"errors":{"password":"redacted-token-1"}}"#)
        }
    }

    @Test(arguments: [
        "hunter22", "Ab1cD2eF", "x7Kq9ZpW2m", "A1B2C3", "AB12-CD34", "e1001", "blue-horse7", "ABCDEFGHI1", "E1234567",
        "12AB34",
    ])
    func `13 what looks generated is no code of an error`(text: String) {
        expectEqual(
            Self.answer(#"{"errors":{"password":"\#(text)"}}"#, status: 422),
            #"{"errors":{"password":"redacted-token-1"}}"#
        )
    }

    @Test func `13 a refusal that repeats a code or a short secret of its request is redacted with any status`() {
        for status in [200, 400] {
            expectEqual(
                Self.answer(#"{"errors":{"otp":"AB1234"}}"#, status: status, request: #"{"otp":"AB1234"}"#),
                #"{"errors":{"otp":"redacted-code-1"}}"#
            )
            expectEqual(
                Self.answer(#"{"errors":{"password":"ab cd"}}"#, status: status, request: #"{"password":"ab cd"}"#),
                #"{"errors":{"password":"redacted-token-1"}}"#
            )
        }
    }

    @Test(arguments: [
        #"["must be at least 8 characters"]"#, #"["This field may not be blank."]"#,
        #"["is too short", "är för kort"]"#,
        #"[ "darf nicht leer sein" ]"#, #"["يجب أن تكون كلمة المرور"]"#, #"["can't be blank","Password is \"weak\""]"#,
    ])
    func `13 a list of sentences under a telltale name is a list of messages, whatever the status`(list: String) {
        for text in [#"{"password":\#(list)}"#, #"{"data":{"userErrors":{"newPassword":\#(list),"token":\#(list)}}}"#] {
            expectEqual(Self.answer(text), text)
        }
    }

    @Test(arguments: [
        #"["Ab1cD2eF","is too short"]"#, #"["correct horse battery staple"]"#, #"["open sesame","correct horse"]"#,
        #"["hunter"]"#, #"["is too short",["open sesame"]]"#, #"["tango is Zk3v9xQ2m8T7LrW1p0"]"#,
    ])
    func `13 a list of secrets stays redacted, and so does a single text`(list: String) {
        let found = Self.answer(#"{"password":\#(list)}"#)
        for secret in ["Ab1c", "horse", "sesame", "hunter", "Zk3v"] { #expect(!found.contains(secret), "\(found)") }
        // What the request had is a secret, whatever its form.
        let own = #"{"password":["this is my secret"]}"#
        expectEqual(
            Self.answer(own, request: #"{"password":"this is my secret"}"#),
            #"{"password":["redacted-token-1"]}"#
        )
        expectEqual(Self.answer(#"{"password":"this is my secret"}"#), #"{"password":"redacted-token-1"}"#)
        expectEqual(Self.answer(#"{"password":[]}"#), #"{"password":[]}"#)
        let sent = Redactor().content(Array(own.utf8), type: "application/json")
        expectEqual(String(decoding: sent, as: UTF8.self), #"{"password":["redacted-token-1"]}"#)
    }
}
