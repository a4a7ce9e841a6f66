/// A host under which control calls are answered besides the loopback ones (transport contract, section 1).
package enum AllowedHost: Sendable, Equatable {
    /// This name alone, in lower case.
    case name(String)
    /// Every name below it, not the suffix itself; it begins with a dot, in lower case.
    case suffix(String)

    /// The reason why a text names no host that could be allowed.
    package struct Refusal: Error, Equatable {
        package let reason: String
    }

    /// Reads a DNS name, or a suffix that begins with a dot; case and a trailing dot don't count.
    package init(_ text: String) throws(Refusal) {
        var name = text.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        guard !name.isEmpty else { throw Refusal(reason: "names no host") }
        guard !name.contains("*") else {
            throw Refusal(reason: "has a *; a suffix such as .svc.cluster.local allows every name below it")
        }
        guard !name.contains("/") else { throw Refusal(reason: "is a URL; give the host alone") }
        let isSuffix = name.hasPrefix(".")
        let labels = name.dropFirst(isSuffix ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard !Self.isAddress(name, labels) else { throw Refusal(reason: "is an address, which needs no flag") }
        guard !name.contains(":") else { throw Refusal(reason: "has a port; give the host alone") }
        guard name.utf8.count <= 253, labels.allSatisfy(Self.isLabel) else { throw Refusal(reason: "is no DNS name") }
        guard !isSuffix || labels.count > 1 else { throw Refusal(reason: "is a suffix of one label; it needs two") }
        self = isSuffix ? .suffix(name) : .name(name)
    }

    /// The text as the flag takes it.
    package var text: String {
        switch self {
        case .name(let name), .suffix(let name): name
        }
    }

    /// Tells whether a host is meant, which is in lower case and without port and trailing dot.
    package func covers(_ host: String) -> Bool {
        switch self {
        case .name(let name): host == name
        case .suffix(let suffix): host.hasSuffix(suffix) && host.utf8.count > suffix.utf8.count
        }
    }

    /// Tells whether a text is an IPv4 address, also in its older forms, or an IPv6 address.
    ///
    /// A last label that is a number makes an IPv4 address of a name wherever URLs are read.
    private static func isAddress(_ name: String, _ labels: [Substring]) -> Bool {
        if name.hasPrefix("[") || name.utf8.count(where: { $0 == 0x3A }) > 1 { return true }
        // With a port it is an address all the same.
        guard let last = labels.last?.prefix(while: { $0 != ":" }), !last.isEmpty else { return false }
        if last.allSatisfy({ ("0"..."9").contains($0) }) { return true }
        return last.hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
            && label.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A, 0x2D, 0x5F: true
                default: false
                }
            }
    }
}
