import Foundation

@testable import Certificates

/// `openssl verify` with the root of an authority trusted.
struct Verification {
    private let scratch: Scratch
    private let root: String

    init(_ authority: Authority) throws {
        scratch = try Scratch()
        root = try scratch.write(authority.root.pem, to: "root.pem")
    }

    /// Returns the code of the first error, with the rules of RFC 5280 applied strictly, keys of 112 bits demanded and
    /// the name checked; 0 without one.
    func code(of identity: ServerIdentity, host: String) throws -> Int {
        let leaf = try scratch.write(identity.certificate.pem, to: "leaf.pem")
        // What the client gets is all that it knows beside the root.
        let chain = try scratch.write(identity.chain.map(\.pem).joined(), to: "chain.pem")
        let check = IPAddress(host) == nil ? "-verify_hostname" : "-verify_ip"
        let sent = identity.chain.isEmpty ? [] : ["-untrusted", chain]
        return try Tool.openssl(
            ["verify", "-x509_strict", "-purpose", "sslserver", "-auth_level", "2", "-no-CAstore", "-no-CApath"]
                + ["-CAfile", root] + sent + [check, host, leaf]
        ).verificationCode
    }
}
