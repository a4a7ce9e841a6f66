package import CivilTime
package import Handshakes

/// The leaves of an authority by server name, made when a client first asks (transport contract, section 4).
///
/// It belongs to one thread.
package final class LeafCache {
    /// The choice of a certificate.
    package struct Request: Hashable, Sendable {
        /// The name that the client sent.
        package var serverName: String?
        /// The numeric address that the connection came to.
        package var address: String?
        /// The case of a bad certificate; nil for the ordinary leaf.
        package var kind: CertificateCase?
        /// Tells that the name is a ready one, which no limit holds back.
        package var isReady: Bool

        package init(
            serverName: String? = nil,
            address: String? = nil,
            kind: CertificateCase? = nil,
            isReady: Bool = false
        ) {
            self.serverName = serverName
            self.address = address
            self.kind = kind
            self.isReady = isReady
        }
    }

    private struct Key: Hashable {
        var names: CertificateForm.Names
        var kind: CertificateCase?
    }

    private struct Entry {
        var identity: ServerIdentity
        var lastUse: UInt64
    }

    /// The most leaves that are kept.
    package static let capacity = 256
    /// The most leaves that are made for new names in a second.
    package static let newNamesPerSecond = 20

    package let authority: Authority
    private let cases: CaseLeaves
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    private var secondBegan = Instant.epoch
    private var madeInSecond = 0

    package init(_ authority: Authority) {
        self.authority = authority
        cases = CaseLeaves(authority)
    }

    /// The number of leaves that are kept.
    package var count: Int { entries.count }

    /// Returns the certificate for a connection.
    package func identity(for request: Request, now: Instant) throws(CertificateError) -> ServerIdentity {
        let standard = standardNames(request.address)
        guard let name = request.serverName.flatMap({ DNSName($0) }), authority.permits(name) else {
            return try identity(Key(names: standard, kind: request.kind), now)
        }
        if name.text == "localhost" { return try identity(Key(names: standard, kind: request.kind), now) }
        let key = Key(names: CertificateForm.Names(names: [name], addresses: []), kind: request.kind)
        guard entries[key] != nil || request.isReady || mayMakeNew(now) else {
            return try identity(Key(names: standard, kind: request.kind), now)
        }
        return try identity(key, now)
    }

    /// The names of the default leaf.
    private func standardNames(_ address: String?) -> CertificateForm.Names {
        var addresses = Self.standardAddresses
        if let address = address.flatMap({ IPAddress($0) }), authority.permits(address), !addresses.contains(address) {
            addresses.append(address)
        }
        return CertificateForm.Names(names: Self.standardNames, addresses: addresses)
    }

    private static let standardNames = [DNSName("localhost")].compactMap(\.self)
    /// Loopback, and the Android emulator's way to its host.
    private static let standardAddresses = ["127.0.0.1", "::1", "10.0.2.2"].compactMap { IPAddress($0) }

    private func identity(_ key: Key, _ now: Instant) throws(CertificateError) -> ServerIdentity {
        uses += 1
        if let entry = entries[key], entry.identity.isFresh(at: now) {
            entries[key]?.lastUse = uses
            return entry.identity
        }
        let made = try make(key, now)
        if entries[key] == nil, entries.count >= Self.capacity, let oldest = entries.min(by: Self.isOlder)?.key {
            entries[oldest] = nil
        }
        entries[key] = Entry(identity: made, lastUse: uses)
        return made
    }

    private static func isOlder(_ one: (key: Key, value: Entry), _ other: (key: Key, value: Entry)) -> Bool {
        one.value.lastUse < other.value.lastUse
    }

    private func make(_ key: Key, _ now: Instant) throws(CertificateError) -> ServerIdentity {
        if let kind = key.kind { return try cases.make(kind, key.names, now: now) }
        let leaf = try LeafForm.form(key.names, now: now).signed(authority.leafKey, by: authority.signer)
        return ServerIdentity(
            leaf,
            chain: [authority.issuer],
            key: authority.leafKey,
            renewal: leaf.notAfter - Authority.shortTime
        )
    }

    /// Counts a leaf for a new name; false beyond the limit of this second.
    private func mayMakeNew(_ now: Instant) -> Bool {
        if now < secondBegan || now - secondBegan >= .seconds(1) {
            secondBegan = now
            madeInSecond = 0
        }
        guard madeInSecond < Self.newNamesPerSecond else { return false }
        madeInSecond += 1
        return true
    }
}
