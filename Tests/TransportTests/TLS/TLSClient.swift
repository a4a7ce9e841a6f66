import COpenSSL
import Certificates

/// A client of OpenSSL between buffers in memory.
final class TLSClient {
    /// The settings of a client; by default those of an ordinary one, which trusts the root.
    struct Settings {
        var host: String? = "checkout.localhost"
        var root: Certificate?
        var protocols: [String] = ["h2", "http/1.1"]
        var versions = (least: TLS1_2_VERSION, most: TLS1_3_VERSION)
        var suites: String?
        var groups: String?
        var securityLevel: Int32 = 2
        var session: Session?
        var identity: ServerIdentity?
        /// Asks for a stapled answer about the certificate's revocation.
        var wantsStaple = false
    }

    /// A session to be resumed.
    final class Session {
        fileprivate let handle: OpaquePointer

        fileprivate init(_ handle: OpaquePointer) { self.handle = handle }

        deinit { SSL_SESSION_free(handle) }
    }

    private let context: OpaquePointer
    let ssl: OpaquePointer
    private(set) var received: [UInt8] = []
    private(set) var isConnected = false
    private(set) var sawNotify = false
    /// The reason of a failure in OpenSSL's words.
    private(set) var failure: String?

    init(_ settings: Settings) {
        guard let context = SSL_CTX_new(TLS_client_method()), let ssl = Self.connection(context, settings) else {
            preconditionFailure("no memory for TLS")
        }
        self.context = context
        self.ssl = ssl
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    private static func connection(_ context: OpaquePointer, _ settings: Settings) -> OpaquePointer? {
        SSL_CTX_set_security_level(context, settings.securityLevel)
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(settings.versions.least), nil)
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(settings.versions.most), nil)
        if let suites = settings.suites { precondition(SSL_CTX_set_cipher_list(context, suites) == 1) }
        if let groups = settings.groups {
            var text = Array(groups.utf8CString)
            let isSet = text.withUnsafeMutableBytes {
                SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, $0.baseAddress)
            }
            precondition(isSet == 1)
        }
        if let root = settings.root {
            X509_STORE_add_cert(SSL_CTX_get_cert_store(context), root.handle)
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        }
        guard let ssl = SSL_new(context), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            return nil
        }
        BIO_ctrl(input, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, nil)
        SSL_set_bio(ssl, input, output)
        if let host = settings.host {
            var name = Array(host.utf8CString)
            _ = name.withUnsafeMutableBytes {
                SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), $0.baseAddress)
            }
            SSL_set1_host(ssl, host)
        }
        let list = settings.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !list.isEmpty { SSL_set_alpn_protos(ssl, list, UInt32(list.count)) }
        if let session = settings.session { SSL_set_session(ssl, session.handle) }
        if let identity = settings.identity {
            precondition(SSL_use_certificate(ssl, identity.certificate.handle) == 1)
            precondition(SSL_use_PrivateKey(ssl, identity.key.handle) == 1)
        }
        if settings.wantsStaple {
            _ = SSL_ctrl(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE, Int(TLSEXT_STATUSTYPE_ocsp), nil)
        }
        SSL_set_connect_state(ssl)
        return ssl
    }

    /// Takes bytes of the server and goes on as far as possible.
    func take(_ bytes: [UInt8]) {
        if !bytes.isEmpty { BIO_write(SSL_get_rbio(ssl), bytes, Int32(bytes.count)) }
        ERR_clear_error()
        if !isConnected, failure == nil {
            let result = SSL_do_handshake(ssl)
            if result == 1 {
                isConnected = true
            } else if SSL_get_error(ssl, result) != SSL_ERROR_WANT_READ {
                note()
            }
        }
        var buffer = [UInt8](repeating: 0, count: 32 * 1024)
        while isConnected, failure == nil {
            let count = SSL_read(ssl, &buffer, Int32(buffer.count))
            if count > 0 {
                received += buffer[..<Int(count)]
                continue
            }
            switch SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_READ: return
            case SSL_ERROR_ZERO_RETURN:
                sawNotify = true
                return
            default: note()
            }
        }
    }

    private func note() {
        let code = ERR_get_error()
        failure = ERR_reason_error_string(code).map { String(cString: $0) } ?? "broken"
        ERR_clear_error()
    }

    /// Returns what is to be sent to the server.
    func output() -> [UInt8] {
        let count = BIO_ctrl_pending(SSL_get_wbio(ssl))
        var bytes = [UInt8](repeating: 0, count: count)
        if count > 0 { BIO_read(SSL_get_wbio(ssl), &bytes, Int32(count)) }
        return bytes
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) { precondition(SSL_write(ssl, bytes, Int32(bytes.count)) == Int32(bytes.count)) }

    func endWriting() { SSL_shutdown(ssl) }

    var text: String { String(decoding: received, as: UTF8.self) }

    var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// The session with its newest ticket; nil without one.
    var session: Session? {
        guard let handle = SSL_get1_session(ssl) else { return nil }
        return SSL_SESSION_is_resumable(handle) == 1 ? Session(handle) : nil
    }

    /// The code of the certificate's verification.
    var verification: Int { SSL_get_verify_result(ssl) }

    var version: Int32 { SSL_version(ssl) }

    /// The stapled answer; nil without one.
    var staple: [UInt8]? {
        var pointer: UnsafeMutablePointer<UInt8>?
        let count = withUnsafeMutablePointer(to: &pointer) {
            SSL_ctrl(ssl, SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP, 0, UnsafeMutableRawPointer($0))
        }
        guard count > 0, let pointer else { return nil }
        return Array(UnsafeBufferPointer(start: pointer, count: count))
    }
}
