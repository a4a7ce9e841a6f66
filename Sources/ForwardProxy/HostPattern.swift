/// The hosts that an entry of `--map` or `--tunnel` means: a DNS name, or every name below one (proxy contract,
/// section 1).
package struct HostPattern: Hashable, Sendable {
    /// The reason why a text is no pattern.
    package struct Refusal: Error, Equatable, Sendable {
        package let reason: String
    }

    /// The name in lower case without the root's dot; of `*.a.example` it is `a.example`.
    package let name: String
    /// Tells that the names below it are meant, and not itself.
    package let hasStar: Bool

    package init(_ text: String) throws(Refusal) {
        guard text.contains(where: { $0 != "*" && $0 != "." }) else {
            throw Refusal(reason: "is not a host: name one, or *.NAME for all below a name of two labels or more")
        }
        guard !text.utf8.contains(where: { [0x2F, 0x3A, 0x40, 0x3F, 0x23].contains($0) }) else {
            throw Refusal(reason: "is not a host: give the name alone, without scheme, port and path")
        }
        hasStar = text.hasPrefix("*.")
        let rest = String(hasStar ? text.dropFirst(2) : text[...])
        guard let name = HostName.canonical(rest) else {
            throw Refusal(reason: "is not a DNS name such as api.example.com")
        }
        guard !HostName.endsInNumber(name) else {
            throw Refusal(reason: "is an address; map the name that the app asks for")
        }
        guard name != "localhost", !name.hasSuffix(".localhost") else {
            throw Refusal(reason: "is this machine, which a proxy is never asked for")
        }
        guard !hasStar || name.utf8.contains(0x2E) else {
            throw Refusal(reason: "would take a whole top-level domain; a star needs at least two labels behind it")
        }
        self.name = name
    }

    /// The pattern as it is shown.
    package var text: String { hasStar ? "*.\(name)" : name }

    /// Tells whether a host in its canonical form is meant.
    package func covers(_ host: String) -> Bool {
        hasStar ? host.hasSuffix(".\(name)") && host.utf8.count > name.utf8.count + 1 : host == name
    }

    /// Tells whether this pattern is more exact than another one that covers the same host.
    func isMoreExact(than other: HostPattern) -> Bool {
        hasStar == other.hasStar ? name.utf8.count > other.name.utf8.count : !hasStar
    }
}
