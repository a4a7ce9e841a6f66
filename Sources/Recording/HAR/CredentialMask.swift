import Basics

/// The marks that tools put in the place of a credential that they take out of an archive.
package enum CredentialMask {
    private static let words: Set<String> = [
        "redacted", "removed", "hidden", "filtered", "masked", "sanitized", "omitted", "stripped",
    ]

    /// Tells whether something else stands in the place of the credential of `Authorization`, or of a secret.
    package static func stands(in value: String) -> Bool {
        let parts = value.split(separator: " ", maxSplits: 1)
        let credential = String(parts.last ?? "")
        let word = credential.lowercased().filter { $0.isLetter }
        if words.contains(word), credential.utf8.count <= 24 { return true }
        return parts.isEmpty
            || credential.count >= 3 && credential.allSatisfy { $0 == "*" || $0 == "•" || $0 == "x" || $0 == "X" }
    }
}
