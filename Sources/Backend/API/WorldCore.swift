package import CivilTime
import Crypto

/// The part of a world that all APIs share.
package struct WorldCore: Sendable {
    package let name: String
    package let seed: UInt64
    package var clock: WorldClock
    package var randomness: Randomness
    package var counters = Counters()
    /// The clock at the request or control call that is being handled.
    package var now: Instant
    package var outbox: Outbox
    /// The register in which every secret that is made here is noted.
    package var issued: IssuedSecrets

    package init(
        name: String,
        seed: UInt64,
        clock: WorldClock,
        now: Instant,
        outboxMessages: Int = Outbox.usualCapacity,
        issued: IssuedSecrets = IssuedSecrets()
    ) {
        self.issued = issued
        outbox = Outbox(capacity: outboxMessages)
        self.name = name
        self.seed = seed
        self.clock = clock
        self.now = now
        randomness = Randomness(seed: seed)
    }

    /// Returns the core under another name with everything else equal.
    package func renamed(_ name: String) -> WorldCore {
        var copy = WorldCore(name: name, seed: seed, clock: clock, now: now, issued: issued)
        copy.randomness = randomness
        copy.counters = counters
        copy.outbox = outbox
        return copy
    }

    /// Returns a secret of this world's seed for one purpose: 32 bytes, the same on every machine.
    package func secret(_ purpose: String) -> [UInt8] {
        HMACKey(secret: Array("understudy seed \(seed)".utf8)).authenticationCode(for: Array(purpose.utf8))
    }

    /// The issuer in every token of this world: a name that no production system has, and that leads back to the world.
    package var issuer: String { Self.issuerPrefix + name }

    package static let issuerPrefix = "https://understudy.invalid/@"

    /// Returns the world that an issuer names.
    package static func world(ofIssuer issuer: String) -> String? {
        issuer.hasPrefix(issuerPrefix) ? String(issuer.dropFirst(issuerPrefix.count)) : nil
    }
}
