import APIFolders
import Backend
import CivilTime
import CustomAPIs
import Proxying
import Transport
import Worlds

/// Checks the folders of custom APIs twice a second, and reads one again when its files were saved (own-API contract,
/// section 21).
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
        /// The state that goes on from the API that was served before.
        var succession: Succession?
    }

    /// The folders as they were last seen.
    private struct Seen: Sendable, Equatable {
        var folders: [String: FolderSnapshot] = [:]
        /// The APIs that the folders declare.
        var names: [String] = []
    }

    /// An API that is served.
    private struct Served: Sendable {
        var place: CustomAPIPlace
        /// The place in the list of all APIs.
        var index: Int
        /// The API as it was read last.
        var api: AnyAPI
        var port: Int?
        /// The reasons of the last refusal, which are told once.
        var refused: [String] = []
    }

    /// The finding of a look: nothing, a change that may go on, or one that is over.
    private enum Look: Sendable {
        case same(Seen)
        case changing(Seen, unchanged: [String])
        case changed(Seen, [Reading], restarts: [String])
    }

    private static let pause = Interval.milliseconds(500)
    /// The pause in which nothing may change for a change to be over: a file is written in pieces, or removed and made anew.
    private static let rest = Interval.milliseconds(100)
    /// Looks after which a change is taken though it goes on.
    private static let mostLooks = 20

    private let roots: [String]?
    private let places: [CustomAPIPlace]
    private var served: [Served] = []
    private var last: Seen
    /// The state of a change that may go on, and how often it was looked at.
    private var changing: (seen: Seen, looks: Int)?
    /// The names of recordings that this process wrote when it last looked.
    private var recorded: Set<String> = []
    weak var server: Server?
    var pool: WorkerPool?
    var changed: (Reading) -> Void = { _ in }
    var needsRestart: ([String]) -> Void = { _ in }
    /// Returns the names of the recordings that this process writes.
    var recordings: () -> Set<String> = { [] }

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
            served.append(Served(place: place, index: index, api: api, port: own.port))
        }
        if !served.isEmpty { schedule(after: Self.pause) }
    }

    private func schedule(after pause: Interval) {
        server?.schedule(after: pause) { [weak self] in self?.look() }
    }

    private func look() {
        let now = recordings()
        // The end of a recording may be written after it.
        let own = now.union(recorded)
        recorded = now
        let (served, roots, last) = (served, roots, last)
        let former = changing.flatMap { $0.looks < Self.mostLooks ? $0.seen : nil }
        let mayGoOn = changing == nil || former != nil
        let isTaken =
            pool?.submit {
                Self.look(at: served, in: roots, last, former, mayGoOn: mayGoOn, recorded: own)
            } then: { [weak self] look in
                self?.take(look)
            } ?? false
        if !isTaken { schedule(after: Self.pause) }
    }

    private static func see(_ places: [CustomAPIPlace], in roots: [String]?) -> Seen {
        var seen = Seen()
        for place in places {
            guard let folder = place.folder else { continue }
            seen.folders[place.name] = FolderSnapshot(of: folder)
        }
        // A name that is refused is no API yet.
        seen.names = (try? CustomAPICatalogue(in: roots))?.names ?? []
        return seen
    }

    private static func look(
        at served: [Served],
        in roots: [String]?,
        _ last: Seen,
        _ former: Seen?,
        mayGoOn: Bool,
        recorded: Set<String>
    ) -> Look {
        var now = see(served.map(\.place), in: roots)
        let changed = served.filter { now.folders[$0.place.name] != last.folders[$0.place.name] }
            .filter { item in
                let name = item.place.name
                guard let one = now.folders[name], let other = last.folders[name] else { return true }
                return !one.isSame(as: other, besides: recorded)
            }
        let unchanged = served.filter { item in !changed.contains { $0.index == item.index } }
        for item in unchanged {
            now.folders[item.place.name]?.keepDigests(of: last.folders[item.place.name])
            now.folders[item.place.name]?.readDigests(of: item.place)
        }
        if changed.isEmpty, now.names == last.names { return .same(now) }
        guard !mayGoOn || now == former else { return .changing(now, unchanged: unchanged.map(\.place.name)) }
        var readings: [Reading] = []
        var restarts: [String] = []
        for name in now.names where !last.names.contains(name) { restarts.append("the folder of \(name) was added") }
        for name in last.names where !now.names.contains(name) { restarts.append("the folder of \(name) was removed") }
        for item in changed {
            let name = item.place.name
            guard now.names.contains(name), let folder = item.place.folder, let seen = now.folders[name] else {
                continue
            }
            let content = CustomAPIFolderReader.read(folder, name: name)
            now.folders[name]?.keepDigests(of: content)
            // Files that were written during the reading are read again.
            guard FolderSnapshot(of: folder) == seen else {
                now.folders[name] = last.folders[name]
                continue
            }
            if let former = last.folders[name], now.folders[name]?.hasContent(of: former, besides: recorded) == true {
                continue
            }
            let reading = read(content, item, files: seen.fileCount)
            if case .success(let loaded) = reading.outcome, loaded.api.customAPIDefinition?.port != item.port {
                restarts.append("\(name) has another port")
            }
            readings.append(reading)
        }
        return .changed(now, readings, restarts: restarts)
    }

    private static func read(_ content: CustomAPIFolder, _ served: Served, files: Int) -> Reading {
        let name = served.place.name
        let read = CustomAPIReader.read(content)
        guard read.errors.isEmpty, let definition = read.definition else {
            return Reading(name: name, index: served.index, outcome: .failure(SeedError(read.errors)), files: files)
        }
        do throws(RecordingError) {
            let recordings = try CustomAPIRecordings(content, definition).prepared(api: served.index)
            let api = AnyAPI(definition, portOffset: served.api.identity.portOffset)
            let loaded = Loaded(api: api, recordings: recordings, succession: Succession(of: served.api, api))
            return Reading(name: name, index: served.index, outcome: .success(loaded), files: files)
        } catch {
            let item = error.item ?? SeedError.Item(place: content.place, line: 1, path: "$", reason: error.text)
            return Reading(name: name, index: served.index, outcome: .failure(SeedError([item])), files: files)
        }
    }

    private func take(_ look: Look) {
        switch look {
        case .same(let seen):
            (last, changing) = (seen, nil)
        case .changing(let seen, let unchanged):
            // They may have a recording of ours that is longer.
            for name in unchanged { last.folders[name] = seen.folders[name] }
            changing = (seen, (changing?.looks ?? 0) + 1)
            return schedule(after: Self.rest)
        case .changed(let seen, let readings, let restarts):
            (last, changing) = (seen, nil)
            for reading in readings { take(reading) }
            if !restarts.isEmpty { needsRestart(restarts) }
        }
        schedule(after: Self.pause)
    }

    private func take(_ reading: Reading) {
        guard let place = served.firstIndex(where: { $0.place.name == reading.name }) else { return }
        switch reading.outcome {
        case .success(let loaded):
            served[place].refused = []
            served[place].api = loaded.api
            served[place].port = loaded.api.customAPIDefinition?.port
        case .failure(let error):
            let reasons = error.items.map(\.text)
            // A file that is saved again with the same mistake says nothing new.
            guard served[place].refused != reasons else { return }
            served[place].refused = reasons
        }
        changed(reading)
    }
}
