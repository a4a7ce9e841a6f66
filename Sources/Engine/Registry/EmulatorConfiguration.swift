package import Backend
package import HTTPMessage
package import JSON

/// The configuration with which the emulator was started.
package struct EmulatorConfiguration: Sendable {
    package var seed: UInt64 = 42
    package var clock = WorldClock.Setting.real
    package var isWorldRequired = false
    /// The journal's limit in bytes, for each world.
    package var journalBytes = 64 * 1024 * 1024
    package var maximumWorlds = 10_000
    /// The maximum number of messages in a world's outbox; the oldest are dropped first.
    package var outboxMessages = Outbox.usualCapacity
    /// The limits of depth and number of values in request bodies.
    package var bounds = BodyBounds()
    /// The cross-origin setting that each world begins with.
    package var crossOrigin = CrossOrigin()
    /// The settings of the conduct report that each world begins with; nil for its defaults.
    package var conduct: JSON?
    /// The maximum number of faults in a world, and of gates.
    package var maximumFaults = 1_000
    package var maximumGates = 1_000
    /// Tells whether requests from other machines may ask for faults (`Prefer`, `__code`).
    package var allowsRemotePreferences = false
    /// The register of secrets that all worlds have issued.
    package var issued = IssuedSecrets()

    package init() {}
}
