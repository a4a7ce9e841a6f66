/// The names and addresses that an issuer may sign (RFC 5280, section 4.2.1.10); permitted ones only.
package struct NameConstraints: Hashable, Sendable {
    /// Names; those below them are permitted too.
    package var names: [String]
    package var ranges: [IPRange]

    /// The names that are private or local by definition, and the private address ranges (transport contract,
    /// section 4).
    package static let local = NameConstraints(
        names: ["localhost", "local", "test", "internal", "home.arpa", "understudy"],
        ranges: [
            "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
            "::1/128", "fc00::/7", "fe80::/10",
        ].compactMap(IPRange.init)
    )

    package func permits(_ name: DNSName) -> Bool { names.contains { name.isWithin($0) } }

    package func permits(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

    /// The content of the extension.
    var encoded: [UInt8] {
        let names = names.map { DER.sequence(DER.element(0x82, Array($0.utf8))) }
        let ranges = ranges.map { DER.sequence(DER.element(0x87, $0.address.bytes + $0.mask)) }
        return DER.sequence(DER.element(0xA0, (names + ranges).flatMap { $0 }))
    }

    init(names: [String], ranges: [IPRange]) {
        self.names = names
        self.ranges = ranges
    }

    /// Reads the content of the extension; nil for what another maker wrote and we don't understand: excluded names, other
    /// kinds of names.
    init?(encoded: [UInt8]) {
        var outer = DERReader(encoded)
        guard let content = outer.take(0x30), outer.isAtEnd else { return nil }
        var inner = DERReader(content)
        guard let permitted = inner.take(0xA0), inner.isAtEnd else { return nil }
        var trees = DERReader(permitted)
        var (names, ranges): ([String], [IPRange]) = ([], [])
        while !trees.isAtEnd {
            guard let tree = trees.take(0x30) else { return nil }
            var base = DERReader(tree)
            if base.tag == 0x82, let name = base.take(0x82), base.isAtEnd {
                names.append(String(decoding: name, as: UTF8.self).lowercased())
            } else if base.tag == 0x87, let bytes = base.take(0x87), base.isAtEnd,
                let range = IPRange(addressAndMask: Array(bytes))
            {
                ranges.append(range)
            } else {
                return nil
            }
        }
        self.init(names: names, ranges: ranges)
    }

    /// The constraints of an issuer's certificate; nil for those of another maker, which we don't understand, or none.
    package init?(of certificate: Certificate) {
        guard let encoded = certificate.encodedNameConstraints else { return nil }
        self.init(encoded: encoded)
    }

    /// The permitted names and ranges as texts.
    package var texts: [String] { names + ranges.map(\.text) }
}

extension IPRange {
    /// Reads the form of the extension: the address, then a mask of as many bytes, whose set bits come first.
    fileprivate init?(addressAndMask bytes: [UInt8]) {
        guard bytes.count == 8 || bytes.count == 32 else { return nil }
        let half = bytes.count / 2
        let mask = bytes[half...]
        let bits = mask.reduce(0) { $0 + $1.nonzeroBitCount }
        self.init(address: IPAddress(bytes: Array(bytes[..<half])), bits: bits)
        guard self.mask == Array(mask) else { return nil }
    }

    /// The text, such as `10.0.0.0/8`.
    package var text: String { "\(address.text)/\(bits)" }
}
