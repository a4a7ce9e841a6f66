import ClientCommands
import Control
import Understudy

/// The settings of TLS (transport contract, sections 3 and 4).
enum TLSOptions {
    static let mode = Option(
        name: "tls",
        kind: .optional(TLSMode.allCases.map(\.rawValue).joined(separator: "|"), alone: TLSMode.on.rawValue),
        values: .names(TLSMode.allCases.map(\.rawValue)),
        help: "on: HTTP and TLS at each port; required: TLS only; --tls alone: on",
        default: "off"
    )
    static let folder = Option(
        name: "ca",
        kind: .value("DIR"),
        values: .folders,
        help: "the authority's folder, made if missing",
        default: "understudy config"
    )
    private static let certificates = Option(
        name: "cert",
        kind: .repeated("FILE"),
        values: .files,
        help: "your own certificate with its chain (PEM); may be repeated",
        default: "none"
    )
    private static let keys = Option(
        name: "key",
        kind: .repeated("FILE"),
        values: .files,
        help: "the key of the --cert at the same position (PEM)",
        default: "none"
    )

    static let all = [mode, folder, certificates, keys]

    /// Reads the settings.
    static func read(_ settings: Settings) throws(UsageError) -> SecurePorts {
        var ports = SecurePorts()
        if let text = settings[mode.name] {
            guard let mode = TLSMode(rawValue: text) else {
                throw UsageError(
                    message: "\(settings.place(mode.name)): \"\(text)\" is neither off, on nor required"
                )
            }
            ports.mode = mode
        }
        ports.folder = try folder(settings)
        let files = (certificates: settings.list("cert") ?? [], keys: settings.list("key") ?? [])
        guard files.certificates.count == files.keys.count else {
            let (more, fewer) = files.certificates.count > files.keys.count ? ("cert", "key") : ("key", "cert")
            throw UsageError(
                message: "\(settings.place(more)): each --cert needs its --key; there are "
                    + "\(files.certificates.count) and \(files.keys.count). --\(fewer) FILE names the other file of a pair"
            )
        }
        ports.pairs = zip(files.certificates, files.keys).map { SecurePorts.Pair(certificate: $0, key: $1) }
        return ports
    }

    /// Returns the folder of the authority; nil where no place for it is known.
    private static func folder(_ settings: Settings) throws(UsageError) -> String? {
        guard let named = settings[folder.name] else { return AuthorityPlace.folder.map(AuthorityPlace.absolute) }
        guard !named.isEmpty else { throw UsageError(message: "\(settings.place(folder.name)): names no folder") }
        return AuthorityPlace.absolute(named)
    }
}
