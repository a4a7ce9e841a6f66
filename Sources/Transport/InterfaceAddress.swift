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

    /// Tells whether other machines can connect to it: it is neither of the loopback nor of the link alone.
    package var isReachable: Bool {
        let bytes = AddressLookup.bytes(of: host)
        switch bytes.count {
        case 4: return bytes[0] != 127
        case 16: return host != "::1" && !(bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)
        default: return false
        }
    }

    package init(host: String, interface: String) {
        self.host = host
        self.interface = interface
    }

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
                        InterfaceAddress(host: address.host, interface: String(cString: item.pointee.ifa_name))
                    )
                }
            }
            next = item.pointee.ifa_next
        }
        return found
    }
}
