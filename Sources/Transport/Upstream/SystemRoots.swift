import COpenSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The places where systems keep the authorities that they trust.
///
/// OpenSSL knows the place of the system that it was built for. A program that holds OpenSSL itself also runs on others.
enum SystemRoots {
    /// The files of Debian, Fedora, SUSE, older Red Hat, and Alpine or macOS, in this order.
    static let files = [
        "/etc/ssl/certs/ca-certificates.crt",
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/ssl/ca-bundle.pem",
        "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/cert.pem",
    ]

    /// Has a context trust the system's authorities: those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name, those in
    /// OpenSSL's own place, else those of the first file that is there.
    static func load(into context: OpaquePointer) {
        _ = SSL_CTX_set_default_verify_paths(context)
        let isNamed = getenv(X509_get_default_cert_file_env()) != nil || getenv(X509_get_default_cert_dir_env()) != nil
        guard !isNamed, access(X509_get_default_cert_file(), R_OK) != 0, access(X509_get_default_cert_dir(), R_OK) != 0,
            let file = files.first(where: { access($0, R_OK) == 0 })
        else { return }
        _ = SSL_CTX_load_verify_locations(context, file, nil)
        ERR_clear_error()
    }
}

/// The files that may hold the system's roots, for those who read them.
package enum RootFiles {
    /// OpenSSL's own place first.
    package static var all: [String] {
        let own = X509_get_default_cert_file().map { [String(cString: $0)] } ?? []
        return own + SystemRoots.files
    }
}
