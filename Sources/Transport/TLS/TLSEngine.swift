import COpenSSL
import Certificates
package import CivilTime
package import Handshakes

/// The server's side of TLS of one connection as a state machine between buffers in memory: bytes and time go in, bytes
/// and steps come out, and no call blocks.
///
/// The owner passes on what it receives, calls `step` until nothing is left to do, and sends what `takeOutput` returns
/// after each. It belongs to the loop's thread.
package final class TLSEngine {
    /// The ends and the port of a connection.
    package struct Route: Hashable, Sendable {
        /// The API of the port, or `hub`.
        package var api: String
        /// The numeric address of the client.
        package var peer: String
        /// The numeric address that the connection came to.
        package var localAddress: String?
        /// The CONNECT that it came through.
        package var tunnel: ProxyTunnel?

        package init(api: String, peer: String, localAddress: String? = nil, tunnel: ProxyTunnel? = nil) {
            self.api = api
            self.peer = peer
            self.localAddress = localAddress
            self.tunnel = tunnel
        }
    }

    /// The time of a turn by both clocks.
    package struct Moment: Hashable, Sendable {
        /// The time by which deadlines are reached.
        package var monotonic: Instant
        /// The time of day, for certificates and reports.
        package var wall: Instant

        package init(monotonic: Instant, wall: Instant) {
            self.monotonic = monotonic
            self.wall = wall
        }
    }

    /// The way in which a connection ends after a handshake that failed.
    package enum Ending: Hashable, Sendable {
        /// The output is sent, then the connection is closed.
        case close
        case reset
    }

    /// The result of one step.
    package enum Step: Hashable, Sendable {
        /// Nothing is left to do before more bytes come or the deadline is reached.
        case idle
        /// A step of the handshake was taken; more may follow.
        case working
        /// The handshake is complete.
        case established
        /// The number of bytes of the client that were decrypted.
        case bytes(Int)
        /// The client has ended its direction in order, or its end was seen.
        case end
        /// The client has sent a fatal alert or what is no TLS; the output is to be sent, then the connection closed.
        case broken
        /// The handshake has failed and is reported.
        case failed(Ending)
    }

    enum State {
        /// The first message of the client is not complete.
        case hello
        /// The first message was read and nothing was decided yet.
        case helloRead(ClientHello)
        /// The first message is no TLS.
        case invalid(TLSAlert)
        /// A fault holds the handshake back.
        case held(until: Instant?, thenGoesOn: Bool)
        case handshaking
        case open
        case ended
    }

    let server: TLSServer
    let route: Route
    var state = State.hello
    var reader = ClientHelloReader()
    var hello: ClientHello?
    var plan: HandshakePlan?
    var ssl: OpaquePointer?
    /// Bytes that are sent without OpenSSL.
    var plainOutput: [UInt8] = []
    private var handshakeEnd: Instant?
    var sawEnd = false
    private var hasRead = false
    private var sentEnd = false
    /// The bytes put into the buffer for reading since it was last empty.
    private var inputCount = 0
    var clientAlert: TLSAlert?
    var serverAlert: TLSAlert?
    /// The outcome of the handshake; nil before.
    package internal(set) var facts: TLSFacts?

    package init(_ server: TLSServer, _ route: Route) {
        self.server = server
        self.route = route
    }

    deinit { if let ssl { SSL_free(ssl) } }

    /// Tells whether the handshake is still going on.
    package var isHandshaking: Bool {
        switch state {
        case .open, .ended: false
        default: true
        }
    }

    /// The bytes of the client that came and were not handed on; those of content are no more.
    package var waitingBytes: Int { ssl.map { BIO_ctrl_pending(SSL_get_rbio($0)) + Int(SSL_pending($0)) } ?? 0 }

    /// Tells whether bytes of the client are wanted: not while a fault holds the handshake back.
    package var wantsRead: Bool {
        switch state {
        case .held, .ended: false
        default: true
        }
    }

    /// Tells whether the certificate that was shown covers a name or numeric address.
    package func covers(_ host: String) -> Bool { plan?.identity.certificate.covers(host) ?? false }

    /// The time at which `step` has something to do without more bytes.
    package var deadline: Instant? {
        guard isHandshaking, let handshakeEnd else { return nil }
        if case .held(let until?, _) = state { return min(until, handshakeEnd) }
        return handshakeEnd
    }

    // MARK: Input

    /// Takes bytes of the client.
    package func received(_ bytes: ArraySlice<UInt8>, now: Instant) {
        hasInput = true
        if handshakeEnd == nil { handshakeEnd = now + server.handshakeTime }
        if let ssl {
            inputCount += bytes.count
            MemoryBIO.put(bytes, for: ssl)
            return
        }
        guard case .hello = state else { return }
        switch reader.received(bytes) {
        case .incomplete: break
        case .complete(let hello):
            self.hello = hello
            state = .helloRead(hello)
        case .invalid(let alert): state = .invalid(alert)
        }
    }

    /// Notes that the client has ended its direction of the connection, with or without close_notify.
    package func peerClosed() { sawEnd = true }

    /// Notes that the connection is gone: reset by the client, or ended by the owner's loss of it.
    package func lost(at now: Moment) {
        guard isHandshaking || (!hasRead && !sentEnd && clientAlert == nil), handshakeEnd != nil else { return }
        if case .ended = state { return }
        fail(.clientClosed, now)
    }

    /// Tells whether `step` has something to do without more bytes, or may have.
    package private(set) var hasInput = false

    /// Takes one step: of the handshake, or the decryption of the next bytes into the buffer.
    package func step(into buffer: UnsafeMutableRawBufferPointer, at now: Moment) -> Step {
        let step = nextStep(into: buffer, now)
        switch step {
        case .working, .established, .bytes: break
        case .idle, .end, .broken, .failed: hasInput = false
        }
        return step
    }

    private func nextStep(into buffer: UnsafeMutableRawBufferPointer, _ now: Moment) -> Step {
        if isHandshaking, let handshakeEnd, handshakeEnd <= now.monotonic { return timedOut(now) }
        switch state {
        case .hello:
            guard sawEnd else { return .idle }
            // Without a first byte nothing has failed.
            if handshakeEnd == nil {
                state = .ended
                return .end
            }
            return fail(.clientClosed, now)
        case .helloRead(let hello): return begin(hello, now)
        case .invalid(let alert):
            plainOutput += alert.record
            return fail(.notTLS, alert: HandshakeFailure.Alert(alert, from: .server), now)
        case .held(let until, let goesOn):
            if let until, until <= now.monotonic { return goesOn ? proceed(now) : fail(.injected, now) }
            return sawEnd ? fail(.clientClosed, now) : .idle
        case .handshaking: return shakeHands(now)
        case .open: return read(into: buffer, now)
        case .ended: return sawEnd ? .end : .idle
        }
    }

    // MARK: Output

    /// Encrypts bytes of the application; false if the connection is broken.
    package func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let ssl, case .open = state, !sentEnd else { return false }
        guard !bytes.isEmpty else { return true }
        ERR_clear_error()
        var written = 0
        let result = bytes.withUnsafeBytes { SSL_write_ex(ssl, $0.baseAddress, $0.count, &written) }
        return result == 1 && written == bytes.count
    }

    /// Ends our direction with close_notify, unless a fault leaves it out.
    package func endWriting() {
        guard let ssl, case .open = state, !sentEnd else { return }
        sentEnd = true
        guard plan?.endsWithoutNotify == false else { return }
        ERR_clear_error()
        _ = SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// Appends what is to be sent to the client.
    package func takeOutput(into output: inout [UInt8]) {
        output += plainOutput
        plainOutput = []
        if let ssl { MemoryBIO.take(from: ssl, into: &output) }
    }

    // MARK: Open

    private func read(into buffer: UnsafeMutableRawBufferPointer, _ now: Moment) -> Step {
        guard let ssl else { return .broken }
        ERR_clear_error()
        var count = 0
        let result = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
        if result == 1 {
            hasRead = true
            return .bytes(count)
        }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ:
            MemoryBIO.shrinkInput(of: ssl, after: inputCount)
            inputCount = 0
            return sawEnd ? .end : .idle
        case SSL_ERROR_ZERO_RETURN: return .end
        default:
            ERR_clear_error()
            // TLS 1.3 lets a server finish before the client has looked at the certificate.
            guard !hasRead, clientAlert != nil else {
                state = .ended
                return .broken
            }
            return fail(.clientAlert, alert: alert, now)
        }
    }

    // MARK: For the context

    /// Notes an alert that passes.
    func noted(_ alert: TLSAlert, from side: HandshakeFailure.Side, isFatal: Bool) {
        guard isFatal else { return }
        switch side {
        case .client: clientAlert = alert
        case .server: serverAlert = alert
        }
    }

    /// Returns the place of the name that is picked from an offer (RFC 7301, section 3.1).
    func pick(from offer: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        for wanted in plan?.settings.protocols ?? [] {
            var place = 0
            while place < offer.count {
                let end = place + 1 + Int(offer[place])
                guard end <= offer.count else { break }
                if offer[(place + 1)..<end].elementsEqual(wanted.utf8) { return place + 1..<end }
                place = end
            }
        }
        return nil
    }
}
