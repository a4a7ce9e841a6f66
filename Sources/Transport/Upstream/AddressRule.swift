/// Which addresses may be connected to (control contract, section 13).
package struct AddressRule: Sendable {
    /// Whether the user named this machine explicitly.
    package var allowsLoopback: Bool
    /// The ports that Understudy itself listens on.
    package var ownPorts: Set<UInt16>

    package init(allowsLoopback: Bool, ownPorts: Set<UInt16>) {
        self.allowsLoopback = allowsLoopback
        self.ownPorts = ownPorts
    }

    /// Why a numeric address is not connected to; nil if it may be.
    ///
    /// The address has four or sixteen bytes; `isOwn` says whether it is one of this machine's.
    package func objection(to bytes: [UInt8], port: UInt16, isOwn: Bool) -> String? {
        guard let four = Self.embedded(bytes) else { return objection(toSix: bytes, port, isOwn) }
        switch (four[0], four[1]) {
        case (0, _): return "it is no address of a server"
        case (169, 254): return "it is link-local, where clouds keep their metadata"
        case (100, 100) where four[2] == 100 && four[3] == 200: return "it is a cloud's metadata service"
        case (192, 0) where four[2] == 0 && four[3] == 192: return "it is a cloud's metadata service"
        case (127, _): return loopback(port)
        case (224..., _): return "it is a multicast or broadcast address"
        default: return isOwn && ownPorts.contains(port) ? Self.own : nil
        }
    }

    private static let own = "it is Understudy's own"

    private func loopback(_ port: UInt16) -> String? {
        guard allowsLoopback else { return "it is this machine, which the upstream's name does not say" }
        return ownPorts.contains(port) ? Self.own : nil
    }

    private func objection(toSix bytes: [UInt8], _ port: UInt16, _ isOwn: Bool) -> String? {
        guard bytes.count == 16 else { return "it is no address" }
        if bytes.dropLast().allSatisfy({ $0 == 0 }) {
            return bytes[15] == 1 ? loopback(port) : "it is no address of a server"
        }
        if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return "it is link-local" }
        if bytes[0] == 0xFF { return "it is a multicast address" }
        // fd00:ec2::254, the metadata service of one cloud.
        if bytes.starts(with: [0xFD, 0x00, 0x0E, 0xC2]), bytes[15] == 0x54, bytes[14] == 0x02 {
            return "it is a cloud's metadata service"
        }
        return isOwn && ownPorts.contains(port) ? Self.own : nil
    }

    /// The four bytes of an IPv4 address, also of one inside an IPv6 address: mapped, translated or by 6to4.
    private static func embedded(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.count == 4 { return bytes }
        guard bytes.count == 16 else { return nil }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF { return Array(bytes[12...]) }
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B]), bytes[4..<12].allSatisfy({ $0 == 0 }) {
            return Array(bytes[12...])
        }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return Array(bytes[2..<6]) }
        return nil
    }
}
