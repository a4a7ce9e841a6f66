package import CivilTime

/// The forward proxy of a process: its map, its password, and the hosts that it was asked for.
///
/// It belongs to the loop's thread.
package final class ForwardProxyState {
    package let map: HostMap
    /// The clients' password; nil where any does.
    package let token: String?
    /// The port that it listens on.
    package var port = 0
    /// The host that the ready line and the log name.
    package var host = "127.0.0.1"
    /// The file of the root and its fingerprint; nil where no authority signs.
    package var root: (file: String, fingerprint: String)?
    package private(set) var seen = SeenHosts()
    /// Called with each item that is new or has another outcome.
    package var onChange: (SeenHosts.Item) -> Void = { _ in }

    /// The last absolute target, which most clients ask for again.
    private var lastTarget: (authority: String, standardPort: Int, target: ProxyTarget)?

    package init(_ map: HostMap, token: String?) {
        self.map = map
        self.token = token
    }

    /// Reads the authority of an absolute target, as `ProxyTarget` does.
    package func target(_ authority: String, standardPort: Int) -> ProxyTarget? {
        if let last = lastTarget, last.authority == authority, last.standardPort == standardPort { return last.target }
        guard let target = ProxyTarget(authority, standardPort: standardPort) else { return nil }
        lastTarget = (authority, standardPort, target)
        return target
    }

    /// The password that an address with credentials has: many clients send no user without one.
    package var password: String { token ?? "x" }

    /// The address of the proxy.
    package var url: String { "http://\(authority(host))" }

    /// `HOST:PORT` under a host.
    package func authority(_ host: String) -> String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address with the credentials that name a world.
    package func url(world: String, host: String?) -> String {
        let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
        let shown = password.utf8.map { byte in
            unreserved.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return "http://\(world):\(shown.joined())@\(authority(host ?? self.host))"
    }

    /// The address for the environment of a program: with credentials where clients need some.
    package var environmentURL: String { token == nil ? url : url(world: "main", host: nil) }

    /// Tells whether hosts are mapped to an API.
    package func answers(for api: String) -> Bool { map.entries.contains { $0.api == api } }

    package func note(_ sight: SeenHosts.Sight, at now: Instant) {
        if let changed = seen.note(sight, at: now) { onChange(changed) }
    }

    package func clear(world: String?) { seen.clear(world: world) }
}
