/// The script by which clients find the proxy: mapped hosts go through it, others straight (proxy contract, section 8).
package enum PACFile {
    package static let mediaType = "application/x-ns-proxy-autoconfig"

    /// Returns the script.
    ///
    /// - Parameters:
    ///   - map: The mapped hosts.
    ///   - proxy: `HOST:PORT` of the proxy, as the client reaches it.
    ///   - takesAll: Sends all hosts but this machine to the proxy.
    /// - Returns: The script, in the language that every client reads (ES3).
    package static func text(_ map: HostMap, proxy: String, takesAll: Bool = false) -> String {
        var lines = [
            "function FindProxyForURL(url, host) {",
            "  var proxy = \"PROXY \(proxy)\";",
            "  host = host.toLowerCase();",
            "  if (host.charAt(host.length - 1) == \".\") host = host.substring(0, host.length - 1);",
        ]
        guard !takesAll else {
            lines += [
                "  if (host == \"localhost\" || host.substring(host.length - 10) == \".localhost\" || host == \"::1\" ||",
                "      host == \"[::1]\" || /^127\\.[0-9]+\\.[0-9]+\\.[0-9]+$/.test(host)) return \"DIRECT\";",
                "  return proxy;",
                "}",
            ]
            return lines.joined(separator: "\n") + "\n"
        }
        // The most exact entry decides, and one that is passed on may be it.
        let patterns =
            map.entries.map { ($0.pattern, "proxy") }
            + map.tunnels.compactMap { entry -> (HostPattern, String)? in
                if case .pattern(let pattern) = entry.host { (pattern, "\"DIRECT\"") } else { nil }
            }
        let ordered = patterns.enumerated().sorted { one, other in
            if one.element.0.isMoreExact(than: other.element.0) { return true }
            if other.element.0.isMoreExact(than: one.element.0) { return false }
            return one.offset < other.offset
        }
        for (pattern, answer) in ordered.map(\.element) {
            lines.append(
                pattern.hasStar
                    ? "  if (host.length > \(pattern.name.utf8.count + 1) && "
                        + "host.substring(host.length - \(pattern.name.utf8.count + 1)) == \".\(pattern.name)\") return \(answer);"
                    : "  if (host == \"\(pattern.name)\") return \(answer);"
            )
        }
        lines += ["  return \"DIRECT\";", "}"]
        return lines.joined(separator: "\n") + "\n"
    }
}
