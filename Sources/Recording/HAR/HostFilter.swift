import Basics

/// The hosts whose entries of archives are wanted, and those of the others.
package struct HostFilter: Sendable {
    private let globs: [String]
    /// The number of entries of hosts that are not wanted.
    package private(set) var others = 0
    /// Those hosts, in the order in which they were met.
    private var otherHosts: [String] = []
    private var hasTaken = false

    /// Creates a filter of globs that fit a host with or without its port; none takes every entry.
    package init(_ globs: [String]) { self.globs = globs.map { $0.lowercased() } }

    /// Tells whether an entry with an address is wanted, and counts it.
    package mutating func takes(_ url: String) -> Bool {
        guard !globs.isEmpty else { return true }
        let authority = HARAddress(url).map { LinkRewriter.normal($0.authority) }
        if let authority, fits(authority) {
            hasTaken = true
            return true
        }
        others += 1
        if let authority, otherHosts.last != authority, !otherHosts.contains(authority) { otherHosts.append(authority) }
        return false
    }

    private func fits(_ authority: String) -> Bool {
        let host = LinkRewriter.host(of: authority)
        return globs.contains { Glob.matches($0, authority) || Glob.matches($0, host) }
    }

    /// The maximum number of hosts that are named.
    private static let mostNamed = 20

    /// The reason why nothing is left, with the hosts that there are; nil if there is something.
    package var refusal: String? {
        guard !hasTaken, others > 0 else { return nil }
        let named = otherHosts.prefix(Self.mostNamed).joined(separator: ", ")
        let rest = otherHosts.count - Self.mostNamed
        return "no entry has a host that matches \(globs.joined(separator: " or ")); the hosts are \(named)"
            + (rest > 0 ? " and \(rest) more" : "")
    }
}
