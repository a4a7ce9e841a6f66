package import Backend
import Crypto
package import HTTPMessage
import JSON

/// The rules on the clients that may call the control API (control contract, section 18).
package struct ControlSafety: Sendable {
    /// Numeric hosts besides the loopback ones, lower case, without port.
    package var hosts: [String]
    /// The names that `--allow-host` gives.
    package var allowedHosts: [AllowedHost]
    /// The token that every call needs, if it is set.
    package var adminToken: String?
    /// Tells whether every numeric address is ours, as when listening on all of them.
    ///
    /// Numbers can't be rebound as names can.
    package var acceptsNumericHosts: Bool
    /// Tells whether the ports speak TLS, so that pages of ours may have been read over it.
    package var speaksTLS: Bool

    /// The rules by the kind of what is asked for.
    package enum Access: Hashable, Sendable {
        case call
        /// A page for people: a browser can't send the token with it, and it contains no secrets.
        case page
        /// The root of the authority, which anybody may have, under every numeric host.
        case root
    }

    package init(
        hosts: [String] = [],
        allowedHosts: [AllowedHost] = [],
        adminToken: String? = nil,
        acceptsNumericHosts: Bool = false,
        speaksTLS: Bool = false
    ) {
        self.speaksTLS = speaksTLS
        self.hosts = hosts
        self.allowedHosts = allowedHosts
        self.acceptsNumericHosts = acceptsNumericHosts
        self.adminToken = adminToken
    }

    /// Refuses a call that a foreign page, a rebound name or an unauthorised client could have made.
    ///
    /// `hubPort` is the port of our own pages. `isOnAPIPort` tells that the call came to another, where a page may be
    /// anybody's. Returns true for the token of a paired device, which may do less.
    @discardableResult
    package func check(
        _ head: RequestHead,
        hubPort: Int?,
        isOnAPIPort: Bool = false,
        as access: Access = .call,
        pairing: DevicePairing? = nil
    ) throws(Problem) -> Bool {
        try checkHost(head, acceptsNumbers: access == .root)
        for origin in head.fields.values(.origin) where !isHub(origin: origin, hubPort) {
            throw Problem(
                .foreignOrigin,
                "The origin \"\(origin.cut)\" is not the hub's. Call from a test or the app, or use the hub's pages: the console at / and /docs."
            )
        }
        for site in head.fields.values(.secFetchSite) {
            try checkSite(site.lowercased(), head, isOnAPIPort: isOnAPIPort, access)
        }
        guard access == .call else { return false }
        for referrer in head.fields.values(.referer)
        where !Self.isNavigation(head) && !isOwnPage(referrer, hubPort, isOnAPIPort: isOnAPIPort) {
            throw Problem(.crossSite, "The page \"\(referrer.cut)\" is not one of Understudy's own. \(Self.ownPages)")
        }
        return try checkToken(head, pairing)
    }

    private static let ownPages = "Use the hub's pages, the console at / and /docs, or a client other than a browser."

    /// Checks who made a browser ask: whoever typed the address, a page of the same origin, or one of another.
    private func checkSite(_ site: String, _ head: RequestHead, isOnAPIPort: Bool, _ access: Access) throws(Problem) {
        switch site {
        case "none": return
        case "same-origin", "same-site":
            // A page can't be told from another one of its origin; what an API sends below a mount has no origin.
            let isOwn = !isOnAPIPort && (site == "same-origin" || Self.isNavigation(head))
            guard access == .call, !isOwn else { return }
            throw Problem(
                .crossSite,
                "This call came from a page that can't be trusted: an API's port serves whatever the API sends. \(Self.ownPages)"
            )
        default: throw Problem(.crossSite, "Sec-Fetch-Site says that another site made this call.")
        }
    }

    /// Tells whether a browser follows a link to show what is there, which no page of another origin can read.
    private static func isNavigation(_ head: RequestHead) -> Bool {
        [.get, .head].contains(head.method) && head.fields[.secFetchMode]?.lowercased() == "navigate"
            && head.fields[.secFetchDest]?.lowercased() == "document"
    }

    /// Tells whether an address is that of a page of ours, as far as one is named: ours name none.
    private func isOwnPage(_ address: String, _ hubPort: Int?, isOnAPIPort: Bool) -> Bool {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard !isOnAPIPort, parts.count > 2, isHub(origin: parts[0...2].joined(separator: "/"), hubPort) else {
            return false
        }
        var path = parts.dropFirst(3).map { String($0.prefix { $0 != "?" && $0 != "#" }) }
        if path.first?.utf8.first == 0x40 { path.removeFirst() }
        return path.allSatisfy(\.isEmpty) || path[0] == "docs" || path.prefix(2).contains("__admin")
    }

    /// Checks the rule that holds for the hub's pages too: no name that could have been rebound.
    package func checkHost(_ head: RequestHead, acceptsNumbers: Bool = false) throws(Problem) {
        if let authority = head.authority, !isOurs(authority, acceptsNumbers: acceptsNumbers) {
            throw Problem(
                .foreignHost,
                "The host \"\(authority.cut)\" is not a loopback address or a configured name. Call 127.0.0.1 or localhost, the address that serve --host names, or a name that serve --allow-host names."
            )
        }
    }

    private func checkToken(_ head: RequestHead, _ pairing: DevicePairing?) throws(Problem) -> Bool {
        guard let adminToken else { return false }
        let given = head.fields.values(.authorization)
        let prefix = "bearer "
        let isBearer = given.count == 1 && given[0].lowercased().hasPrefix(prefix)
        let sent = isBearer ? Array(given[0].utf8.dropFirst(prefix.utf8.count)) : []
        if isBearer, pairing?.knows(String(decoding: sent, as: UTF8.self)) == true { return true }
        guard isBearer, constantTimeEqual(sent, Array(adminToken.utf8)) else {
            throw Problem(
                .unauthorized,
                "Send the admin token as Authorization: Bearer TOKEN. It was set, or else printed, when the server started.",
                fields: ["WWW-Authenticate": "Bearer realm=\"understudy\""]
            )
        }
        return false
    }

    private func isOurs(_ authority: String, acceptsNumbers: Bool = false) -> Bool {
        guard let host = Self.host(of: authority) else { return false }
        return Self.isLoopback(host) || hosts.contains(host)
            || ((acceptsNumericHosts || acceptsNumbers) && Self.isNumeric(host))
            || isAllowed(host)
    }

    private func isAllowed(_ host: String) -> Bool { allowedHosts.contains { $0.covers(host) } }

    /// Returns whether the host is an IPv4 or IPv6 address rather than a name.
    private static func isNumeric(_ host: String) -> Bool {
        if host.contains(":") { return host.utf8.allSatisfy { $0 == 0x3A || $0 == 0x2E || $0.hexDigitValue != nil } }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Tells whether an origin is that of the hub.
    private func isHub(origin: String, _ hubPort: Int?) -> Bool {
        let (plain, secure) = ("http://", "https://")
        let isSecure = origin.lowercased().hasPrefix(secure)
        guard isSecure || origin.lowercased().hasPrefix(plain) else { return false }
        let authority = String(origin.dropFirst(isSecure ? secure.count : plain.count))
        guard !authority.contains("/"), isOurs(authority) else { return false }
        // What ends TLS in front of us has an allowed name.
        if isSecure, !speaksTLS, Self.host(of: authority).map(isAllowed) != true { return false }
        return hubPort == Self.port(of: authority) ?? (isSecure ? 443 : 80)
    }

    /// Returns the host of `host`, `host:port` or `[v6]:port`, lower case; nil if it is none of these.
    package static func host(of authority: String) -> String? {
        let text = authority.lowercased()
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            return String(text[text.index(after: text.startIndex)..<end])
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, !parts[0].isEmpty else { return nil }
        return String(parts[0].hasSuffix(".") ? parts[0].dropLast() : parts[0])
    }

    static func port(of authority: String) -> Int? {
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else { return nil }
        return Int(authority[authority.index(after: colon)...])
    }

    /// Returns whether the host is in 127.0.0.0/8, ::1, `localhost` or `*.localhost`.
    package static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "127" else { return false }
        return parts.allSatisfy { part in
            // Digits only: `UInt8` would accept a sign too.
            (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                && UInt8(part) != nil
        }
    }
}
