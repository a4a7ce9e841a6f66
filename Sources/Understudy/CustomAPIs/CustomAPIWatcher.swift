import Backend
import CivilTime
import CustomAPIs
import Proxying
import Transport
import Worlds

/// Checks the folders of custom APIs twice a second, and reads one again when it has changed (own-API contract, section
/// 21).
///
/// Belongs to the loop's thread; checks and reads happen on a worker.
final class CustomAPIWatcher {
    /// The result of reading a folder after a change.
    struct Reading: Sendable {
        var name: String
        /// The place of the API in the list of all.
        var index: Int
        /// The API with its recordings, or all that is wrong with its files.
        var outcome: Result<Loaded, SeedError>
        var files: Int
    }

    /// An API that was read.
    struct Loaded: Sendable {
        var api: AnyAPI
        var recordings: ModePreparation?
    }

    /// The folders as they were last seen.
    private struct Seen: Sendable {
        var signatures: [String: FolderSignature] = [:]
        /// The APIs that the folders declare.
        var names: [String] = []
    }

    /// An API that is served.
    private struct Served: Sendable {
        var place: CustomAPIPlace
        /// The place in the list of all APIs.
        var index: Int
        var portOffset: Int
        var port: Int?
    }

    private struct Look: Sendable {
        var seen: Seen
        var readings: [Reading] = []
        var restarts: [String] = []
    }

    private static let pause = Interval.milliseconds(500)
    /// Deeper than the folders that are read.
    private static let depth = 33

    private let roots: [String]?
    private let places: [CustomAPIPlace]
    private var served: [Served] = []
    private var last: Seen
    weak var server: Server?
    var pool: WorkerPool?
    var changed: (Reading) -> Void = { _ in }
    var needsRestart: ([String]) -> Void = { _ in }

    /// Takes the current state of the folders as known.
    ///
    /// - Parameters:
    ///   - places: The APIs that are served.
    ///   - roots: The folders that hold them; nil for the usual one.
    init(_ places: [CustomAPIPlace], in roots: [String]?) {
        self.places = places
        self.roots = roots
        last = Self.see(places, in: roots)
    }

    /// Schedules the next check of APIs that have been read.
    func begin(_ apis: [AnyAPI]) {
        for (index, api) in apis.enumerated() {
            guard let own = api.customAPIDefinition, let place = places.first(where: { $0.name == api.identity.name }),
                place.folder != nil
            else { continue }
            let offset = api.identity.portOffset
            served.append(Served(place: place, index: index, portOffset: offset, port: own.port))
        }
        schedule()
    }

    private func schedule() {
        server?.schedule(after: Self.pause) { [weak self] in self?.look() }
    }

    private func look() {
        let (served, roots, last) = (served, roots, last)
        let isTaken =
            pool?.submit {
                Self.look(at: served, in: roots, last)
            } then: { [weak self] look in
                self?.take(look)
            } ?? false
        if !isTaken { schedule() }
    }

    private static func see(_ places: [CustomAPIPlace], in roots: [String]?) -> Seen {
        var seen = Seen()
        for place in places {
            guard let folder = place.folder else { continue }
            seen.signatures[place.name] = FolderSignature(of: folder, depth: depth)
        }
        // A name that is refused is no API yet.
        seen.names = (try? CustomAPICatalogue(in: roots))?.names ?? []
        return seen
    }

    private static func look(at served: [Served], in roots: [String]?, _ last: Seen) -> Look {
        let places = served.map(\.place)
        let before = see(places, in: roots)
        var look = Look(seen: before)
        for name in before.names where !last.names.contains(name) {
            look.restarts.append("the folder of \(name) was added")
        }
        for name in last.names where !before.names.contains(name) {
            look.restarts.append("the folder of \(name) was removed")
        }
        for item in served {
            let name = item.place.name
            guard before.names.contains(name), let folder = item.place.folder,
                before.signatures[name] != last.signatures[name]
            else { continue }
            let reading = Self.read(folder, item, files: before.signatures[name]?.fileCount ?? 0)
            // Files that were written during the reading are read again.
            guard FolderSignature(of: folder, depth: depth) == before.signatures[name] else {
                look.seen.signatures[name] = last.signatures[name]
                continue
            }
            if case .success(let loaded) = reading.outcome, loaded.api.customAPIDefinition?.port != item.port {
                look.restarts.append("\(name) has another port")
            }
            look.readings.append(reading)
        }
        return look
    }

    private static func read(_ folder: String, _ served: Served, files: Int) -> Reading {
        let name = served.place.name
        let content = CustomAPIFolderReader.read(folder, name: name)
        let read = CustomAPIReader.read(content)
        guard read.errors.isEmpty, let definition = read.definition else {
            return Reading(name: name, index: served.index, outcome: .failure(SeedError(read.errors)), files: files)
        }
        do throws(RecordingError) {
            let recordings = try CustomAPIRecordings(content, definition.recordings).prepared(api: served.index)
            let api = AnyAPI(definition, portOffset: served.portOffset)
            return Reading(
                name: name,
                index: served.index,
                outcome: .success(Loaded(api: api, recordings: recordings)),
                files: files
            )
        } catch {
            let item = error.item ?? SeedError.Item(place: folder, line: 1, path: "$", reason: error.text)
            return Reading(name: name, index: served.index, outcome: .failure(SeedError([item])), files: files)
        }
    }

    private func take(_ look: Look) {
        last = look.seen
        for reading in look.readings {
            changed(reading)
            guard case .success(let loaded) = reading.outcome,
                let place = served.firstIndex(where: { $0.place.name == reading.name })
            else { continue }
            served[place].port = loaded.api.customAPIDefinition?.port
        }
        if !look.restarts.isEmpty { needsRestart(look.restarts) }
        schedule()
    }
}
