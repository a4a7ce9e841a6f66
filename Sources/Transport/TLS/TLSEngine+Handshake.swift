import COpenSSL
import Certificates
import CivilTime
import Handshakes

/// The handshake: what is decided from the ClientHello, what OpenSSL does then, and how it can fail.
extension TLSEngine {
    /// Decides on the connection and begins, or holds the beginning back.
    func begin(_ hello: ClientHello, _ now: Moment) -> Step {
        let plan: HandshakePlan
        do {
            plan = try server.plan(hello, on: route, now: now.wall)
        } catch {
            return refuse(.internalError, now)
        }
        self.plan = plan
        switch plan.disturbance {
        case nil: return proceed(now)
        case .slow(let time): state = .held(until: now.monotonic + time, thenGoesOn: true)
        case .stall(let time): state = .held(until: time.map { now.monotonic + $0 }, thenGoesOn: false)
        case .reset: return fail(.injected, ending: .reset, now)
        case .close: return fail(.injected, now)
        case .garbage:
            plainOutput += server.garbage()
            return fail(.injected, now)
        case .alert(let alert):
            plainOutput += alert.record
            return fail(.injected, alert: HandshakeFailure.Alert(alert, from: .server), now)
        }
        return .working
    }

    /// Gives OpenSSL the connection and the bytes so far.
    func proceed(_ now: Moment) -> Step {
        guard let plan, let made = server.context(plan.settings)?.connection(plan.identity, for: self) else {
            return refuse(.internalError, now)
        }
        ssl = made
        state = .handshaking
        MemoryBIO.put(reader.bytes[...], for: made)
        reader = ClientHelloReader()
        return shakeHands(now)
    }

    func shakeHands(_ now: Moment) -> Step {
        guard let ssl else { return refuse(.internalError, now) }
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            let facts = makeFacts(ssl)
            self.facts = facts
            state = .open
            server.completed(facts)
            return .established
        }
        if SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ { return sawEnd ? fail(.clientClosed, now) : .idle }
        return fail(reason(OpenSSLErrors.takeReason()), alert: alert, now)
    }

    /// The fatal alert of either side.
    var alert: HandshakeFailure.Alert? {
        if let clientAlert { return HandshakeFailure.Alert(clientAlert, from: .client) }
        return serverAlert.map { HandshakeFailure.Alert($0, from: .server) }
    }

    private func reason(_ error: Int32) -> HandshakeFailure.Reason {
        guard clientAlert == nil else { return .clientAlert }
        return switch error {
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: .clientCertificateMissing
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_VERSION_TOO_HIGH, SSL_R_WRONG_SSL_VERSION,
            SSL_R_INAPPROPRIATE_FALLBACK:
            .noCommonVersion
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SHARED_GROUPS, SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SUITABLE_GROUPS,
            SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM,
            SSL_R_UNSUPPORTED_ELLIPTIC_CURVE,
            SSL_R_NO_CIPHERS_SPECIFIED:
            .noCommonCipher
        case SSL_R_NO_APPLICATION_PROTOCOL: .noCommonALPN
        default: .notTLS
        }
    }

    func timedOut(_ now: Moment) -> Step {
        if case .held(_, thenGoesOn: false) = state { return fail(.injected, now) }
        return fail(.timeout, now)
    }

    /// Ends a handshake that the server can't go on with, for want of memory or of a certificate.
    private func refuse(_ alert: TLSAlert, _ now: Moment) -> Step {
        plainOutput += alert.record
        return fail(.noCommonCipher, alert: HandshakeFailure.Alert(alert, from: .server), now)
    }

    @discardableResult
    func fail(
        _ reason: HandshakeFailure.Reason,
        alert: HandshakeFailure.Alert? = nil,
        ending: Ending = .close,
        _ now: Moment
    ) -> Step {
        state = .ended
        let context = HandshakeAdvice.Context(
            root: server.authority?.root.subject,
            serverName: hello?.serverName,
            versions: hello?.versions,
            protocols: hello?.protocols,
            fault: reason == .injected || plan?.isToBeRefused == true ? plan?.fault : nil
        )
        server.failed(
            HandshakeFailure(
                at: now.wall,
                api: route.api,
                peer: route.peer,
                serverName: hello?.serverName,
                protocols: hello?.protocols,
                versions: hello?.versions,
                reason: reason,
                alert: alert,
                advice: plan?.advice ?? HandshakeAdvice.sentence(reason, alert, context),
                fault: plan?.fault
            ),
            in: route.tunnel
        )
        return .failed(ending)
    }

    private func makeFacts(_ ssl: OpaquePointer) -> TLSFacts {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        let picked = UnsafeBufferPointer(start: name, count: Int(length))
        let cipher = SSL_get_current_cipher(ssl).flatMap { SSL_CIPHER_standard_name($0) }
        return TLSFacts(
            version: TLSVersion(rawValue: UInt16(truncatingIfNeeded: SSL_version(ssl))),
            cipher: cipher.map { String(cString: $0) } ?? "",
            serverName: hello?.serverName,
            applicationProtocol: picked.isEmpty ? nil : String(decoding: picked, as: UTF8.self),
            isResumed: SSL_session_reused(ssl) == 1,
            clientCertificate: clientCertificate(ssl),
            fault: plan?.fault
        )
    }

    private func clientCertificate(_ ssl: OpaquePointer) -> TLSFacts.ClientCertificate? {
        guard plan?.settings.clientCertificate != nil, let sent = SSL_get0_peer_certificate(ssl) else { return nil }
        let length = Int(i2d_X509(sent, nil))
        guard length > 0 else { return nil }
        let der = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            var place = buffer.baseAddress
            count = i2d_X509(sent, &place) == Int32(length) ? length : 0
        }
        return Certificate(der: der).map {
            TLSFacts.ClientCertificate(subject: $0.subject, fingerprint: $0.fingerprint)
        }
    }
}
