import COpenSSL

/// The trust by which connections to real backends are verified: the system's authorities and those of a file.
///
/// Unchecked: OpenSSL counts the references to a context itself, and the context never changes.
package final class TLSContext: @unchecked Sendable {
    private let context: OpaquePointer

    /// Trusts the system's authorities and those of a file (PEM), if one is given.
    package init(authorities: String?) throws(UpstreamFailure) {
        guard let made = SSL_CTX_new(TLS_client_method()) else {
            throw UpstreamFailure(.tls, "there is no memory for TLS")
        }
        context = made
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        SystemRoots.load(into: context)
        if let authorities, SSL_CTX_load_verify_locations(context, authorities, nil) != 1 {
            ERR_clear_error()
            throw UpstreamFailure(.tls, "\(authorities): no certificates can be read from it")
        }
    }

    deinit { SSL_CTX_free(context) }

    /// Returns the TLS state of a connection over a connected socket, which has to verify as that host.
    func connection(_ descriptor: Int32, host: String) -> OpaquePointer? {
        guard let ssl = SSL_new(context) else { return nil }
        let isNumeric = !AddressLookup.bytes(of: host).isEmpty
        let protocols: [UInt8] = [8] + Array("http/1.1".utf8)
        let isReady =
            SSL_set_fd(ssl, descriptor) == 1
            && SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count)) == 0
            && (isNumeric
                ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1
                : SSL_set1_host(ssl, host) == 1 && Self.sendName(ssl, host))
        guard isReady else {
            SSL_free(ssl)
            return nil
        }
        return ssl
    }

    /// Calls `SSL_set_tlsext_host_name`, which is a macro in C.
    private static func sendName(_ ssl: OpaquePointer, _ host: String) -> Bool {
        var name = Array(host.utf8CString)
        return name.withUnsafeMutableBytes {
            SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), $0.baseAddress)
        } == 1
    }
}
