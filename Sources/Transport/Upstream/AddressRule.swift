/// The rule for addresses that may be connected to (control contract, section 13).
package struct AddressRule: Sendable {
    /// Tells whether the user named this machine explicitly.
    package var allowsLoopback: Bool
    /// The networks that a user may mean.
    package enum Reach: Equatable, Sendable {
        /// Those of a real backend that was named: private ones too.
        case backend
        /// Those of a host that a client of the forward proxy named (proxy contract, section 5).
        case internet(allowsPrivate: Bool)
    }

    /// The networks that may be reached.
    package var reach = Reach.backend
    /// The ports that Understudy itself listens on.
    package var ownPorts: Set<UInt16>

    package init(allowsLoopback: Bool, ownPorts: Set<UInt16>, reach: Reach = .backend) {
        self.reach = reach
        self.allowsLoopback = allowsLoopback
        self.ownPorts = ownPorts
    }

    /// Returns the reason why a numeric address is refused; nil if it is allowed.
    ///
    /// The address has four or sixteen bytes; `isOwn` tells whether it is one of this machine's. The rule follows the
    /// registries of special-purpose addresses (RFC 6890), with those that clouds have added. Private networks, shared
    /// address space and the ranges for tests and examples are allowed: backends, tunnels and name servers of
    /// developers use them.
    package func objection(to bytes: [UInt8], port: UInt16, isOwn: Bool) -> String? {
        switch bytes.count {
        case 4: objection(toFour: bytes, port, isOwn)
        case 16: objection(toSix: bytes, port, isOwn)
        default: "it is no address"
        }
    }

    private static let own = "it is Understudy's own"
    private static let metadata = "it is a cloud's metadata service"
    private static let noServer = "it is no address of a server"

    private func loopback(_ port: UInt16) -> String? {
        guard allowsLoopback else {
            return reach == .backend
                ? "it is this machine, which the upstream's name does not say" : "it is this machine"
        }
        return ownPorts.contains(port) ? Self.own : nil
    }

    /// Returns the reason why an address is refused that is neither loopback nor special.
    private func objection(toOrdinary isPrivate: Bool, _ port: UInt16, _ isOwn: Bool) -> String? {
        if isOwn, ownPorts.contains(port) { return Self.own }
        guard reach == .internet(allowsPrivate: false) else { return nil }
        return isOwn ? "it is this machine" : isPrivate ? "it is in a private network" : nil
    }

    private func objection(toFour four: [UInt8], _ port: UInt16, _ isOwn: Bool) -> String? {
        switch (four[0], four[1], four[2], four[3]) {
        case (0, _, _, _): Self.noServer
        case (127, _, _, _): loopback(port)
        case (169, 254, _, _): "it is link-local, where clouds keep their metadata"
        case (100, 100, 100, 200), (168, 63, 129, 16), (192, 0, 0, 192): Self.metadata
        // Protocol assignments of the IETF, and the relays of 6to4.
        case (192, 0, 0, _), (192, 88, 99, _): Self.noServer
        case (224..., _, _, _): "it is a multicast or broadcast address"
        default: objection(toOrdinary: Self.isPrivate(four), port, isOwn)
        }
    }

    /// Tells whether an IPv4 address belongs to a private network or the shared space of providers.
    private static func isPrivate(_ four: [UInt8]) -> Bool {
        switch (four[0], four[1]) {
        case (10, _), (172, 16...31), (192, 168), (100, 64...127): true
        default: false
        }
    }

    private func objection(toSix bytes: [UInt8], _ port: UInt16, _ isOwn: Bool) -> String? {
        if bytes.dropLast().allSatisfy({ $0 == 0 }), bytes[15] < 2 {
            return bytes[15] == 1 ? loopback(port) : Self.noServer
        }
        if let four = Self.embedded(bytes) { return objection(toFour: four, port, isOwn) }
        if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return "it is link-local" }
        if bytes[0] == 0xFF { return "it is a multicast address" }
        if Self.clouds.contains(where: { bytes.starts(with: $0.network) && bytes.suffix(8).elementsEqual($0.host) }) {
            return Self.metadata
        }
        // A translator there may lead anywhere, and so may the other end of a Teredo tunnel.
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 1]) {
            return "it is translated to an address that is not known here"
        }
        if bytes.starts(with: [0x20, 0x01, 0, 0]) { return "it is the other end of a tunnel" }
        // The discard prefix.
        if bytes.starts(with: [0x01, 0, 0, 0, 0, 0, 0, 0]) { return Self.noServer }
        // Unique local addresses, and the site-local ones of old.
        let isPrivate = bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0xC0
        return objection(toOrdinary: isPrivate, port, isOwn)
    }

    /// Metadata services of clouds in private networks.
    ///
    /// They are `fd00:ec2::254`, `fd20:ce::254`, `fd00:42::42` and `fd00:c1::a9fe:a9fe`; other addresses of those
    /// networks may be a user's own.
    private static let clouds: [(network: [UInt8], host: [UInt8])] = [
        ([0xFD, 0x00, 0x0E, 0xC2, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0x02, 0x54]),
        ([0xFD, 0x20, 0x00, 0xCE, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0x02, 0x54]),
        ([0xFD, 0x00, 0x00, 0x42, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0x42]),
        ([0xFD, 0x00, 0x00, 0xC1, 0, 0, 0, 0], [0, 0, 0, 0, 0xA9, 0xFE, 0xA9, 0xFE]),
    ]

    /// Returns the four bytes of an IPv4 address inside an IPv6 address; nil if there is none.
    ///
    /// It may be compatible (`::/96`), mapped (`::ffff:0:0/96`), translated (`::ffff:0:0:0/96`, `64:ff9b::/96`), of
    /// 6to4 (`2002::/16`), or of ISATAP (an interface `0:5efe` or `200:5efe` in any network).
    static func embedded(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count == 16 else { return nil }
        let last = Array(bytes[12...])
        if bytes[..<8].allSatisfy({ $0 == 0 }) {
            switch (bytes[8], bytes[9], bytes[10], bytes[11]) {
            case (0, 0, 0, 0), (0, 0, 0xFF, 0xFF), (0xFF, 0xFF, 0, 0): return last
            default: break
            }
        }
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B]), bytes[4..<12].allSatisfy({ $0 == 0 }) { return last }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return Array(bytes[2..<6]) }
        if bytes[8] & 0xFD == 0, bytes[9] == 0, bytes[10] == 0x5E, bytes[11] == 0xFE { return last }
        return nil
    }
}
