import Basics
package import HTTPMessage

extension Response {
    /// Leads a redirect to a path of the API by the way on which the client came: below the mount of the hub and in the
    /// world that the address named.
    ///
    /// - Parameters:
    ///   - prefix: The part of the address before the API's own path.
    ///   - path: The API's own path that was asked for.
    ///   - isOwn: Tells whether the API has a path.
    package mutating func redirect(below prefix: String, from path: Path, isOwn: (Path) -> Bool) {
        guard !prefix.isEmpty, let place = fields[.location],
            let led = Self.led(place, below: prefix, from: path, isOwn: isOwn), led != place
        else { return }
        fields.set(.location, led)
    }

    /// Returns the place with its prefix; nil for one that needs none.
    private static func led(
        _ place: String,
        below prefix: String,
        from path: Path,
        isOwn: (Path) -> Bool
    ) -> String? {
        let end = place.firstIndex { $0 == "?" || $0 == "#" } ?? place.endIndex
        var target = String(place[..<end])
        guard !target.isEmpty, !target.hasPrefix("//"), !isAbsolute(target) else { return nil }
        // Dot segments would lead out of the mount.
        let climbs = target.lowercased().replacing("%2e", with: ".").split(separator: "/").contains("..")
        let isRelative = !target.hasPrefix("/")
        if isRelative {
            guard climbs else { return nil }
            target = path.text.prefix(through: path.text.lastIndex(of: "/") ?? path.text.startIndex) + target
        }
        if climbs {
            guard let plain = Path(raw: target) else { return nil }
            target = plain.text
        }
        let (named, rest) = world(of: target)
        let (world, mount) = world(of: prefix)
        // An API may have paths of its own that begin as its mount does.
        let mayHaveMount = !isRelative && !mount.isEmpty && (rest == mount || rest.hasPrefix(mount + "/"))
        let hasMount = mayHaveMount && !(Path(raw: rest).map(isOwn) ?? false)
        return "\(named.isEmpty ? world : named)\(hasMount ? "" : mount)\(rest)\(place[end...])"
    }

    /// Tells whether an address begins with a scheme (RFC 3986, section 4.2).
    private static func isAbsolute(_ target: String) -> Bool {
        target.prefix { $0 != "/" }.contains { $0 == ":" }
    }

    /// Splits an address at the end of the world that it names.
    private static func world(of target: String) -> (world: String, rest: String) {
        guard target.hasPrefix("/@") else { return ("", target) }
        let end = target.dropFirst().firstIndex(of: "/") ?? target.endIndex
        return (String(target[..<end]), String(target[end...]))
    }
}
