/// The hosts that APIs answer for, and those that are passed on (proxy contract, section 1).
package struct HostMap: Sendable {
    /// A mapped host.
    package struct Entry: Hashable, Sendable {
        package let pattern: HostPattern
        /// The name of the API.
        package let api: String
        /// The place of the entry: `--map`, a variable, a file.
        package let place: String

        package init(_ pattern: HostPattern, api: String, from place: String) {
            self.pattern = pattern
            self.api = api
            self.place = place
        }
    }

    /// The treatment of hosts that are neither mapped nor named by `--tunnel`.
    package enum Unmapped: String, CaseIterable, Sendable {
        case refuse, tunnel
    }

    /// The answer of the map to a target.
    package enum Answer: Equatable, Sendable {
        case api(String)
        /// It is passed on, if its addresses may be connected to.
        case passed(PassedHost)
        case refused(Refusal)
    }

    /// The reason why a target is not passed on.
    package enum Refusal: Equatable, Sendable {
        case unmapped, port
    }

    /// The permissions of a target that is passed on.
    package struct PassedHost: Equatable, Sendable {
        /// Tells that it was named without a star, so that its address may be a private one.
        package var allowsPrivate = false
        /// Tells that an address of this machine was named.
        package var allowsLoopback = false
        /// Tells that `--tunnel` names it, so that it is no "other host".
        package var isNamed = false

        package init(allowsPrivate: Bool = false, allowsLoopback: Bool = false, isNamed: Bool = false) {
            self.allowsPrivate = allowsPrivate
            self.allowsLoopback = allowsLoopback
            self.isNamed = isNamed
        }
    }

    /// The ports of a host that names none.
    static let usualPorts = [80, 443]

    package let entries: [Entry]
    package let tunnels: [TunnelEntry]
    package let unmapped: Unmapped

    package init(_ entries: [Entry], tunnels: [TunnelEntry] = [], unmapped: Unmapped = .refuse) {
        self.entries = entries
        self.tunnels = tunnels
        self.unmapped = unmapped
    }

    /// The entry that answers for a host, where it is mapped.
    package func entry(for host: ProxyTarget.Host) -> Entry? {
        guard case .name(let name) = host else { return nil }
        guard let best = entries.filter({ $0.pattern.covers(name) }).mostExact(by: \.pattern) else { return nil }
        let tunnel = tunnels.filter { $0.covers(host) }.mostExact { entry in
            if case .pattern(let pattern) = entry.host { pattern } else { nil }
        }
        if let tunnel, case .pattern(let pattern) = tunnel.host, pattern.isMoreExact(than: best.pattern) { return nil }
        return best
    }

    package func answer(for target: ProxyTarget) -> Answer {
        if let entry = entry(for: target.host) { return .api(entry.api) }
        let named = tunnels.filter { $0.covers(target.host) }
        let fitting = named.filter { $0.allows(port: target.port) }
        if !fitting.isEmpty {
            return .passed(
                PassedHost(
                    allowsPrivate: fitting.contains(where: \.namesOneHost),
                    allowsLoopback: fitting.contains(where: \.namesLoopback),
                    isNamed: true
                )
            )
        }
        guard unmapped == .tunnel else { return .refused(named.isEmpty ? .unmapped : .port) }
        guard Self.usualPorts.contains(target.port) else { return .refused(.port) }
        return .passed(PassedHost(isNamed: !named.isEmpty))
    }
}

extension [HostMap.Entry] {
    fileprivate func mostExact(by pattern: (Element) -> HostPattern) -> Element? {
        reduce(nil) { best, entry in
            guard let best, !pattern(entry).isMoreExact(than: pattern(best)) else { return entry }
            return best
        }
    }
}

extension [TunnelEntry] {
    fileprivate func mostExact(by pattern: (Element) -> HostPattern?) -> Element? {
        reduce(nil) { best, entry in
            guard let own = pattern(entry) else { return best }
            guard let best, let other = pattern(best), !own.isMoreExact(than: other) else { return entry }
            return best
        }
    }
}
