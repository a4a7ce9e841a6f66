import Backend
package import Control
import Crypto
import JSON
import Serving
import Transport
import Worlds

extension RunningEmulator {
    /// Has the ports speak TLS.
    static func secure(
        _ server: Server,
        _ service: EmulatorService,
        with opened: SecurePorts.Opened,
        mode: TLSMode,
        apis: [AnyAPI]
    ) {
        let names = ["hub"] + apis.map(\.identity.name)
        server.secure(with: opened.server, speaks: mode != .off) { names.indices.contains($0) ? names[$0] : names[0] }
        opened.server.onFailure = { [weak service] in service?.note($0) }
        opened.server.onProxiedFailure = { [weak service] in service?.note($0, in: $1) }
        let secure = SecureTransport(opened.server, mode: mode, folder: opened.folder)
        secure.server = server
        service.secure = secure
    }

    /// The member `tls` of the ready line; nil without TLS.
    static func readyTLS(_ secure: SecureTransport?) -> JSON? {
        guard let secure, secure.mode != .off else { return nil }
        var object: JSONObject = ["mode": .string(secure.mode.rawValue)]
        if let authority = secure.authority {
            object.append("ca", .string(authority.folder + "/root.pem"))
            object.append("sha256", .string(authority.fingerprint))
        }
        return .object(object)
    }

    /// The way in which the ports speak TLS.
    package var tlsMode: TLSMode { secureTransport?.mode ?? .off }

    /// The file of the root that signs the certificates; nil without TLS or with certificates of the user's own.
    package var rootFile: String? { secureTransport?.authority.map { $0.folder + "/root.pem" } }

    /// The root in PEM form.
    package var rootPEM: [UInt8]? { secureTransport?.authority?.pem }
}
