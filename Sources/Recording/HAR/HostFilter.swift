import Basics

/// The hosts whose entries of an archive are wanted.
package struct HostFilter: Sendable {
    private let globs: [String]

    /// Creates a filter of globs that fit a host with or without its port; none takes every entry.
    package init(_ globs: [String]) { self.globs = globs.map { $0.lowercased() } }

    /// Tells whether requests to an address are wanted.
    package func takes(_ url: String) -> Bool {
        guard !globs.isEmpty else { return true }
        guard let address = HARAddress(url) else { return false }
        let authority = LinkRewriter.normal(address.authority)
        let host = LinkRewriter.host(of: authority)
        return globs.contains { Glob.matches($0, authority) || Glob.matches($0, host) }
    }
}
