import Backend
import Certificates
import CivilTime
import Conditions
package import Control
import Engine
import Journal
import Serving
import Transport
import Worlds

/// The choices on TLS: whether the ports speak it, and with whose certificates (transport contract, sections 3 and 4).
package struct SecurePorts: Sendable {
    /// A certificate of the user's own, with its chain, and its key: files in PEM form.
    package struct Pair: Hashable, Sendable {
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    package var mode = TLSMode.off
    /// The folder of the authority; nil where no place for it is known.
    package var folder: String?
    /// The user's own certificates; without any the authority signs.
    package var pairs: [Pair] = []
    package init() {}

    /// The warning about certificates that nothing will use; nil where there is none.
    var unusedWarning: String? {
        mode == .off && !pairs.isEmpty ? "--cert has no effect without --tls on or --tls required" : nil
    }

    /// The opened certificates, with what people have to be told about them.
    struct Opened {
        var server: TLSServer
        var folder: String?
        var warnings: [String]
        var notes: [String]
    }

    /// Opens the certificates; nil without TLS.
    ///
    /// An authority that is not there is made. An address of `hosts` that the authority may not sign is named. `mapped` are
    /// the names that the forward proxy answers for, which need certificates whatever the mode is.
    func open(seed: UInt64, hosts: [String], mapped: [DNSName] = [], now: Instant) throws(StartError) -> Opened? {
        guard mode != .off || !mapped.isEmpty else { return nil }
        do throws(CertificateError) {
            guard pairs.isEmpty else {
                let own = try CustomCertificates(pairs.map { ($0.certificate, $0.key) }, now: now)
                let bare = mapped.filter { name in !own.identities.contains { $0.certificate.covers(name.text) } }
                let names = bare.map(\.text).joined(separator: ", ")
                let warning = bare.isEmpty ? [] : ["no --cert is for \(names): clients of the proxy will refuse it"]
                let server = TLSServer(.own(own), seed: seed)
                return Opened(server: server, folder: nil, warnings: own.warnings + warning, notes: [])
            }
            return try authority(seed: seed, hosts: hosts, mapped: mapped, now: now)
        } catch {
            throw .tls(error.description)
        }
    }

    private func authority(
        seed: UInt64,
        hosts: [String],
        mapped: [DNSName],
        now: Instant
    ) throws(CertificateError) -> Opened {
        let folder = try AuthorityFolder.place(folder)
        let opened = try AuthorityFolder.open(folder, signing: mapped, owner: AuthorityFolder.owner(), now: now)
        let made = "created a certificate authority in \(folder); `understudy trust` makes your clients trust it"
        return Opened(
            server: TLSServer(.authority(LeafCache(opened.authority)), seed: seed),
            folder: folder,
            warnings: opened.warnings + (mode == .off ? [] : Self.unsigned(hosts, by: opened.authority)),
            notes: opened.wasMade ? [made] : []
        )
    }

    /// Names the addresses that are listened on and that the authority may not sign.
    private static func unsigned(_ hosts: [String], by authority: Authority) -> [String] {
        var addresses: [String] = []
        for host in hosts {
            switch host {
            case "0.0.0.0", "::":
                addresses += InterfaceAddress.all().filter { $0.isReachable && $0.host.contains(":") == (host == "::") }
                    .map(\.host)
            default: addresses.append(host)
            }
        }
        let outside = addresses.filter { text in IPAddress(text).map { !authority.permits($0) } ?? false }
        guard !outside.isEmpty else { return [] }
        return [
            "clients can't verify \(outside.joined(separator: ", ")): the authority signs loopback and private addresses only"
        ]
    }
}
