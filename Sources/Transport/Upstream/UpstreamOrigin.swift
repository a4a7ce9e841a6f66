/// The scheme, host and port of a real backend.
package struct UpstreamOrigin: Sendable, Hashable {
    package let isSecure: Bool
    /// A name or a numeric address, without brackets, in lower case.
    package let host: String
    package let port: UInt16

    /// Creates an origin from an http or https address without a path other than a slash; nil for anything else.
    package init?(_ text: String) {
        let lower = text.lowercased()
        var rest: Substring
        if lower.hasPrefix("https://") {
            isSecure = true
            rest = lower.dropFirst(8)
        } else if lower.hasPrefix("http://") {
            isSecure = false
            rest = lower.dropFirst(7)
        } else {
            return nil
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var portText: Substring?
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            let tail = rest[rest.index(after: end)...]
            guard tail.isEmpty || tail.hasPrefix(":") else { return nil }
            if !tail.isEmpty { portText = tail.dropFirst() }
            rest = rest[rest.index(after: rest.startIndex)..<end]
            guard rest.contains(":"), ListenAddress.isNumeric(String(rest)) else { return nil }
        } else {
            if let colon = rest.firstIndex(of: ":") {
                portText = rest[rest.index(after: colon)...]
                rest = rest[..<colon]
            }
            guard !rest.isEmpty, rest.utf8.count <= 253, rest.utf8.allSatisfy(Self.isHostByte) else { return nil }
        }
        host = String(rest)
        if let portText {
            guard !portText.isEmpty, portText.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = UInt16(portText),
                number > 0
            else { return nil }
            port = number
        } else {
            port = isSecure ? 443 : 80
        }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    private var shownHost: String { host.contains(":") ? "[\(host)]" : host }

    /// The value of the Host field, with the port only if it is not the scheme's own.
    package var authority: String { port == (isSecure ? 443 : 80) ? shownHost : "\(shownHost):\(port)" }

    /// `https://api.example.com`.
    package var text: String { (isSecure ? "https://" : "http://") + authority }

    /// Tells whether the user's text names this machine.
    var namesLoopback: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host.hasPrefix("127.")
    }
}
