import CivilTime
import Control
import Handshakes

/// A fake of the ports' TLS, with a book of faults of its own.
final class FakeTLS: TLSHost {
    var mode = TLSMode.on
    var authority: TLSAuthority? = TLSAuthority(
        subject: "CN=Understudy CA me@here (01234567), O=Understudy",
        fingerprint: String(repeating: "0a", count: 32),
        notBefore: Harness.noon,
        notAfter: Harness.noon + .days(3_650),
        permitted: ["localhost", "127.0.0.0/8"],
        folder: "/home/me/ca",
        pem: Array("PEM".utf8),
        der: [0x30, 0x00],
        profile: Array("<plist/>".utf8)
    )
    var handshakes = HandshakeLog.Counts(completed: 3, resumed: 2, failed: 1)
    var failures: [HandshakeFailure] = []
    var book = ConnectionFaultRegistry(seed: 1)

    func clearFailures() { failures = [] }
    var connectionFaults: [ConnectionFaultRegistry.Entry] { book.entries }

    func add(_ fault: ConnectionFault, limit: Int) -> ConnectionFaultRegistry.Entry? {
        book.add(fault, capacity: limit)
    }

    func removeFault(_ id: String) -> Bool { book.remove(id) != nil }

    func numericAddress(_ text: String) -> String? {
        ["127.0.0.1", "::1"].contains(text) ? text : text == "0:0:0:0:0:0:0:1" ? "::1" : nil
    }
}
