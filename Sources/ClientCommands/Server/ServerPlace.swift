import Basics
package import Transport

/// The server that is asked.
package struct ServerPlace {
    package let origin: UpstreamOrigin
    /// The path below which the server's paths lie; empty, or beginning with a slash.
    package let path: String

    package var text: String { origin.text + path }

    /// The failure in words, without the address of the place, which stands before it.
    package func detail(of failure: UpstreamFailure) -> String {
        let address = "\(origin.host) port \(origin.port): "
        return failure.detail.hasPrefix(address) ? String(failure.detail.dropFirst(address.count)) : failure.detail
    }

    /// Creates a place from an http or https address; nil for anything else.
    package init?(_ text: String) {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let rest = text[scheme.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        var path = rest[slash...]
        while path.last == "/" { path.removeLast() }
        let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3F && $0 != 0x23 }
        guard isPlain, let origin = UpstreamOrigin(String(text[..<slash])) else { return nil }
        self.origin = origin
        self.path = String(path)
    }
}
