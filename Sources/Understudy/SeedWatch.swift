import Backend
import CivilTime
import Transport
import Worlds

/// Checks a folder of seeds twice a second, and reads it again when it has changed (control contract, section 6).
///
/// Belongs to the loop's thread; checks and reads happen on a worker.
final class SeedWatch {
    /// The result of reading the folder after a change.
    struct Reading: Sendable {
        var apis: Result<[AnyAPI], SeedError>
        /// The number of files in the folder.
        var files: Int
    }

    private struct Look: Sendable {
        var signature: FolderSignature
        var reading: Reading?
    }

    private static let pause = Interval.milliseconds(500)
    /// `<api>/scenarios/<group>/<name>.json`.
    private static let depth = 3

    private let folder: String
    private let names: [String]
    private var last: FolderSignature
    weak var server: Server?
    var pool: WorkerPool?
    var changed: (Reading) -> Void = { _ in }

    /// Takes the current state of the folder as known.
    init(_ folder: String, apis names: [String]) {
        self.folder = folder
        self.names = names
        last = FolderSignature(of: folder, depth: Self.depth)
    }

    /// Schedules the next check.
    func begin() {
        server?.schedule(after: Self.pause) { [weak self] in self?.look() }
    }

    private func look() {
        let (folder, names, last) = (folder, names, last)
        let isTaken =
            pool?.submit {
                Self.look(at: folder, names, last)
            } then: { [weak self] look in
                self?.take(look)
            } ?? false
        if !isTaken { begin() }
    }

    private static func look(at folder: String, _ names: [String], _ last: FolderSignature) -> Look {
        let before = FolderSignature(of: folder, depth: depth)
        guard before != last else { return Look(signature: last) }
        let apis = APICatalogue.check(names, from: .folder(folder))
        // Files that were written during the reading are read again.
        guard FolderSignature(of: folder, depth: depth) == before else { return Look(signature: last) }
        return Look(signature: before, reading: Reading(apis: apis, files: before.fileCount))
    }

    private func take(_ look: Look) {
        last = look.signature
        if let reading = look.reading { changed(reading) }
        begin()
    }
}
