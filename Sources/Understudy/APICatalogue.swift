package import Backend
import CarbScan
import Conduct
import ConductControl
package import ConductKit
package import Control
import OmniChat
import ProxyControl
import Sawaed
import Trafikskola
import Trendy
package import Worlds

/// The APIs that this build emulates.
package enum APICatalogue {
    /// A definition without the type of its state.
    private struct Entry: Sendable {
        let identity: APIIdentity
        let conduct: @Sendable () -> APIConduct
        let builtInSeed: @Sendable () -> SeedFiles
        let read: @Sendable (SeedFiles) throws(SeedError) -> AnyAPI
        let problems: @Sendable (SeedFiles) -> [SeedError.Item]

        init<State>(_ api: APIDefinition<State>, _ conduct: @escaping @autoclosure @Sendable () -> APIConduct) {
            identity = api.identity
            self.conduct = conduct
            builtInSeed = { SeedFiles.builtIn(of: api) }
            read = { files throws(SeedError) in try AnyAPI(api, seed: files) }
            problems = { SeedFiles.problems(in: $0, of: api) }
        }
    }

    /// In the order of their ports.
    private static let apis = [
        Entry(SawaedAPI.definition, SawaedAPI.conduct),
        Entry(CarbScanAPI.definition, CarbScanAPI.conduct),
        Entry(OmniChatAPI.definition, OmniChatAPI.conduct),
        Entry(TrafikskolaAPI.definition, TrafikskolaAPI.conduct),
        Entry(TrendyAPI.definition, TrendyAPI.conduct),
    ]

    package static let names = apis.map { $0.identity.name }

    /// The rules by which clients are judged: those that hold for every API, then those of each.
    package static let rules = RuleRegistry(generic: GenericRules.all, apis: apis.map { $0.conduct() })

    /// The control API with those rules.
    package static let control = Lazily {
        var additions = ControlAdditions.conduct(rules)
        additions.operations += ProxyOperations.all
        return ControlTable(adding: additions)
    }

    private static func api(_ name: String) -> Entry? { apis.first { $0.identity.name == name } }

    /// The distance of an API's port from the hub's.
    package static func portOffset(of name: String) -> Int? { api(name)?.identity.portOffset }

    /// The seed files of one API that come with the build; empty for an unknown name.
    package static func builtInSeed(of name: String) -> SeedFiles {
        api(name)?.builtInSeed() ?? SeedFiles([], isBuiltIn: true)
    }

    /// Reads the APIs but those of these names, with the seeds of the build.
    package static func builtInAPIs(except known: [String]) -> [AnyAPI] {
        (try? load(names.filter { !known.contains($0) }, from: .builtIn)) ?? []
    }

    /// Reads the seed of each named API; those of the build are read when they are first needed.
    package static func load(_ names: [String], from seeds: SeedSource) throws(SeedError) -> [AnyAPI] {
        var loaded: [AnyAPI] = []
        for name in names {
            guard let api = api(name) else { continue }
            loaded.append(try api.read(try seeds.files(api: name)))
        }
        return loaded
    }

    /// Reads the seeds of all named APIs and collects the problems of all of them.
    package static func check(_ names: [String], from seeds: SeedSource) -> Result<[AnyAPI], SeedError> {
        var loaded: [AnyAPI] = []
        var problems: [SeedError.Item] = []
        for api in apis where names.contains(api.identity.name) {
            do throws(SeedError) {
                let files = try seeds.files(api: api.identity.name)
                do throws(SeedError) {
                    loaded.append(try api.read(files))
                } catch {
                    let all = api.problems(files)
                    problems += all.isEmpty ? error.items : all
                }
            } catch {
                // A problem with the folder as a whole is found once for each API.
                problems += error.items.filter { !problems.contains($0) }
            }
        }
        return problems.isEmpty ? .success(loaded) : .failure(SeedError(problems))
    }

    /// All problems in one API's files.
    package static func problems(in files: SeedFiles, api name: String) -> [SeedError.Item] {
        api(name)?.problems(files) ?? []
    }
}
