import COpenSSL
import Certificates
import Handshakes

/// OpenSSL's context of the server's side, for connections with the same settings.
///
/// The key of its session tickets is made with it and lives as long. It belongs to the loop's thread.
final class ServerTLSContext {
    private let context: OpaquePointer
    private let settings: TLSSettings

    /// The suites of TLS 1.2: ephemeral key exchange and authenticated encryption only.
    ///
    /// AES with 128 bits comes first: its digest, SHA-256, costs less than the other in every derivation of a key.
    private static let suites = "ECDHE+AES128+AESGCM:ECDHE+AES256+AESGCM:ECDHE+CHACHA20"
    private static let modernSuites =
        "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    /// The suites of TLS 1.0 and 1.1, which have no authenticated encryption.
    private static let formerSuites = "ECDHE+AES:@SECLEVEL=0"
    private static let groups = "X25519:P-256"

    /// Nil without memory, or for a version that OpenSSL was built without.
    init?(_ settings: TLSSettings) {
        guard let made = SSL_CTX_new(TLS_server_method()) else { return nil }
        context = made
        self.settings = settings
        let (least, most) =
            switch settings.versions {
            case .modern: (TLSVersion.tls12, TLSVersion.tls13)
            case .only(let version): (version, version)
            }
        let suites = most < .tls12 ? Self.formerSuites : Self.suites
        guard SSL_CTX_ctrl(made, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(least.rawValue), nil) == 1,
            SSL_CTX_ctrl(made, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(most.rawValue), nil) == 1,
            SSL_CTX_set_cipher_list(made, suites) == 1, SSL_CTX_set_ciphersuites(made, Self.modernSuites) == 1,
            Self.setGroups(made)
        else { return nil }
        // The level decides on keys and digests of certificates; suites, groups and versions are fixed above.
        SSL_CTX_set_security_level(made, settings.strength == .weak || most < .tls12 ? 0 : 2)
        SSL_CTX_set_options(made, UInt64(understudy_server_options))
        if settings.sessions == .single {
            SSL_CTX_set_options(made, UInt64(understudy_no_ticket))
            SSL_CTX_set_num_tickets(made, 0)
        }
        // Tickets hold what a resumption needs; nothing is kept here.
        _ = SSL_CTX_ctrl(made, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        _ = SSL_CTX_ctrl(made, SSL_CTRL_MODE, Int(SSL_MODE_RELEASE_BUFFERS), nil)
        SSL_CTX_set_max_early_data(made, 0)
        setCallbacks()
    }

    deinit { SSL_CTX_free(context) }

    /// Returns the TLS state of one connection, between two memory buffers that it owns; nil without memory, or where
    /// the settings refuse the certificate.
    func connection(_ identity: ServerIdentity, for engine: TLSEngine) -> OpaquePointer? {
        guard let ssl = SSL_new(context) else { return nil }
        guard MemoryBIO.attach(to: ssl), present(identity, on: ssl) else {
            SSL_free(ssl)
            ERR_clear_error()
            return nil
        }
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(engine).toOpaque())
        SSL_set_accept_state(ssl)
        return ssl
    }

    private func present(_ identity: ServerIdentity, on ssl: OpaquePointer) -> Bool {
        guard SSL_use_certificate(ssl, identity.certificate.handle) == 1,
            SSL_use_PrivateKey(ssl, identity.key.handle) == 1
        else { return false }
        for certificate in identity.chain {
            // With 1 OpenSSL counts a reference of its own.
            guard SSL_ctrl(ssl, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate.handle)) == 1 else {
                return false
            }
        }
        guard let staple = identity.staple else { return true }
        // OpenSSL frees the copy.
        guard let copy = CRYPTO_malloc(staple.count, nil, 0) else { return false }
        copy.copyMemory(from: staple, byteCount: staple.count)
        return SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, staple.count, copy) == 1
    }

    private func setCallbacks() {
        SSL_CTX_set_info_callback(context) { ssl, place, value in
            guard let engine = ServerTLSContext.engine(ssl) else { return }
            let alert = TLSAlert(number: UInt8(truncatingIfNeeded: value & 0xFF))
            let isFatal = value >> 8 & 0xFF == SSL3_AL_FATAL
            if place & SSL_CB_ALERT != 0 {
                engine.noted(alert, from: place & SSL_CB_READ != 0 ? .client : .server, isFatal: isFatal)
            }
        }
        understudy_set_status_callback(context)
        if settings.protocols != nil {
            let pick: SSL_CTX_alpn_select_cb_func = { ssl, picked, length, offer, count, _ in
                guard let engine = ServerTLSContext.engine(ssl), let offer, let picked, let length else {
                    return SSL_TLSEXT_ERR_ALERT_FATAL
                }
                let names = UnsafeBufferPointer(start: offer, count: Int(count))
                guard let range = engine.pick(from: names) else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                picked.pointee = offer + range.lowerBound
                length.pointee = UInt8(range.count)
                return SSL_TLSEXT_ERR_OK
            }
            SSL_CTX_set_alpn_select_cb(context, pick, nil)
        }
        guard let demand = settings.clientCertificate else { return }
        let mode = SSL_VERIFY_PEER | (demand == .required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0)
        SSL_CTX_set_verify(context, mode, nil)
        // Any certificate is taken; the handshake proves that the client has its key.
        SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
    }

    private static func engine(_ ssl: OpaquePointer?) -> TLSEngine? {
        guard let ssl, let pointer = SSL_get_ex_data(ssl, 0) else { return nil }
        return Unmanaged<TLSEngine>.fromOpaque(pointer).takeUnretainedValue()
    }

    private static func setGroups(_ context: OpaquePointer) -> Bool {
        var names = Array(groups.utf8CString)
        return names.withUnsafeMutableBytes { SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, $0.baseAddress) } == 1
    }
}
