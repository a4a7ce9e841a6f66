package import Emulation

/// The search for credentials of ours alone, as the bench measures it.
package struct CredentialSearch: Sendable {
    private let check: OutgoingCheck

    package init(_ issued: IssuedSecrets) { check = OutgoingCheck(issued) }

    /// Whether a credential of ours stands in a text.
    package func finds(in bytes: [UInt8]) -> Bool { check.holds(bytes) }
}
