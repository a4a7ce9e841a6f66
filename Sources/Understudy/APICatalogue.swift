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
        var problems: @Sendable (SeedFiles) -> [SeedError.Item]

        init<API: EmulatedAPI>(_ api: API.Type) {
            identity = api.identity
            load = { files throws(SeedError) in try AnyAPI(api, seed: files) }
            problems = { SeedFiles.problems(in: $0, of: api) }
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

    /// Reads the seed of each named API; those of the build are read when they are first needed.
    package static func load(_ names: [String], from seeds: SeedSource) throws(SeedError) -> [AnyAPI] {
        var apis: [AnyAPI] = []
        for name in names {
            guard let entry = entries.first(where: { $0.identity.name == name }) else { continue }
            apis.append(try entry.load(try seeds.files(api: name)))
        }
        return apis
    }

    /// Reads the seeds of all named APIs; every problem of every one is told at once.
    package static func check(_ names: [String], from seeds: SeedSource) -> Result<[AnyAPI], SeedError> {
        var apis: [AnyAPI] = []
        var problems: [SeedError.Item] = []
        for entry in entries where names.contains(entry.identity.name) {
            do throws(SeedError) {
                let files = try seeds.files(api: entry.identity.name)
                do throws(SeedError) {
                    apis.append(try entry.load(files))
                } catch {
                    let all = entry.problems(files)
                    problems += all.isEmpty ? error.items : all
                }
            } catch {
                // What is wrong with the folder as a whole is found for each API.
                problems += error.items.filter { !problems.contains($0) }
            }
        }
        return problems.isEmpty ? .success(apis) : .failure(SeedError(problems))
    }

    /// Everything that is wrong with one API's files.
    package static func problems(in files: SeedFiles, api: String) -> [SeedError.Item] {
        entries.first { $0.identity.name == api }?.problems(files) ?? []
    }
}
