/// The form of a credential that its issuer has marked by a prefix, so that it is recognised wherever it is found.
struct CredentialForm: Sendable {
    private let prefix: [UInt8]
    /// The number of bytes behind the prefix from which on it is a credential.
    private let least: Int
    /// The number from which on it is one whatever precedes it, and even without a digit.
    private let full: Int
    /// The bytes behind the prefix beside letters and digits.
    private let marks: [UInt8]

    private init(_ prefix: String, _ least: Int, full: Int? = nil, marks: String = "") {
        self.prefix = Array(prefix.utf8)
        self.least = least
        self.full = full ?? least
        self.marks = Array(marks.utf8)
    }

    /// The forms that issuers document.
    private static let all: [CredentialForm] =
        // GitHub
        ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map { CredentialForm($0, 16, full: 20) } + [
            CredentialForm("github_pat_", 20, full: 40, marks: "_")
        ]
        // Stripe
        + ["sk_live_", "sk_test_", "rk_live_", "rk_test_"].map { CredentialForm($0, 10, full: 20) } + [
            CredentialForm("whsec_", 16, full: 32, marks: "+/=_-")
        ]
        // Slack
        + ["xoxa-", "xoxb-", "xoxc-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"].map {
            CredentialForm($0, 10, full: 20, marks: "-")
        } + [CredentialForm("xoxd-", 10, full: 24, marks: "-%/+=")]
        // GitLab
        + ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-"].map {
            CredentialForm($0, 16, full: 20, marks: "_-.")
        }
        // Google
        + [
            CredentialForm("AIza", 35, marks: "_-"), CredentialForm("ya29.", 20, full: 60, marks: "_-."),
            CredentialForm("GOCSPX-", 20, full: 28, marks: "_-"),
        ]
        // Shopify, npm, PyPI, Docker, Hugging Face, OpenAI, Anthropic, SendGrid, Supabase, Vault, DigitalOcean
        + ["shpat_", "shpca_", "shppa_", "shpss_"].map { CredentialForm($0, 32) }
        + ["dop_v1_", "doo_v1_", "dor_v1_"].map { CredentialForm($0, 64) }
        + [
            CredentialForm("npm_", 36), CredentialForm("pypi-AgE", 50, marks: "_-"),
            CredentialForm("dckr_pat_", 20, full: 27, marks: "_-"), CredentialForm("hf_", 34),
            CredentialForm("sk-proj-", 20, full: 40, marks: "_-"), CredentialForm("sk-ant-", 20, full: 40, marks: "_-"),
            CredentialForm("SG.", 60, marks: "_-."), CredentialForm("sbp_", 40),
            CredentialForm("sb_secret_", 20, full: 31, marks: "_-"), CredentialForm("hvs.", 24, full: 90, marks: "_-"),
        ]

    /// The forms by the first byte of their prefix.
    private static let byFirst: [[CredentialForm]] = {
        var table = [[CredentialForm]](repeating: [], count: 256)
        for form in all { table[Int(form.prefix[0])].append(form) }
        return table
    }()

    /// Returns the credential that begins at a place of a text; nil where none does.
    static func credential(in text: [UInt8], at place: Int) -> Range<Int>? {
        for form in byFirst[Int(text[place])] {
            if let end = form.end(in: text, from: place) { return place..<end }
        }
        return accessKey(in: text, at: place)
    }

    private func end(in text: [UInt8], from place: Int) -> Int? {
        guard text.count - place >= prefix.count + least, text[place...].starts(with: prefix) else { return nil }
        let start = place + prefix.count
        var end = start
        while end < text.count, Self.isLetterOrDigit(text[end]) || marks.contains(text[end]) { end += 1 }
        // The dot and the hyphen of a sentence.
        while end > start, !Self.isLetterOrDigit(text[end - 1]), text[end - 1] != 0x3D { end -= 1 }
        guard end - start < full else { return end }
        let isWord = place > 0 && Self.isLetterOrDigit(text[place - 1])
        return end - start >= least && !isWord && text[start..<end].contains { $0 &- 0x30 < 10 } ? end : nil
    }

    /// Finds the id of an access key of AWS: sixteen capitals and digits behind one of four prefixes.
    private static func accessKey(in text: [UInt8], at place: Int) -> Range<Int>? {
        let end = place + 20
        guard text[place] == 0x41, end <= text.count, text[place + 3] == 0x41,
            ["AKIA", "ASIA", "ABIA", "ACCA"].contains(where: { text[place...].starts(with: $0.utf8) }),
            text[place..<end].allSatisfy({ $0 &- 0x30 < 10 || $0 &- 0x41 < 26 }),
            place == 0 || !isLetterOrDigit(text[place - 1]), end == text.count || !isLetterOrDigit(text[end])
        else { return nil }
        return place..<end
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 }
}
