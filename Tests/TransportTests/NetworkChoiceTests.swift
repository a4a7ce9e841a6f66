import TestSupport
import Testing

@testable import Transport

/// Transport contract, section 8: the choice of the address.
@Suite struct NetworkChoiceTests {
    private let lo = InterfaceAddress(host: "127.0.0.1", interface: "lo")
    private let wifi = InterfaceAddress(host: "192.168.1.23", interface: "en0")
    private let six = InterfaceAddress(host: "fd00::2", interface: "en0")
    private let wire = InterfaceAddress(host: "10.0.0.4", interface: "en5")
    private let link = InterfaceAddress(host: "169.254.3.4", interface: "en7")
    private let linkSix = InterfaceAddress(host: "fe80::1", interface: "en0")
    private let open = InterfaceAddress(host: "198.51.100.7", interface: "en9")

    @Test func `8 the source of the default route wins, and the others are listed`() {
        let choice = NetworkChoice([lo, wire, wifi, six, linkSix, link], routes: ["192.168.1.23", "fd00::2"])
        expectEqual(choice.address, wifi)
        expectEqual(choice.others, [wire, six])
    }

    @Test(arguments: [
        "docker0", "br-1", "veth2", "virbr0", "vboxnet0", "vmnet8", "bridge100", "utun3", "tun0", "tap0", "tailscale0",
        "wg0", "zt1",
    ])
    func `8 a route through a virtual network gives way to the first other private address`(name: String) {
        let virtual = InterfaceAddress(host: "10.8.0.2", interface: name)
        let choice = NetworkChoice([lo, virtual, open, wifi], routes: ["10.8.0.2"])
        expectEqual(choice.address, wifi)
        expectEqual(choice.others, [open])
        // If nothing is left, what was dropped.
        expectEqual(NetworkChoice([lo, virtual], routes: ["10.8.0.2"]).address, virtual)
    }

    @Test func `8 an interface to a single machine is dropped, and one without a route is found`() {
        let tunnel = InterfaceAddress(host: "10.9.0.2", interface: "ppp0", isPointToPoint: true)
        expectEqual(NetworkChoice([tunnel, wifi], routes: ["10.9.0.2"]).address, wifi)
        expectEqual(NetworkChoice([lo, six, wifi], routes: []).address, wifi)
        expectEqual(NetworkChoice([lo], routes: []).address, lo)
        expectEqual(NetworkChoice([lo, six], routes: ["fd00::2"]).address, six)
    }

    @Test func `8 an alias of the loopback interface is dropped`() {
        let alias = InterfaceAddress(host: "10.254.254.254", interface: "lo0", isOfLoopbackInterface: true)
        let choice = NetworkChoice([lo, alias, open, wifi], routes: [open.host])
        expectEqual(choice.address, open)
        expectEqual(choice.others, [wifi])
        expectEqual(NetworkChoice([lo, alias, wifi], routes: []).address, wifi)
        expectEqual(InterfaceAddress.all().first { $0.host == "127.0.0.1" }?.isOfLoopbackInterface, true)
    }

    @Test func `8 the choice of this machine is one of its addresses`() {
        let choice = NetworkChoice.current()
        #expect(InterfaceAddress.all().contains(choice.address))
        #expect(!choice.others.contains(choice.address))
    }
}
