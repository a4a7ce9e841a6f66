/// An error of a database operation.
package struct StorageError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// The disk has no room left.
        case full
        /// Reading or writing failed.
        case inputOutput
        /// Another process holds the database.
        case busy
        /// The file is no database, or a damaged one.
        case damaged
        /// The file or its folder can't be written or opened.
        case notAccessible
        /// A rule of the schema was broken.
        case constraint
        case other
    }

    package var kind: Kind
    /// SQLite's own words, or the system's.
    package var text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        // SQLite's reports have line ends in them; a message is one line.
        self.text = text.split(whereSeparator: \.isNewline).joined(separator: ", ")
    }

    package var description: String { text }
}
