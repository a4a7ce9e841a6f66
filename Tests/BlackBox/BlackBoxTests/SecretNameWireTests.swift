import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 13: redaction knows the names of secrets in other languages, before anything reaches disk.
@Suite struct SecretNameWireTests {
    /// Words for a password as single names, in the spelling of their languages.
    private static let words = [
        "lösenord", "Passwort", "Kennwort", "contraseña", "contrasenya", "motdepasse", "senha", "hasło", "wachtwoord",
        "passord", "adgangskode", "kodeord", "salasana", "salasõna", "heslo", "jelszó", "parolă", "parola", "şifre",
        "lozinka", "geslo", "slaptažodis", "parool", "lykilorð", "mậtkhẩu", "matkhau", "katasandi", "clave",
        "contrasinal", "pasahitza", "κωδικός", "ΚΩΔΙΚΌΣ", "νέοςΚωδικός", "συνθηματικό", "пароль", "НовыйПароль",
        "парола", "лозинка", "құпиясөз", "нууцүг", "գաղտնաբառ", "პაროლი", "كلمةالمرور", "كلمة_السر", "كلمةمرور",
        "رمزعبور", "گذرواژه", "پاسورڈ", "סיסמה", "סִיסְמָה", "पासवर्ड", "கடவுச்சொல்", "密码", "密碼", "暗証番号",
        "パスワード", "비밀번호", "암호", "รหัสผ่าน", "wagwoord", "nenosiri",
    ]

    @Test func `13 the value of a member with such a name is in no file and no journal, however it is composed`() throws
    {
        let backend = try Backend()
        let folder = try Folder()
        let recorder = try Proxy(["record", "--upstream", backend.url(), "--out", "rec.har"], in: folder)
        var secrets: [(name: String, value: String)] = []
        for word in Self.words {
            for form in [word.precomposedStringWithCanonicalMapping, word.decomposedStringWithCanonicalMapping] {
                let value = "hunter-\(secrets.count)-value"
                secrets.append((form, value))
                let sent = try recorder.ask(
                    "POST",
                    "/echo",
                    JSON.object(JSONObject([JSONObject.Member(name: form, value: .string(value))])).text
                )
                #expect(sent.text.contains(value), "the backend gets what was sent")
            }
        }
        let journal = try recorder.control("GET", "/requests?limit=1000").text
        try recorder.stop()
        let file = String(
            decoding: try Data(contentsOf: folder.url.appendingPathComponent("rec.har")),
            as: UTF8.self
        )
        for (name, value) in secrets {
            #expect(!file.contains(value), "\(name)")
            #expect(!journal.contains(value), "\(name)")
        }
    }
}
