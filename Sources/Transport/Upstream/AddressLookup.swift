import ForwardProxy

#if canImport(Glibc)
import CPlatform
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Looks up names, once for each connection, and the addresses of this machine.
enum AddressLookup {
    /// Returns the addresses of a name or a numeric address, in the system's order; a failure if there are none.
    static func addresses(
        of host: String,
        port: UInt16,
        flags: Int32 = 0
    ) -> Result<[SocketAddress], UpstreamFailure> {
        if let numeric = SocketAddress(host: host, port: port) { return .success([numeric]) }
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, "\(port)", &hints, &list)
        guard failure == 0 else {
            return .failure(
                UpstreamFailure(.lookup, "\(host) can't be looked up: \(String(cString: gai_strerror(failure)))")
            )
        }
        defer { freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = list
        while let item = next, found.count < 16 {
            if let source = item.pointee.ai_addr {
                var address = SocketAddress()
                let length = item.pointee.ai_addrlen
                address.fill { target, room in
                    guard length <= room.pointee else { return }
                    memcpy(target, source, Int(length))
                    room.pointee = length
                }
                if address.family == AF_INET || address.family == AF_INET6 { found.append(address) }
            }
            next = item.pointee.ai_next
        }
        guard !found.isEmpty else { return .failure(UpstreamFailure(.lookup, "\(host) has no address")) }
        return .success(found)
    }

    /// Returns a number that stands for an address, such as `127.1`, in the usual spelling, and other hosts as they are.
    static func usualSpelling(of host: String) -> String {
        guard HostName.endsInNumber(host),
            case .success(let found) = addresses(of: host, port: 0, flags: AI_NUMERICHOST), let address = found.first
        else { return host }
        return address.host
    }

    /// Tells whether an address is a port of this process.
    static func isOwn(_ address: SocketAddress, ports: Set<UInt16>, own: Set<[UInt8]>) -> Bool {
        guard ports.contains(address.port) else { return false }
        let bytes = bytes(of: address.host)
        let four = AddressRule.embedded(bytes) ?? bytes
        return four.first == 127 || bytes.dropLast().allSatisfy { $0 == 0 } || own.contains(four) || own.contains(bytes)
    }

    /// Returns the bytes of a numeric address, without a zone.
    static func bytes(of text: String) -> [UInt8] {
        let host = String(text.prefix { $0 != "%" })
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        if inet_pton(AF_INET6, host, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        return []
    }

    /// Returns the addresses of this machine's interfaces.
    static func ownAddresses() -> Set<[UInt8]> { Set(InterfaceAddress.all().map { bytes(of: $0.host) }) }
}
