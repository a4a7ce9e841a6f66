import Basics

/// Addresses in content and in fields.
package enum Addresses {
    /// The path and query of an address; nil for any other text.
    package static func target(of text: String) -> String? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let rest = text[scheme.upperBound...]
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        return String(rest[slash...])
    }

    /// The paths, each with its query, that a reference in an answer may name (RFC 3986, section 5.2): as it stands, and
    /// without the prefixes of a world and of the hub.
    package static func targets(_ reference: String, of exchange: ConductExchange) -> [String] {
        var text = reference.prefix { $0 != "#" }
        if let target = target(of: String(text)) {
            text = target[...]
        } else if text.hasPrefix("//"), let slash = text.dropFirst(2).firstIndex(of: "/") {
            text = text[slash...]
        } else if text.hasPrefix("?") {
            text = exchange.path + text
        } else if text.isEmpty || text.hasPrefix("//") || text.contains("://") {
            return []
        } else if !text.hasPrefix("/") {
            let folder = exchange.path.lastIndex(of: "/").map { exchange.path[...$0] } ?? "/"
            text = folder + text
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? "?\(parts[1])" : ""
        let path = withoutDots(parts[0])
        return ([path] + prefixless(path, of: exchange.api)).map { $0 + query }
    }

    /// A path without its segments `.` and `..`.
    private static func withoutDots(_ path: Substring) -> String {
        guard path.contains("/.") else { return String(path) }
        var segments: [Substring] = []
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            if segment == ".." { _ = segments.popLast() } else if segment != "." { segments.append(segment) }
        }
        return "/" + segments.joined(separator: "/")
    }

    /// The name of the world in the prefix of a path; nil without one.
    package static func world(in path: String) -> String? {
        guard path.hasPrefix("/@"), let slash = path.dropFirst(2).firstIndex(of: "/") else { return nil }
        return String(path.dropFirst(2)[..<slash])
    }

    /// The paths without the prefix of a world, and without that of an API on the hub.
    package static func prefixless(_ path: String, of api: String) -> [String] {
        var rest = path
        var candidates: [String] = []
        if let world = world(in: path) {
            rest = String(rest.dropFirst(2 + world.count))
            candidates.append(rest)
        }
        if rest.hasPrefix("/\(api)/") { candidates.append(String(rest.dropFirst(api.utf8.count + 1))) }
        return candidates
    }
}
