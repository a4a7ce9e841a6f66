package import Backend

/// The search for the emulator's own credentials by itself, for benchmarks.
package struct CredentialSearch: Sendable {
    private let check: OutgoingCheck

    package init(_ issued: IssuedSecrets) { check = OutgoingCheck(issued) }

    /// Tells whether a text holds one of the emulator's own credentials.
    package func finds(in bytes: [UInt8]) -> Bool { check.holds(bytes) }
}
