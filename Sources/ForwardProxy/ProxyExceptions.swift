/// The hosts that no proxy is used for, as `NO_PROXY` lists them (proxy contract, section 6).
package struct ProxyExceptions: Hashable, Sendable {
    private enum Host: Hashable {
        case all
        /// A name, with those below it or these alone.
        case name(String, coversItself: Bool)
        /// The addresses that begin with as many bits.
        case network([UInt8], bits: Int)
    }

    private struct Entry: Hashable {
        let host: Host
        /// The only port; nil for all.
        let port: Int?
    }

    private let entries: [Entry]

    /// Reads a list with commas or spaces; what is no name and no address fits nothing.
    package init(_ text: String = "") {
        entries = text.split { $0 == "," || $0.isWhitespace }.compactMap { Self.entry(String($0)) }
    }

    private static func entry(_ text: String) -> Entry? {
        var bare = text
        var only: Int?
        // The port of a star or a network; that of a name or an address is read with it.
        if text.hasPrefix("*:") || text.contains("/"),
            let colon = text[(text.firstIndex(of: "/") ?? text.startIndex)...].firstIndex(of: ":")
        {
            guard let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port) else { return nil }
            bare = String(text[..<colon])
            only = port
        }
        if bare == "*" { return Entry(host: .all, port: only) }
        if let network = network(bare) { return Entry(host: network, port: only) }
        var name = bare
        var coversItself = true
        if name.hasPrefix("*.") {
            name = String(name.dropFirst(2))
            coversItself = false
        } else if name.hasPrefix(".") {
            name = String(name.dropFirst())
        }
        let hasPort = name.hasPrefix("[") ? !name.hasSuffix("]") : name.utf8.contains(0x3A)
        guard let target = ProxyTarget(name, standardPort: hasPort ? nil : 1) else { return nil }
        let port = hasPort ? target.port : nil
        switch target.host {
        case .name(let name): return Entry(host: .name(name, coversItself: coversItself), port: port)
        case .address(let bytes):
            let plain = HostName.withoutMapping(bytes)
            return Entry(host: .network(plain, bits: plain.count * 8), port: port)
        }
    }

    /// Reads a bare address, or one with the number of bits that count: `10.0.0.0/8`, `fd00::/8`, `::1`.
    private static func network(_ text: String) -> Host? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let bytes = HostName.four(parts[0]) ?? HostName.six(parts[0]) else { return nil }
        guard parts.count > 1 else {
            let plain = HostName.withoutMapping(bytes)
            return .network(plain, bits: plain.count * 8)
        }
        guard parts[1].utf8.allSatisfy({ $0 &- 0x30 < 10 }), let bits = Int(parts[1]), bits <= bytes.count * 8 else {
            return nil
        }
        let plain = HostName.withoutMapping(bytes)
        let fewer = (bytes.count - plain.count) * 8
        return bits < fewer ? .network(bytes, bits: bits) : .network(plain, bits: bits - fewer)
    }

    /// Tells whether a host is one of them; `host` is in lower case without the root's dot.
    package func cover(_ host: ProxyTarget.Host, port: Int) -> Bool {
        entries.contains { entry in
            guard entry.port == nil || entry.port == port else { return false }
            switch (entry.host, host) {
            case (.all, _): return true
            case (.name(let name, let coversItself), .name(let asked)):
                return coversItself && asked == name || asked.hasSuffix("." + name)
            case (.network(let network, let bits), .address(let asked)):
                return Self.agree(network, HostName.withoutMapping(asked), bits: bits)
            default: return false
            }
        }
    }

    private static func agree(_ one: [UInt8], _ other: [UInt8], bits: Int) -> Bool {
        guard one.count == other.count else { return false }
        let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
        guard one.prefix(whole) == other.prefix(whole) else { return false }
        return rest == 0 || (one[whole] ^ other[whole]) >> (8 - rest) == 0
    }
}

extension HostName {
    /// Returns the IPv4 address that an IPv6 address maps (`::ffff:127.0.0.1`), and others as they are.
    static func withoutMapping(_ bytes: [UInt8]) -> [UInt8] {
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
    }
}
