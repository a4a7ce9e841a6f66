package import Emulation
package import Transport

/// The configuration of a running emulator: checked, with every default filled in.
package struct Configuration: Sendable {
    package enum LogFormat: String, Sendable, CaseIterable { case text, json }
    package enum LogLevel: Sendable { case quiet, normal, verbose }

    /// The numeric addresses to listen on; the first must be free, the others may be missing on this machine.
    package var hosts = ["127.0.0.1", "::1"]
    /// The hub's port; 0 takes any.
    package var port = 4680
    /// Ports of single APIs where they are not the hub's plus their offset.
    package var apiPorts: [String: Int] = [:]
    /// The APIs that are served, in the order of their ports.
    package var apis: [String] = APICatalogue.names
    package var seeds = SeedSource.builtIn
    /// The folder that is watched for changes while the emulator runs; nil to watch none.
    package var watchedSeeds: String?
    package var emulator = EmulatorConfiguration()
    package var scenarios: [String] = []
    /// The fault file that `main` starts with.
    package var faults: FaultSource?
    /// The name of the latency profile that `main` starts with.
    package var latency: LatencyProfile?
    package var limits = Limits()
    package var adminToken: String?
    /// Tells whether the token was generated, so that the user has to be shown it.
    package var isAdminTokenMade = false
    /// Host names under which control calls are answered beside the loopback ones.
    package var controlHosts: [String] = []
    /// Tells whether the server listens on every address of the machine.
    package var listensEverywhere: Bool { hosts.contains { $0 == "0.0.0.0" || $0 == "::" } }
    /// The prepared mode of the commands `record` and `replay`.
    package var mode: ModePreparation?
    /// A file of more authorities that real backends are verified with (PEM).
    package var upstreamAuthorities: String?
    package var upstreamLimits = UpstreamLimits()
    /// Called on a worker for each entry that was recorded.
    package var onRecorded: (@Sendable (RecordingProgress) -> Void)?
    /// The folder in which worlds are stored; nil to store none.
    package var stateFolder: String?
    package var logFormat = LogFormat.text
    package var logLevel = LogLevel.normal

    /// A file that was read: its path, for errors, and its content.
    package struct FaultSource: Sendable {
        package var place: String
        package var bytes: [UInt8]

        package init(place: String, bytes: [UInt8]) {
            self.place = place
            self.bytes = bytes
        }
    }

    package init() {}

    /// The port that an API listens on; 0 for any.
    package func port(of api: AnyAPI) -> Int {
        if let own = apiPorts[api.identity.name] { return own }
        return port == 0 ? 0 : port + api.identity.portOffset
    }
}
