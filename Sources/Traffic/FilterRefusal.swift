/// The reason why a word is no filter, in words for people.
package struct FilterRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// The word that was refused.
    package let word: String
    package let reason: String

    package var description: String { "\"\(word)\": \(reason)" }
}
