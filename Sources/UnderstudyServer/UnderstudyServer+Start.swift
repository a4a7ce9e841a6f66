import Backend
import CivilTime
import CustomAPIs
import Engine
import Foundation
import Serving
import Transport
import Understudy
public import UnderstudyClient

/// Emulators inside the test's own process.
extension UnderstudyServer {
    /// Starts an emulator inside this process, on free ports of the loopback address.
    ///
    /// It stops when the last reference to it is released. `apis` are the backends to serve, all if empty; `seed` seeds every
    /// random choice; `seedFolder` is a folder of seed worlds that replaces the built-in ones; `apiFolders` are the
    /// folders that hold your own APIs, nil for `./apis` if there is one. Throws if the emulator can't start.
    ///
    ///     let own = try UnderstudyServer.start([.omnichat, .trendy], seed: 7)
    ///     let world = try await own.world()
    public static func start(
        _ apis: [API] = [],
        seed: UInt64 = 42,
        seedFolder: String? = nil,
        apiFolders: [String]? = nil
    ) throws -> UnderstudyServer {
        var configuration = Configuration()
        configuration.port = 0
        configuration.hosts = ["127.0.0.1"]
        configuration.logLevel = .quiet
        configuration.emulator.seed = seed
        let names = Set(apis.map(\.rawValue))
        let own = try customAPIs(in: apiFolders)
        if let unknown = apis.first(where: { !(APICatalogue.names + own.names).contains($0.rawValue) }) {
            throw ControlError.unreachable("there is no API \(unknown)")
        }
        if !apis.isEmpty { configuration.apis = APICatalogue.names.filter(names.contains) }
        configuration.customAPIs = own.places.filter { apis.isEmpty || names.contains($0.name) }
        configuration.watchesCustomAPIs = !configuration.customAPIs.isEmpty
        if let seedFolder { configuration.seeds = .folder(seedFolder) }
        let emulator = try InProcessEmulator(configuration)
        guard let hub = URL(string: emulator.hub) else { throw ControlError.unreachable("no URL: \(emulator.hub)") }
        return UnderstudyServer(hub: hub, adminToken: nil, owner: emulator)
    }

    private static func customAPIs(in folders: [String]?) throws(ControlError) -> CustomAPICatalogue {
        do throws(SeedError) {
            return try CustomAPICatalogue(in: folders)
        } catch {
            throw .unreachable(error.items.map(\.text).joined(separator: "\n"))
        }
    }
}
