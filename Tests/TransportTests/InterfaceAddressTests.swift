import TestSupport
import Testing

@testable import Transport

/// Transport contract, section 1: the addresses of the machine that the banner lists.
@Suite struct InterfaceAddressTests {
    @Test func `1 this machine has its loopback address`() {
        let all = InterfaceAddress.all()
        #expect(all.contains { $0.host == "127.0.0.1" && $0.interface.hasPrefix("lo") })
        #expect(all.allSatisfy { !$0.interface.isEmpty && ListenAddress.isNumeric($0.host) })
    }

    @Test(arguments: [
        ("192.168.1.7", true), ("10.0.0.1", true), ("203.0.113.9", true), ("127.0.0.1", false), ("127.1.2.3", false),
        ("::1", false), ("fe80::1", false), ("febf::1", false), ("fec0::1", true), ("fd00::7", true),
        ("2001:db8::1", true), ("", false), ("eth0", false),
    ])
    func `1 other machines reach what is neither of the loopback nor of the link alone`(host: String, isReachable: Bool)
    {
        expectEqual(InterfaceAddress(host: host, interface: "eth0").isReachable, isReachable)
    }
}
