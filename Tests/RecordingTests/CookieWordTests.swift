import Recording
import Secrets
import TestSupport
import Testing

/// Control contract, section 13, Redaction: words that are the values of cookies.
@Suite struct CookieWordTests {
    /// What is left of a text after a request with a cookie.
    private static func text(_ text: String, behind cookie: String) -> String {
        let redactor = Redactor()
        var entry = Archives.posted("/a", "text/plain", Array(text.utf8))
        entry.request.headers.append(HARPair("Cookie", cookie))
        let clean = redactor.entry(entry)
        let field = clean.request.headers.value("cookie") ?? ""
        #expect(field.contains("redacted-cookie-1"), "\(field)")
        return String(decoding: clean.request.postData?.bytes ?? [], as: UTF8.self)
    }

    @Test(arguments: [
        "accepted", "Rejected", "dismissed", "ESSENTIAL", "darkmode", "analytics", "functional", "collapsed", "svenska",
        "descending", "professional", "newsletter",
    ])
    func `13 a cookie's value that is a word stays elsewhere`(word: String) {
        for cookie in ["consent=\(word)", "a=1; theme=\(word); b=2", "cookie=\(word)"] {
            expectEqual(Self.text("is \(word) by all", behind: cookie), "is \(word) by all", cookie)
        }
        expectEqual(Redactor().header("Set-Cookie", "consent=\(word); Path=/"), "consent=redacted-cookie-1; Path=/")
        let redactor = Redactor()
        expectEqual(redactor.value(word, under: "consentCookie"), "redacted-cookie-1")
        expectEqual(redactor.text(word), word)
    }

    @Test(arguments: [
        "qwkzjxvbnm", "kjhgfdsaqwertyui", "xkcdqzpl", "sdfghjkl", "AcCepTed", "acceptedB", "darkmode1", "accepted-all",
        "tbvjwqkz", "zxcvbnmasd", "abcdefghijklmnopqrstuvwxyz",
    ])
    func `13 a cookie's value that is no word goes everywhere`(value: String) {
        #expect(!Self.text("is \(value) by all", behind: "a=\(value)").contains(value))
    }

    @Test(arguments: ["sid", "session", "connect.sid", "JSESSIONID", "auth", "remember_token", "login", "PHPSESSID"])
    func `13 a word that is a session goes everywhere`(name: String) {
        #expect(!Self.text("is accepted by all", behind: "\(name)=accepted").contains("accepted"))
    }

    @Test func `13 a cookie's word that is a password too goes everywhere`() {
        let redactor = Redactor()
        _ = redactor.header("Cookie", "consent=accepted")
        _ = redactor.value("accepted", under: "password")
        expectEqual(redactor.text("is accepted by all"), "is redacted-token-1 by all")
    }

    /// Random letters in place of a word: a few of a thousand look like one.
    @Test func `13 random letters are no words`() {
        var generator = SeededGenerator(seed: 7)
        for (count, most) in [(8, 40), (12, 12), (16, 5)] {
            var kept = 0
            for _ in 0..<1_000 {
                let letters = (0..<count).map { _ in UInt8.random(in: 0x61...0x7A, using: &generator) }
                let redactor = Redactor()
                _ = redactor.header("Cookie", "a=" + String(decoding: letters, as: UTF8.self))
                if !redactor.pseudonyms.hasKnown { kept += 1 }
            }
            #expect(kept <= most, "\(count) letters: \(kept)")
        }
    }
}
