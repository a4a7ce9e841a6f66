import CivilTime
import Testing

@testable import Transport

/// Transport contract, section 8: the limits of a peer that is not this machine.
@Suite struct StrangerTests {
    private let now = Instant.epoch + .seconds(1_000)

    @Test func `8 a stranger has 256 connections and the next is refused, and a closed one makes room`() {
        let guarded = Guarded(StrangerGuard(StrangerLimits(), own: ["192.168.1.23"]))
        for _ in 0..<256 { #expect(guarded.opens("192.168.1.40")) }
        #expect(!guarded.opens("192.168.1.40"))
        #expect(guarded.opens("192.168.1.41"))
        guarded.closed("192.168.1.40", at: now)
        #expect(guarded.opens("192.168.1.40"))
        #expect(!guarded.opens("192.168.1.40"))
    }

    @Test func `8 a stranger begins 64 handshakes in a second and the next is refused`() {
        let guarded = Guarded(StrangerGuard(StrangerLimits(), own: []))
        for _ in 0..<64 { #expect(guarded.shakes("192.168.1.40", at: now)) }
        #expect(!guarded.shakes("192.168.1.40", at: now + .milliseconds(999)))
        #expect(guarded.shakes("192.168.1.41", at: now))
        #expect(guarded.shakes("192.168.1.40", at: now + .seconds(1)))
    }

    @Test(arguments: ["127.0.0.1", "127.8.8.8", "::1", "192.168.1.23", ""])
    func `8 this machine has no limit of its own`(host: String) {
        let guarded = Guarded(StrangerGuard(StrangerLimits(connections: 1, handshakes: 1), own: ["192.168.1.23"]))
        for _ in 0..<3 {
            #expect(guarded.opens(host))
            #expect(guarded.shakes(host, at: now))
        }
    }

    @Test func `8 many strangers are forgotten when they have gone`() {
        let guarded = Guarded(StrangerGuard(StrangerLimits(connections: 1, handshakes: 1), own: []))
        for number in 0..<5_000 {
            let host = "10.0.\(number / 250).\(number % 250)"
            #expect(guarded.opens(host))
            guarded.closed(host, at: now)
        }
        #expect(guarded.opens("10.0.0.1"))
        #expect(!guarded.opens("10.0.0.1"))
    }

    /// Holds the guard, since an expectation takes no mutating call.
    private final class Guarded {
        private var value: StrangerGuard

        init(_ value: StrangerGuard) {
            self.value = value
        }

        func opens(_ host: String) -> Bool { value.opens(host) }
        func closed(_ host: String, at now: Instant) { value.closed(host, at: now) }
        func shakes(_ host: String, at now: Instant) -> Bool { value.shakes(host, at: now) }
    }
}
