/// The outcome of a handshake (transport contract, section 3).
package struct TLSFacts: Hashable, Sendable {
    package struct ClientCertificate: Hashable, Sendable {
        package var subject: String
        /// The SHA-256 of the encoded form.
        package var fingerprint: [UInt8]

        package init(subject: String, fingerprint: [UInt8]) {
            self.subject = subject
            self.fingerprint = fingerprint
        }
    }

    package var version: TLSVersion
    /// The cipher suite by its name in the RFCs.
    package var cipher: String
    package var serverName: String?
    /// The application protocol that was picked.
    package var applicationProtocol: String?
    package var isResumed: Bool
    package var clientCertificate: ClientCertificate?
    /// The id of the fault, or the ready name, that acts on the connection.
    package var fault: String?

    package init(
        version: TLSVersion,
        cipher: String,
        serverName: String? = nil,
        applicationProtocol: String? = nil,
        isResumed: Bool = false,
        clientCertificate: ClientCertificate? = nil,
        fault: String? = nil
    ) {
        self.version = version
        self.cipher = cipher
        self.serverName = serverName
        self.applicationProtocol = applicationProtocol
        self.isResumed = isResumed
        self.clientCertificate = clientCertificate
        self.fault = fault
    }
}
