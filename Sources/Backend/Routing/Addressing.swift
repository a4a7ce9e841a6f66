package import HTTPMessage

/// The listener that a request came through.
package enum EntryPoint: Sendable, Equatable {
    case hub
    /// The port of the API of that index.
    case api(Int)
}

/// The parts of a request's address, read before any world is looked up (control contract, sections 1 and 4).
package struct Address: Sendable {
    package enum Destination: Sendable, Equatable {
        /// A control call; scoped to one API on its port or below its mount.
        case control(api: Int?)
        case api(Int)
        /// A path of the hub's own, such as its index page.
        case hub
    }

    package var destination: Destination
    /// The path below the destination.
    package var path: Path
    /// The prefix that was cut off before it, for links: empty, `/@NAME`, `/omnichat` or `/@NAME/omnichat`.
    package var linkPrefix: String
    /// True below the mount of an API on the hub, whose origin has the console and the documentation pages too.
    package private(set) var isMounted: Bool
    /// Tells whether it is a control call on the port of an API, whose pages may be anybody's.
    package var isControlOnAPIPort: Bool {
        if case .control(.some) = destination { !isMounted } else { false }
    }
    /// Tells whether Understudy itself answers, and no API.
    package var isOurs: Bool {
        if case .api = destination { false } else { true }
    }
    /// The worlds named explicitly: by header, by path, by host.
    package var namedWorlds: [String]

    /// Tells whether it came by the forward proxy, whose clients name their world by credentials.
    package private(set) var isProxied: Bool

    /// Tells whether the path is the request's own, written in its canonical form.
    package private(set) var isWholeAndPlain: Bool

    package init(
        _ request: borrowing RequestHead,
        path: Path,
        isSurelyNormal: Bool = false,
        entryPoint: EntryPoint,
        apiNames: [String]
    ) {
        // The members are set at the end, each once: the address would be copied otherwise.
        var rest = path
        var linkPrefix = ""
        var isMounted = false
        var namedWorlds = request.values(of: .world)
        let proxied = request.proxied
        if let world = proxied?.world { namedWorlds.append(world) }
        if let first = rest.segments.first, first.utf8.first == 0x40 {
            // By scalars: a combining mark after the sign is part of the name, not of the sign.
            namedWorlds.append(String(first.unicodeScalars.dropFirst()))
            linkPrefix = "/" + first.percentEncodedSegment
            rest = rest.dropping(1)
        }
        if let label = Self.worldLabel(of: request) { namedWorlds.append(label) }
        var api: Int?
        if case .api(let index) = entryPoint { api = index }
        if entryPoint == .hub, let first = rest.segments.first, let index = apiNames.firstIndex(of: first) {
            api = index
            isMounted = true
            linkPrefix += "/" + first
            rest = rest.dropping(1)
        }
        let destination: Destination
        if rest.segments.first == "__admin" {
            destination = .control(api: api)
            rest = rest.dropping(1)
        } else {
            destination = api.map { Destination.api($0) } ?? .hub
        }
        self.destination = destination
        self.path = rest
        self.linkPrefix = linkPrefix
        self.isMounted = isMounted
        isProxied = proxied != nil
        self.namedWorlds = namedWorlds
        isWholeAndPlain = isSurelyNormal && linkPrefix.isEmpty
    }

    /// Returns the NAME of a request to `NAME.localhost`.
    private static func worldLabel(of request: borrowing RequestHead) -> String? {
        // Almost every host is another one: it isn't even made a text.
        if case .absolute(let authority) = request.form {
            guard mayBeLocal(Array(authority.utf8)[...]) else { return nil }
            return worldLabel(ofHost: authority, namesFaults: request.isSecure != nil)
        }
        guard let host = request.bytes(of: .host), mayBeLocal(host) else { return nil }
        return worldLabel(ofHost: String(decoding: host, as: UTF8.self), namesFaults: request.isSecure != nil)
    }

    /// Tells whether a host ends as `localhost` does, before a port and the root's dot.
    private static func mayBeLocal(_ authority: ArraySlice<UInt8>) -> Bool {
        var host = authority.prefix { $0 != UInt8(ascii: ":") }
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        return host.last.map { $0 | 0x20 } == UInt8(ascii: "t")
    }

    /// Returns the NAME of `NAME.localhost`, with or without the root's dot and a port.
    ///
    /// With `namesFaults` the hosts below `bad.localhost` name no world (transport contract, section 6).
    package static func worldLabel(ofHost authority: String, namesFaults: Bool = false) -> String? {
        let suffix = ".localhost"
        var host = authority.prefix { $0 != ":" }.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        guard host.hasSuffix(suffix), host.count > suffix.count else { return nil }
        let label = String(host.dropLast(suffix.count))
        return namesFaults && label.hasSuffix(".bad") ? nil : label
    }
}

/// A world's name: 1 to 64 of `a-z 0-9 . _ -`.
package enum WorldName {
    package static let main = "main"

    package static func isValid(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x61...0x7A, 0x30...0x39, 0x2E, 0x5F, 0x2D: true
                default: false
                }
            }
    }
}
