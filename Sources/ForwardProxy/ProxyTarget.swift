/// The host and the port that a client asks the proxy for.
package struct ProxyTarget: Hashable, Sendable {
    package enum Host: Hashable, Sendable {
        /// A DNS name in lower case, without the root's dot.
        case name(String)
        /// An address of four or sixteen bytes.
        case address([UInt8])
    }

    package let host: Host
    package let port: Int

    package init(_ host: Host, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads an authority such as `api.example.com:443` or `[::1]:80`; nil for what names no host, for numbers that are
    /// otherwise spelled addresses, and for a port that there is none of.
    ///
    /// `standardPort` is the port of an authority that names none; nil if it has to.
    package init?(_ authority: String, standardPort: Int?) {
        var host = authority[...]
        var portText: Substring?
        if authority.utf8.first == 0x5B {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            if !rest.isEmpty { portText = rest.dropFirst() }
            host = authority[authority.index(after: authority.startIndex)..<end]
            guard let six = HostName.six(String(host)) else { return nil }
            self.host = .address(six)
        } else {
            if let colon = authority.utf8.firstIndex(of: 0x3A) {
                portText = authority[authority.utf8.index(after: colon)...]
                host = authority[..<colon]
            }
            if let four = HostName.four(String(host)) {
                self.host = .address(four)
            } else {
                guard let name = HostName.canonical(String(host)), !HostName.endsInNumber(name) else { return nil }
                self.host = .name(name)
            }
        }
        if let portText, !portText.isEmpty {
            guard portText.utf8.count <= 5, portText.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = Int(portText),
                (1...65_535).contains(number)
            else { return nil }
            port = number
        } else {
            guard let standardPort else { return nil }
            port = standardPort
        }
    }

    /// The host without brackets.
    package var hostText: String {
        switch host {
        case .name(let name): name
        case .address(let bytes): HostName.text(bytes)
        }
    }

    /// The host as an address in a URL has it.
    package var shownHost: String {
        if case .address(let bytes) = host, bytes.count == 16 { return "[\(hostText)]" }
        return hostText
    }

    /// `HOST:PORT`.
    package var text: String { "\(shownHost):\(port)" }

    /// The origin of a scheme, with the port where it is not the scheme's own.
    package func origin(isSecure: Bool) -> String {
        (isSecure ? "https://" : "http://") + authority(isSecure: isSecure)
    }

    /// The value of a Host field.
    package func authority(isSecure: Bool) -> String { port == (isSecure ? 443 : 80) ? shownHost : text }

    /// Tells whether a `Host` names the same host, with or without the port.
    package func isNamed(by authority: String) -> Bool {
        guard let named = ProxyTarget(authority, standardPort: port) else { return false }
        return named == self
    }

    /// Tells whether the host is this machine by its name or an address of its loopback.
    package var isLoopback: Bool {
        switch host {
        case .name(let name): name == "localhost" || name.hasSuffix(".localhost")
        case .address(let bytes):
            bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
        }
    }

    /// The entry of `--tunnel` that allows it: this machine is named by its address alone.
    package var tunnelEntry: String {
        if case .name = host, isLoopback { return "127.0.0.1:\(port)" }
        return text
    }
}
