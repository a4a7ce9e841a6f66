#if canImport(Glibc)
package import Glibc
#elseif canImport(Darwin)
package import Darwin
#endif

/// An IPv4 or IPv6 address with its port, in the form of the system calls.
package struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    package init() {}

    /// Creates an address from its numeric form; nil for anything else (names are never looked up).
    package init?(host: String, port: UInt16) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            var address = Socket.emptyIPv4Address()
            address.sin_port = port.bigEndian
            address.sin_addr = four
            store(address)
        } else if inet_pton(AF_INET6, host, &six) == 1 {
            var address = Socket.emptyIPv6Address()
            address.sin6_port = port.bigEndian
            address.sin6_addr = six
            store(address)
        } else {
            return nil
        }
    }

    package var family: Int32 { Int32(storage.ss_family) }

    package var port: UInt16 {
        switch family {
        case AF_INET: UInt16(bigEndian: load(sockaddr_in.self).sin_port)
        case AF_INET6: UInt16(bigEndian: load(sockaddr_in6.self).sin6_port)
        default: 0
        }
    }

    /// The numeric form, such as `127.0.0.1` or `::1`; empty when there is none (a socket pair).
    package var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let written: Bool
        switch family {
        case AF_INET:
            var address = load(sockaddr_in.self).sin_addr
            written = inet_ntop(AF_INET, &address, &text, socklen_t(text.count)) != nil
        case AF_INET6:
            var address = load(sockaddr_in6.self).sin6_addr
            written = inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil
        default: written = false
        }
        guard written else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Calls a function with the address and its length.
    package mutating func withPointer<Value>(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        let length = length
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, length) }
        }
    }

    /// Calls a function with space for an address, which the function fills in.
    mutating func fill<Value>(
        _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Value
    ) -> Value {
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &length) { length in
            withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, length) }
            }
        }
    }

    private mutating func store<Address>(_ address: Address) {
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: Address.self) }
        length = socklen_t(MemoryLayout<Address>.size)
    }

    private func load<Address>(_ type: Address.Type) -> Address {
        withUnsafeBytes(of: storage) { $0.load(as: type) }
    }
}
