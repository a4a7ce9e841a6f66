package import Certificates
package import CivilTime
package import Handshakes

/// The server's side of TLS for all connections of a process: certificates, faults, settings, and what became of the
/// handshakes.
///
/// It belongs to the loop's thread.
package final class TLSServer {
    /// The source of certificates.
    package enum Identities {
        case authority(LeafCache)
        case own(CustomCertificates)
    }

    /// The time that a handshake has from the first byte on (limit `tls-handshake-seconds`).
    package var handshakeTime = Interval.seconds(10)
    package let identities: Identities
    package private(set) var faults: ConnectionFaultRegistry
    package private(set) var log = HandshakeLog()
    /// Called with each failure, for the log of the process.
    package var onFailure: (HandshakeFailure) -> Void = { _ in }
    /// Tells whether the forward proxy answers for a name.
    package var isMapped: (String) -> Bool = { _ in false }
    /// Called with each failure of a client that came by the forward proxy.
    package var onProxiedFailure: (HandshakeFailure, ProxyTunnel) -> Void = { _, _ in }
    private var contexts: [TLSSettings: ServerTLSContext] = [:]
    private let seed: UInt64
    private var garbageCount: UInt64 = 0

    /// Creates the state of a process; its seed decides on everything that a connection fault draws.
    package init(_ identities: Identities, seed: UInt64) {
        self.identities = identities
        self.seed = seed
        faults = ConnectionFaultRegistry(seed: seed)
    }

    /// The authority; nil with certificates of the user's own.
    package var authority: Authority? {
        guard case .authority(let cache) = identities else { return nil }
        return cache.authority
    }

    /// Tells whether a fault can act: those of certificates need the authority.
    package func supports(_ effect: ConnectionFault.Effect) -> Bool {
        guard case .certificate = effect else { return true }
        return authority != nil
    }

    /// Changes the connection faults.
    package func withFaults<Value>(_ change: (inout ConnectionFaultRegistry) -> Value) -> Value { change(&faults) }

    package func clearFailures() { log.clear() }

    // MARK: For the engines

    /// Decides on a connection.
    func plan(_ hello: ClientHello, on connection: TLSEngine.Route, now: Instant) throws(CertificateError)
        -> HandshakePlan
    {
        let (effect, faultName, isReady) = decide(hello, on: connection)
        var kind: CertificateCase?
        if case .certificate(let wanted) = effect { kind = wanted }
        var name = hello.serverName
        if let host = connection.tunnel?.mappedHost, !isReady, name.map(isMapped) != true { name = host }
        let identity: ServerIdentity
        switch identities {
        case .own(let own): identity = own.identity(for: name)
        case .authority(let cache):
            let request = LeafCache.Request(
                serverName: name,
                address: connection.localAddress,
                kind: kind,
                isReady: isReady
            )
            identity = try cache.identity(for: request, now: now)
        }
        var plan = HandshakePlan(identity)
        if let effect { plan.apply(effect, of: faultName) }
        if isReady { plan.advice = hello.serverName.flatMap { ReadyName($0) }?.advice }
        return plan
    }

    private func decide(
        _ hello: ClientHello,
        on connection: TLSEngine.Route
    ) -> (effect: ConnectionFault.Effect?, name: String, isReady: Bool) {
        if let ready = hello.serverName.flatMap({ ReadyName($0) }), supports(ready.effect) {
            return (ready.effect, ready.name, true)
        }
        guard !faults.entries.isEmpty else { return (nil, "", false) }
        let subject = ConnectionFaultRegistry.Subject(
            api: connection.api,
            serverName: hello.serverName,
            peer: connection.peer
        )
        guard let entry = faults.decide(subject) else { return (nil, "", false) }
        return (entry.fault.effect, entry.id, false)
    }

    /// Returns the context of these settings, made when it is first needed.
    func context(_ settings: TLSSettings) -> ServerTLSContext? {
        if let made = contexts[settings] { return made }
        let made = ServerTLSContext(settings)
        contexts[settings] = made
        return made
    }

    /// Returns 512 bytes that are no record of TLS.
    func garbage() -> [UInt8] {
        garbageCount += 1
        var stream = ConnectionRandom(seed: seed, purpose: 0, ordinal: garbageCount)
        var bytes = (0..<512).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
        // The types of records are below 64.
        bytes[0] |= 0x80
        return bytes
    }

    func completed(_ facts: TLSFacts) { log.completed(isResumed: facts.isResumed) }

    func failed(_ failure: HandshakeFailure, in tunnel: ProxyTunnel?) {
        log.failed(failure)
        if let tunnel { onProxiedFailure(failure, tunnel) }
        onFailure(failure)
    }
}
