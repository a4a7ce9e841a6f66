/// The reason why keys or certificates can't be used, as a sentence for a person.
package struct CertificateError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// A file is missing or can't be read.
        case unreadable
        /// A file holds something else than it should.
        case malformed
        /// A key is encrypted.
        case encrypted
        /// A key does not belong to its certificate, or a certificate not to the next one.
        case mismatch
        /// Others can read a key.
        case exposed
        /// A file or the folder is a symbolic link.
        case link
        case expired
        /// A key is too weak, or of a kind that is not supported.
        case weak
        /// The authority exists, so that options of its making come too late.
        case exists
        /// The authority can't be made.
        case notMade
        /// A name can't be permitted.
        case name
    }

    package let kind: Kind
    /// Says what is wrong and what to do.
    package let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
