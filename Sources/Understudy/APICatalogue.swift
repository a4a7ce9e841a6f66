import CarbScan
import CivilTime
package import Emulation
import OmniChat
import Sawaed
import Trafikskola
import Trendy

/// The APIs that this build emulates.
package enum APICatalogue {
    private struct Entry: Sendable {
        var identity: APIIdentity
        var load: @Sendable (SeedFiles) throws(SeedError) -> AnyAPI

        init<API: EmulatedAPI>(_ api: API.Type) {
            identity = api.identity
            load = { files throws(SeedError) in try AnyAPI(api, seed: files) }
        }
    }

    /// In the order of their ports.
    private static let entries = [
        Entry(SawaedAPI.self),
        Entry(CarbScanAPI.self),
        Entry(OmniChatAPI.self),
        Entry(TrafikskolaAPI.self),
        Entry(TrendyAPI.self),
    ]

    package static let names = entries.map(\.identity.name)

    /// How far an API's port lies from the hub's.
    package static func portOffset(of name: String) -> Int? {
        entries.first { $0.identity.name == name }?.identity.portOffset
    }

    /// Reads the seed of each named API.
    package static func load(_ names: [String], from seeds: SeedSource) throws(SeedError) -> [AnyAPI] {
        var apis: [AnyAPI] = []
        for name in names {
            guard let entry = entries.first(where: { $0.identity.name == name }) else { continue }
            apis.append(try entry.load(try seeds.files(api: name)))
        }
        return apis
    }
}
