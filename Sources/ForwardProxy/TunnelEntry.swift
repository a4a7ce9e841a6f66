/// An entry of `--tunnel`: a host that is passed on under `refuse` too (proxy contract, sections 1 and 5).
package struct TunnelEntry: Hashable, Sendable {
    package enum Host: Hashable, Sendable {
        case pattern(HostPattern)
        case address([UInt8])
    }

    package let host: Host
    /// The only port; nil for 80 and 443.
    package let port: Int?

    package init(_ text: String) throws(HostPattern.Refusal) {
        if let target = ProxyTarget(text, standardPort: 443), case .address(let bytes) = target.host {
            host = .address(bytes)
            let behind = text.split(separator: "]", omittingEmptySubsequences: false).last ?? ""
            port = behind.contains(":") && !behind.hasSuffix(":") ? target.port : nil
            return
        }
        guard let colon = text.lastIndex(of: ":"), !text.hasPrefix("[") else {
            guard !text.hasPrefix("[") else {
                throw HostPattern.Refusal(reason: "is not an address such as [fd00::1]:443")
            }
            host = .pattern(try HostPattern(text))
            port = nil
            return
        }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.count <= 5, digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }),
            let number = Int(digits), (1...65_535).contains(number)
        else { throw HostPattern.Refusal(reason: "does not end with a port from 1 to 65535, or has more than a host") }
        host = .pattern(try HostPattern(String(text[..<colon])))
        port = number
    }

    /// The entry as it is shown.
    package var text: String {
        let shown =
            switch host {
            case .pattern(let pattern): pattern.text
            case .address(let bytes): bytes.count == 16 ? "[\(HostName.text(bytes))]" : HostName.text(bytes)
            }
        return port.map { "\(shown):\($0)" } ?? shown
    }

    /// Tells whether it names a single host, which may be or lead to a private address.
    var namesOneHost: Bool { if case .pattern(let pattern) = host { !pattern.hasStar } else { true } }

    /// Tells whether it names an address of this machine's loopback.
    var namesLoopback: Bool {
        guard case .address(let bytes) = host else { return false }
        return ProxyTarget(.address(bytes), port: 443).isLoopback
    }

    func covers(_ host: ProxyTarget.Host) -> Bool {
        switch (self.host, host) {
        case (.pattern(let pattern), .name(let name)): pattern.covers(name)
        case (.address(let own), .address(let other)): own == other
        default: false
        }
    }

    func allows(port: Int) -> Bool { self.port.map { $0 == port } ?? HostMap.usualPorts.contains(port) }
}
