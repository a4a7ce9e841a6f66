import Secrets

/// The sense of a text of a response under a telltale name, beside a secret: its place tells.
package enum Wording {
    /// Nothing else.
    case none
    /// A message that tells what is wrong with a value, as in `{"errors":{"password":["is too short"]}}`.
    ///
    /// A refusal may also repeat the value.
    case message
    /// A label of a user interface, or the description of a value.
    case label

    /// Returns true for a text that people read, in its place.
    func takes(_ value: String, _ pseudonyms: Pseudonyms) -> Bool {
        switch self {
        case .none: false
        case .message:
            (TextCatalogue.isWording(value) || TextCatalogue.isCode(value)) && !pseudonyms.hasPseudonym(for: value)
        case .label: TextCatalogue.isWording(value)
        }
    }
}
