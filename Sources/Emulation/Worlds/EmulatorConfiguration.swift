package import HTTPMessage

/// What the emulator was started with.
package struct EmulatorConfiguration: Sendable {
    package var seed: UInt64 = 42
    package var clock = WorldClock.Setting.real
    package var isWorldRequired = false
    /// The journal's bound in bytes, for each world.
    package var journalBytes = 64 * 1024 * 1024
    package var maximumWorlds = 10_000
    /// The most messages in a world's outbox; the oldest go first.
    package var outboxMessages = Outbox.usualCapacity
    /// How deep and of how many parts the bodies of requests may be.
    package var bounds = BodyBounds()
    /// What each world begins with.
    package var crossOrigin = CrossOrigin()
    /// Faults in a world, and gates.
    package var maximumFaults = 1_000
    package var maximumGates = 1_000
    /// Whether requests of other machines may ask for faults of their own (`Prefer`, `__code`).
    package var allowsRemotePreferences = false
    /// What all worlds together have issued.
    package var issued = IssuedSecrets()

    package init() {}
}
