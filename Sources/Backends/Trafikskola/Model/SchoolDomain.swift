import Backend
import HTTPMessage

/// The school's domains (contract, section 5.1).
enum SchoolDomain {
    static let document = "dev.dintrafikskolahlm.se"
    /// A domain without the l (section 8.2).
    static let misspelt = "dev.dintrafikskolahm.se"
    private static let known = [document, "dintrafikskolahlm.se", "localhost"]

    /// Tells whether a client may name this domain as its school's.
    static func isKnown(_ domain: String, ownHost: String, extra: String?) -> Bool {
        let host = host(of: domain)
        guard !host.isEmpty else { return false }
        let further = (extra ?? "").split(separator: ",").map { self.host(of: String($0)) }
        return known.contains(host) || host == ownHost || further.contains(host) || isAddress(host)
    }

    /// The host in an address: without scheme, port, trailing slash and case.
    static func host(of text: String) -> String {
        var rest = text.trimmed.lowercased()[...]
        for scheme in ["http://", "https://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
        while rest.hasSuffix("/") { rest = rest.dropLast() }
        if rest.hasPrefix("[") {
            // An IPv6 literal with or without a port.
            guard let end = rest.firstIndex(of: "]") else { return String(rest) }
            let after = rest[rest.index(after: end)...]
            guard after.isEmpty || isPort(after) else { return String(rest) }
            return String(rest[rest.index(after: rest.startIndex)..<end])
        }
        if rest.filter({ $0 == ":" }).count == 1, let colon = rest.firstIndex(of: ":"), isPort(rest[colon...]) {
            rest = rest[..<colon]
        }
        return String(rest)
    }

    private static func isPort(_ text: Substring) -> Bool {
        guard text.hasPrefix(":"), let number = Int(text.dropFirst()) else { return false }
        return (1...65_535).contains(number) && text.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Tells whether a host is an IPv4 or IPv6 literal.
    static func isAddress(_ host: String) -> Bool { isIPv4(host[...]) || isIPv6(host) }

    private static func isIPv4(_ text: Substring) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && Int(part).map { $0 <= 255 } ?? false
            }
    }

    private static func isIPv6(_ text: String) -> Bool {
        guard text.utf8.count <= 45 else { return false }
        var head = text[...]
        // The last 32 bits may be written as IPv4.
        if let colon = text.lastIndex(of: ":"), text[colon...].contains(".") {
            guard isIPv4(text[text.index(after: colon)...]) else { return false }
            head = text[...colon] + "0:0"
        }
        let halves = split(head)
        guard halves.count <= 2 else { return false }
        var groups = 0
        for half in halves where !half.isEmpty {
            for group in half.split(separator: ":", omittingEmptySubsequences: false) {
                guard (1...4).contains(group.utf8.count), group.allSatisfy({ $0.isHexDigit && $0.isASCII }) else {
                    return false
                }
                groups += 1
            }
        }
        return halves.count == 2 ? groups <= 7 : groups == 8
    }

    /// The text cut at each `::`.
    private static func split(_ text: Substring) -> [Substring] {
        var halves: [Substring] = []
        var start = text.startIndex
        var place = text.startIndex
        while place < text.endIndex {
            let next = text.index(after: place)
            if text[place] == ":", next < text.endIndex, text[next] == ":" {
                halves.append(text[start..<place])
                start = text.index(after: next)
                place = start
            } else {
                place = next
            }
        }
        halves.append(text[start...])
        return halves
    }
}
