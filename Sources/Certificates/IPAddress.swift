#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A numeric address of either family.
package struct IPAddress: Hashable, Sendable {
    /// Four bytes, or sixteen.
    package let bytes: [UInt8]

    /// Reads the numeric form, such as `127.0.0.1` or `fe80::1%en0`, whose zone is left out; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let text = String(text.prefix { $0 != "%" })
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
    }
}

extension IPAddress {
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The numeric form.
    package var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The addresses that share their first bits.
package struct IPRange: Hashable, Sendable {
    package let address: IPAddress
    package let bits: Int

    init(address: IPAddress, bits: Int) {
        self.address = address
        self.bits = bits
    }

    /// Reads an address and the number of its bits that count, such as `10.0.0.0/8`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(parts[0]), let bits = Int(parts[1]),
            (0...address.bytes.count * 8).contains(bits)
        else { return nil }
        self.address = address
        self.bits = bits
    }

    /// The bytes of a mask with that many bits.
    var mask: [UInt8] {
        address.bytes.indices.map { place in
            let left = min(max(bits - place * 8, 0), 8)
            return left == 0 ? 0 : 0xFF << UInt8(8 - left)
        }
    }

    func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return zip(zip(address.bytes, other.bytes), mask).allSatisfy { $0.0 & $1 == $0.1 & $1 }
    }
}
