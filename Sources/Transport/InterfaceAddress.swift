#if canImport(Glibc)
import CPlatform
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An address of this machine and the interface that has it.
package struct InterfaceAddress: Hashable, Sendable {
    /// The numeric address, without a zone.
    package var host: String
    /// The system's name of the interface, such as `eth0`.
    package var interface: String
    /// Tells whether the interface leads to a single other machine, as a tunnel does.
    package var isPointToPoint = false
    /// Tells whether the interface leads nowhere but back, whatever addresses it was given.
    package var isOfLoopbackInterface = false

    /// Tells whether other machines can connect to it: it is neither of the loopback nor of the link alone.
    package var isReachable: Bool {
        let bytes = AddressLookup.bytes(of: host)
        switch bytes.count {
        case 4: return bytes[0] != 127
        case 16: return host != "::1" && !(bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
        default: return false
        }
    }

    package init(
        host: String,
        interface: String,
        isPointToPoint: Bool = false,
        isOfLoopbackInterface: Bool = false
    ) {
        self.host = host
        self.interface = interface
        self.isPointToPoint = isPointToPoint
        self.isOfLoopbackInterface = isOfLoopbackInterface
    }

    /// Tells whether it belongs to the machine alone.
    package var isLoopback: Bool {
        let bytes = AddressLookup.bytes(of: host)
        return bytes.count == 4 ? bytes[0] == 127 : host == "::1"
    }

    /// Tells whether it holds on one link alone (RFC 3927, RFC 4291).
    package var isLinkLocal: Bool {
        let bytes = AddressLookup.bytes(of: host)
        switch bytes.count {
        case 4: return bytes[0] == 169 && bytes[1] == 254
        case 16: return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        default: return false
        }
    }

    /// Tells whether it is of a network that the internet does not reach (RFC 1918, RFC 6598, RFC 4193).
    package var isPrivate: Bool {
        let bytes = AddressLookup.bytes(of: host)
        switch bytes.count {
        case 4:
            return bytes[0] == 10 || (bytes[0] == 172 && bytes[1] & 0xF0 == 16) || (bytes[0] == 192 && bytes[1] == 168)
                || (bytes[0] == 100 && bytes[1] & 0xC0 == 64)
        case 16: return bytes[0] & 0xFE == 0xFC
        default: return false
        }
    }

    private static let pointToPoint = UInt32(IFF_POINTOPOINT)
    private static let loopback = UInt32(IFF_LOOPBACK)

    /// Returns all addresses of this machine, in the system's order.
    package static func all() -> [InterfaceAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [InterfaceAddress] = []
        var next = list
        while let item = next {
            if let source = item.pointee.ifa_addr {
                let family = Int32(source.pointee.sa_family)
                let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
                if family == AF_INET || family == AF_INET6 {
                    var address = SocketAddress()
                    address.fill { target, room in
                        memcpy(target, source, length)
                        room.pointee = socklen_t(length)
                    }
                    found.append(
                        InterfaceAddress(
                            host: address.host,
                            interface: String(cString: item.pointee.ifa_name),
                            isPointToPoint: item.pointee.ifa_flags & Self.pointToPoint != 0,
                            isOfLoopbackInterface: item.pointee.ifa_flags & Self.loopback != 0
                        )
                    )
                }
            }
            next = item.pointee.ifa_next
        }
        return found
    }
}
