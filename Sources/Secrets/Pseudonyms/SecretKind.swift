import Basics

/// The kind of a secret value, as far as its pseudonym has to keep its form.
package enum SecretKind: String, Sendable, CaseIterable {
    case email
    /// A JSON Web Token, whose pseudonym is still readable.
    case jwt
    /// A phone number, whose pseudonym has as many digits in the same places.
    case phone
    /// A personal number, whose pseudonym has as many digits in the same places.
    case person
    /// A code of digits, whose pseudonym has as many.
    case code
    /// Any other credential.
    case token
    /// The user and the password of Basic authentication.
    case basic
    case cookie
}

/// The names that mark their values as secrets.
package enum SecretNames {
    /// Returns the kind that a name implies for its value; nil for none.
    package static func kind(of name: String) -> SecretKind? {
        let plain = normalised(name)
        guard !plain.isEmpty else { return nil }
        if let kind = exact[plain] { return kind }
        if harmless.contains(plain) { return nil }
        return ending(of: plain) ?? counted(plain)
    }

    private static func ending(of plain: String) -> SecretKind? {
        guard let last = plain.utf8.last else { return nil }
        return endings[Int(last)].first { plain.utf8.reversed().starts(with: $0.ending) }?.kind
    }

    /// Returns the kind that a name such as `password2` or `newPassword1` implies: forms number the fields that repeat
    /// a value.
    private static func counted(_ plain: String) -> SecretKind? {
        let bare = withoutCount(plain)
        guard bare.utf8.count < plain.utf8.count else { return nil }
        return ending(of: bare) ?? (["pass", "pwd"].contains(bare) ? .token : nil)
    }

    private static func withoutCount(_ plain: String) -> String {
        let digits = plain.utf8.reversed().prefix { $0 &- 0x30 < 10 }.count
        return (1...2).contains(digits) ? String(plain.dropLast(digits)) : plain
    }

    /// Returns true if a value under a name may be an `otp` or an authorisation code: `code` also names errors and
    /// countries.
    package static func isCodeName(_ name: String) -> Bool {
        codeNames.contains(normalised(name))
    }

    private static let codeNames: Set<String> = [
        "code", "kod", "codigo", "codice", "kode", "koodi", "код", "رمز", "كود",
    ]

    /// Returns true if a long random value under a name is a credential; short values and words under it are not.
    package static func mayName(_ name: String) -> Bool {
        [
            "session", "xsession", "access", "xaccess", "refresh", "bearer", "hmac", "authorization", "authentication",
            "xauthentication", "p256dh", "samlresponse", "samlrequest",
        ].contains(normalised(name))
    }

    /// Returns true if a name may be that of a cookie with a session or another credential.
    package static func isSession(_ name: String) -> Bool {
        let plain = normalised(name)
        return kind(of: name).map { $0 != .cookie } ?? false || mayName(name) || plain.hasSuffix("sid")
            || ["sess", "auth", "token", "login"].contains { plain.contains($0) }
    }

    /// Returns true if a name is that of a password, whatever its value looks like.
    package static func isPassword(_ name: String) -> Bool {
        let plain = withoutCount(normalised(name))
        return ["pass", "pwd"].contains(plain) || passwords.end(plain)
    }

    /// Returns true for a label that equals its own telltale name: `"password":"Password"`, `"userToken":"Token"`.
    package static func isLabel(_ value: String, named name: String) -> Bool {
        guard value.utf8.count <= 64, value.contains(where: \.isLetter) else { return false }
        let (text, plain) = (normalised(value), normalised(name))
        return text == plain || plain.hasSuffix(text) && kind(of: value) != nil
    }

    /// Returns true for a word that means something in any message: the name of a secret, or a value of a protocol.
    ///
    /// As a password it is replaced in its own place alone.
    package static func isConstant(_ value: String) -> Bool {
        guard value.utf8.count <= 64 else { return false }
        return constants.contains(value.lowercased())
            || value.allSatisfy { $0.isLetter || $0 == "_" || $0 == "-" } && exact[normalised(value)] != nil
    }

    private static let constants: Set<String> = [
        "password", "passphrase", "username", "user_name", "credentials", "authorization", "authorization_code",
        "authorization-code", "client_credentials", "client_secret", "client_id", "refresh_token", "access_token",
        "id_token", "device_code", "jwt-bearer", "token-exchange", "implicit", "anonymous", "undefined", "required",
        "optional", "disabled", "application", "multipart", "x-www-form-urlencoded", "application/json", "text/html",
        "text/plain", "form-data", "keep-alive", "no-cache", "identity", "chunked", "same-origin", "localhost",
        "accesstoken", "refreshtoken", "clientsecret", "clientid",
    ]

    /// Returns true for words under a name that can't be a credential: under `signature` the end of a letter, and under
    /// `tokens` the words of a text.
    package static func isWording(_ value: String, under name: String) -> Bool {
        let isPlain = value.utf8.allSatisfy { !($0 &- 0x30 < 10) && $0 != 0x3D && $0 != 0x22 }
        switch normalised(name) {
        case let plain where plain.hasSuffix("signature"): return isPlain && value.contains(where: \.isWhitespace)
        case "tokens": return isPlain && value.utf8.count < 8
        default: return false
        }
    }

    /// Texts that a name can end with.
    private struct Endings {
        private let all: [String]
        /// The ASCII endings, each reversed, by their last byte.
        private let plain: [[[UInt8]]]

        init(_ all: [String]) {
            self.all = all
            var plain = [[[UInt8]]](repeating: [], count: 128)
            for ending in all where ending.utf8.allSatisfy({ $0 < 0x80 }) {
                let bytes = Array(ending.utf8.reversed())
                plain[Int(bytes[0])].append(bytes)
            }
            self.plain = plain
        }

        /// Returns true if a name has one of the endings.
        ///
        /// Most names are ASCII and are compared as bytes; names with combining characters are compared as texts.
        func end(_ name: String) -> Bool {
            guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return all.contains { name.hasSuffix($0) } }
            guard let last = name.utf8.last else { return false }
            return plain[Int(last)].contains { name.utf8.reversed().starts(with: $0) }
        }
    }

    private static let passwords = Endings(
        [
            "password", "passwd", "passphrase", "secret", "passwordconfirmation", "passwordconfirm", "passwordrepeat",
            "passwordagain",
        ] + foreignPasswords
    )
    private static let phrases = Endings(foreignPasswords)

    /// Passwords in other languages, in the form of `normalised`.
    private static let foreignPasswords = [
        "losenord", "losenordet", "passwort", "kennwort", "contrasena", "contrasenya", "motdepasse", "senha", "haslo",
        "wachtwoord", "passord", "adgangskode", "salasana", "heslo", "jelszo", "parola", "sifre", "lozinka",
        "geslo", "slaptazodis", "parool", "lykilord", "matkhau", "katasandi", "katalaluan", "palavrapasse",
        "palavrachave", "clave", "contrasinal", "pasahitza",
        "kodeord", "salasona", "parol", "wagwoord", "pasfhocal", "cyfrinair", "fjalekalimi", "fjalekalim", "nenosiri",
        "κωδικοσ", "κωδικοσπροσβασησ", "συνθηματικο", "пароль", "парола", "лозинка", "кодпароля", "құпиясөз",
        "нууцүг", "գաղտնաբառ", "პაროლი",
        "كلمةالمرور", "كلمةالسر", "كلمهالمرور", "كلمهالسر", "كلمةمرور", "كلمةسر", "رمزالمرور", "الرقمالسري",
        "الرمزالسري",
        "رمزعبور", "گذرواژه", "پاسورڈ", "סיסמה", "סיסמא", "ססמה",
        "पासवर्ड", "পাসওয়ার্ড", "கடவுச்சொல்", "పాస్వర్డ్", "密码", "密碼", "口令", "暗証番号", "パスワード", "비밀번호", "암호", "รหัสผ่าน",
    ]

    /// Returns the kind that the last words of a name imply; nil for none.
    package static func phrase(_ words: String) -> SecretKind? {
        phrases.end(normalised(words)) ? .token : nil
    }

    /// Returns true if a member, such as `name` of `{"name":"token","value":"…"}`, declares the value beside it a
    /// secret.
    package static func isLabel(_ name: String, of text: String) -> Bool {
        ["name", "key", "field", "header", "k", "n", "param", "parameter", "label"].contains(name)
            && (kind(of: text) != nil || mayName(text) || isAuthorization(text))
    }

    /// Returns true if a member of a schema holds a value of what the schema describes.
    package static func isSample(_ name: String) -> Bool {
        ["default", "example", "examples", "const", "enum"].contains(name)
    }

    /// Returns true if a member holds the value that another one names.
    package static func isLabelled(_ name: String) -> Bool { ["value", "v", "val"].contains(name) }

    /// Returns true if a member of a possible credential, such as `id` of `session`, is the credential itself.
    package static func isSubstance(_ name: String) -> Bool {
        ["id", "key", "hash"].contains(normalised(name))
    }

    /// Header fields that carry a credential behind a scheme word.
    package static func isAuthorization(_ name: String) -> Bool {
        ["authorization", "proxyauthorization", "xauthorization", "xforwardedauthorization"].contains(normalised(name))
    }

    /// Returns a name's letters and digits, in lower case and without diacritics.
    private static func normalised(_ name: String) -> String {
        var plain: [UInt8] = []
        for byte in name.utf8.prefix(128) {
            switch byte {
            case 0x41...0x5A: plain.append(byte | 0x20)
            case 0x61...0x7A, 0x30...0x39: plain.append(byte)
            case 0x80...0xFF: return folded(name)
            default: break
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Returns the same for a name with letters of other scripts.
    private static func folded(_ name: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in String(name.prefix(64)).lowercased().unicodeScalars {
            switch scalar.value {
            case 0x30...0x39, 0x61...0x7A: plain.append(scalar)
            case 0xE0...0x24F, 0x386...0x3CE, 0x450...0x45F, 0x1E00...0x1EFF:
                if let base = unmarked[scalar] {
                    plain.append(contentsOf: base.unicodeScalars)
                } else {
                    plain.append(scalar)
                }
            // Combining marks: accents, and the vowels of Hebrew and of Arabic, with its stroke.
            case 0x300...0x36F, 0x591...0x5C7, 0x640, 0x64B...0x652, 0...0x7F, 0x200B...0x200F: continue
            default:
                let category = scalar.properties.generalCategory
                if scalar.properties.isAlphabetic || category == .spacingMark || category == .nonspacingMark {
                    plain.append(scalar)
                }
            }
        }
        return String(plain)
    }

    /// Letters with diacritics, and the letters without them; also the final sigma of Greek.
    private static let unmarked: [Unicode.Scalar: String] = {
        let rows: KeyValuePairs = [
            "a": "àáâãäåāăą", "c": "çćĉċč", "d": "ďđð", "e": "èéêëēĕėęě", "g": "ĝğġģ", "h": "ĥħ", "i": "ìíîïĩīĭįı",
            "j": "ĵ", "k": "ķ", "l": "ĺļľŀł", "n": "ñńņňŉ", "o": "òóôõöøōŏő", "r": "ŕŗř", "s": "śŝşš", "ss": "ß",
            "t": "ţťŧ", "u": "ùúûüũūŭůűų", "w": "ŵ", "y": "ýÿŷ", "z": "źżž", "ae": "æ", "oe": "œ", "th": "þ",
        ]
        let others: KeyValuePairs = [
            "s": "ș", "t": "ț", "e": "əẹẻẽếềểễệ", "a": "ǎạảấầẩẫậắằẳẵặ", "i": "ǐỉị", "o": "ǒơọỏốồổỗộớờởỡợ",
            "u": "ǔưụủứừửữự", "y": "ỳỵỷỹ", "w": "ẁẃẅ",
            "α": "ά", "ε": "έ", "η": "ή", "ι": "ίϊΐ", "ο": "ό", "υ": "ύϋΰ", "ω": "ώ", "σ": "ς", "е": "ѐё", "и": "ѝ",
        ]
        var letters: [Unicode.Scalar: String] = [:]
        for (base, marked) in Array(rows) + Array(others) {
            for scalar in marked.unicodeScalars { letters[scalar] = base }
        }
        return letters
    }()

    /// Looked up as texts, so that combined letters equal precomposed ones.
    private static let exact = exactNames.merging(foreignPasswords.map { ($0, .token) }) { first, _ in first }

    private static let exactNames: [String: SecretKind] = [
        "auth": .token, "sid": .token, "pin": .code, "cvv": .code, "cvc": .code, "jwt": .jwt, "pass": .token,
        "pwd": .token, "tel": .phone, "phone": .phone, "mobile": .phone, "msisdn": .phone, "whatsapp": .phone,
        "ssn": .person, "iqama": .person, "civilid": .person, "idnumber": .person, "pnr": .person,
        "xapikey": .token, "apikey": .token, "tokens": .token, "signature": .token, "sig": .token,
        "personnummer": .person, "personalnumber": .person, "personalnum": .person, "nationalid": .person,
        "iban": .token, "cardnumber": .code, "otp": .code, "passcode": .code, "ticket": .token, "key": .token,
        "xauth": .token, "cookie2": .cookie, "dpop": .token, "signature256": .token, "passwords": .token,
        "accesstokens": .token, "refreshtokens": .token, "apikeys": .token, "recoverycodes": .token,
        "backupcodes": .token, "phonenumbers": .phone, "phones": .phone, "nonce": .token,
    ]

    /// Names that end like a telltale name but are harmless.
    private static let harmless: Set<String> = [
        "tokentype", "maxtokens", "hastoken", "hastokens", "haspassword", "expirytoken", "emailverified",
        "maxtoken", "mintoken", "requirespin", "haspin", "isotp", "useotp",
    ]

    /// The suffixes by their last byte, each reversed: every name of a document is looked up here.
    private static let endings: [[(ending: [UInt8], kind: SecretKind)]] = {
        var endings = [[(ending: [UInt8], kind: SecretKind)]](repeating: [], count: 256)
        for suffix in suffixes {
            let bytes = Array(suffix.ending.utf8.reversed())
            endings[Int(bytes[0])].append((bytes, suffix.kind))
        }
        return endings
    }()

    private static let suffixes: [(ending: String, kind: SecretKind)] =
        knownSuffixes + foreignPasswords.map { ($0, .token) }

    private static let knownSuffixes: [(ending: String, kind: SecretKind)] = [
        ("password", .token), ("passwd", .token), ("passphrase", .token), ("secret", .token), ("token", .token),
        ("apikey", .token), ("privatekey", .token), ("subscriptionkey", .token), ("accesskey", .token),
        ("credential", .token), ("credentials", .token), ("jwt", .jwt), ("sessionid", .token), ("cookie", .cookie),
        ("verificationcode", .code), ("onetimecode", .code), ("otpcode", .code), ("otp", .code),
        ("authcode", .token), ("authorizationcode", .token), ("codeverifier", .token), ("assertion", .token),
        ("pincode", .code), ("signature", .token), ("sessid", .token), ("csrf", .token), ("xsrf", .token),
        ("passcode", .code), ("magiclink", .token), ("securitycode", .code),
        ("passwordconfirmation", .token), ("passwordconfirm", .token), ("passwordrepeat", .token),
        ("passwordagain", .token), ("passwordhash", .token), ("tokenhash", .token), ("tokenvalue", .token),
        ("authkey", .token), ("secretkey", .token), ("signingkey", .token), ("encryptionkey", .token),
        ("sessionkey", .token), ("masterkey", .token), ("functionskey", .token), ("accesskeyid", .token),
        ("oauthverifier", .token), ("hubsignature256", .token), ("pushauth", .token),
        ("recoverycode", .code), ("backupcode", .code), ("mfacode", .code), ("smscode", .code), ("emailcode", .code),
        ("confirmationcode", .code), ("resetcode", .code), ("logincode", .code), ("twofactorcode", .code),
        ("phonenumber", .phone), ("mobilenumber", .phone), ("phone", .phone), ("msisdn", .phone),
        ("personalnumber", .person), ("personnummer", .person), ("nationalid", .person), ("nationalidnumber", .person),
        ("nationalnumber", .person), ("iqamanumber", .person), ("identitynumber", .person), ("civilregistry", .person),
        ("engangskod", .code), ("verifieringskod", .code), ("bekraftelsekod", .code), ("codigodeverificacion", .code),
        ("codedeverification", .code), ("bestatigungscode", .code), ("verifizierungscode", .code), ("رمزالتحقق", .code),
        ("кодподтверждения", .code), ("passportnumber", .person), ("socialsecuritynumber", .person),
        ("licensenumber", .person),
    ]
}
