import Backend
package import Conditions
package import Control
import CustomAPIs
package import Engine
package import ForwardProxy
package import Proxying
package import Serving
package import Transport
package import Worlds

/// The configuration of a running emulator: checked, with every default filled in.
package struct Configuration: Sendable {
    /// The numeric addresses to listen on; the first must be free, the others may be missing on this machine.
    package var hosts = ["127.0.0.1", "::1"]
    /// The hub's port; 0 takes any.
    package var port = 4680
    /// Ports of single APIs where they are not the hub's plus their offset.
    package var apiPorts: [String: Int] = [:]
    /// The built-in APIs that are served, in the order of their ports.
    package var apis: [String] = APICatalogue.names
    /// The custom APIs that are served, in the order of their names.
    package var customAPIs: [CustomAPIPlace] = []
    package var seeds = SeedSource.builtIn
    /// The folders that hold custom APIs; nil for the usual one.
    package var customAPIFolders: [String]?
    /// Tells whether the folders of custom APIs are watched for changes while the emulator runs.
    package var watchesCustomAPIs = false
    /// The folder that is watched for changes while the emulator runs; nil to watch none.
    package var watchedSeeds: String?
    package var emulator = EmulatorConfiguration()
    package var scenarios: [String] = []
    /// The fault file that `main` starts with.
    package var faults: FaultSource?
    /// The name of the latency profile that `main` starts with.
    package var latency: LatencyProfile?
    package var limits = Limits()
    /// The way in which the ports speak TLS.
    package var tls = SecurePorts()
    /// Device mode; nil without it.
    package var localNetwork: LocalNetwork?
    /// The forward proxy; nil without it.
    package var forwardProxy: ForwardProxySettings?
    /// The proxies that connections to backends and other hosts go through.
    package var companyProxies = CompanyProxies()
    /// Tells that the authority lives in a folder of its own, which goes with the process.
    package var keepsAuthorityApart = false
    /// The link into an app that the device page shows, with `{base}` in place of an API's address.
    package var deviceLink: String?
    package var adminToken: String?
    /// Tells whether the token was generated, so that the user has to be shown it.
    package var isAdminTokenMade = false
    /// Numeric hosts under which control calls are answered beside the loopback ones.
    package var controlHosts: [String] = []
    /// Host names under which they are answered too.
    package var allowedHosts: [AllowedHost] = []
    /// Tells whether the server listens on every address of the machine.
    package var listensEverywhere: Bool { hosts.contains { $0 == "0.0.0.0" || $0 == "::" } }
    /// The prepared mode of the commands `record` and `replay`.
    package var mode: ModePreparation?
    /// The modes of further APIs that `record --proxy` records.
    package var furtherModes: [ModePreparation] = []
    /// A file of more authorities that real backends are verified with (PEM).
    package var upstreamAuthorities: String?
    package var upstreamLimits = UpstreamLimits()
    /// Called on a worker for each entry that was recorded.
    package var onRecorded: (@Sendable (RecordingProgress) -> Void)?
    /// The folder in which worlds are stored; nil to store none.
    package var stateFolder: String?
    /// The file that has the ready line while the emulator is ready; nil for none.
    package var readyFile: String?
    package var logFormat = AccessLog.Format.text
    package var logLevel = AccessLog.Level.normal
    package var logIsColored = false

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

    /// The limits of the event loop, with those of strangers where phones are let in.
    var serverLimits: ServerLimits {
        var server = limits.server
        if localNetwork != nil { server.stranger = limits.stranger }
        return server
    }

    /// The port that an API listens on; 0 for any.
    package func port(of api: AnyAPI) -> Int {
        if let own = apiPorts[api.identity.name] { return own }
        return usualPort(of: api)
    }

    private func usualPort(of api: AnyAPI) -> Int {
        guard port > 0 else { return 0 }
        return api.customAPIDefinition?.port ?? port + api.identity.portOffset
    }

    /// The ports of all built-in APIs and of the custom ones that are served, where no flag says another; a custom API
    /// whose folder has a mistake is left out.
    package var usualPorts: [String: Int] {
        var ports: [String: Int] = [:]
        for name in APICatalogue.names {
            if let offset = APICatalogue.portOffset(of: name) { ports[name] = port == 0 ? 0 : port + offset }
        }
        let own = (try? CustomAPILoad(customAPIs, ports: Set(apiPorts.keys)).apis) ?? []
        for api in own { ports[api.identity.name] = usualPort(of: api) }
        return ports
    }
}
