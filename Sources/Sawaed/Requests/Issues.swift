import Emulation
import JSON

/// The wording of issues: only the first is reported, in a sentence (contract, section 2.2).
extension FieldIssue {
    /// The sentence.
    var message: String {
        let words =
            switch kind {
            case .missing: "is required"
            case .wrongType(.string): "must be a string"
            case .wrongType(.boolean): "must be true or false"
            case .wrongType(.strings), .wrongType(.array): "must be an array of strings"
            case .wrongType(.object): "must be an object"
            case .wrongType(.number), .wrongType(.integer), .outOfRange: "must be a number"
            case .wrongType(.other(let kind)): "must be \(kind)"
            case .wrongType(.oneOf(let allowed)), .notAllowed(let allowed):
                "must be one of \(allowed.joined(separator: ", "))"
            case .empty: "must not be empty"
            case .blank: "must not be blank"
            case .tooShort(let least): "must have at least \(least) characters"
            case .tooLong(let most): "must have at most \(most) characters"
            case .wrongLength(let range): "must have \(range.lowerBound) to \(range.upperBound) characters"
            case .wrongFormat("email"): "must be an e-mail address"
            case .wrongFormat(let name): "must be of the format \(name)"
            case .tooFewItems(let least): "must have at least \(least) elements"
            case .tooManyItems(let most): "must have at most \(most) elements"
            case .duplicate: "must not come twice"
            case .unknownMember: "is unknown"
            case .rule(let words): words
            }
        return "\(field) \(words)."
    }
}

extension RequestValue where Output == String {
    /// An e-mail address.
    static var email: Self { Self.string().format("email", where: EmailAddress.isValid) }

    /// An e-mail address, trimmed and in lower case.
    static var foldedEmail: Self {
        Self.string().map { $0.trimmed.lowercased() }.format("email", where: EmailAddress.isValid)
    }
}
