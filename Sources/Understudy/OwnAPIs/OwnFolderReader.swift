package import OwnAPIs
import Transport

/// Reads the files of an own API's folder, and none outside of it (own-API contract, sections 2 and 23).
package struct OwnFolderReader {
    /// The bytes of a document with all that it refers to (own-API contract, section 22).
    private static let documentBytes = 16 * 1_024 * 1_024
    /// The folders whose files belong to an API.
    private static let folders = ["stubs", "tables", "scenarios", "recordings", "files"]
    private static let mostDepth = 32

    private let tree: FolderTree
    private var files: [String: OwnFolder.File] = [:]

    /// Reads the folder of an API.
    package static func read(_ path: String, name: String) -> OwnFolder {
        var reader = OwnFolderReader(tree: FolderTree(path))
        reader.readFolder([])
        for folder in folders { reader.readFolder([folder]) }
        let tree = reader.tree
        return OwnFolder(name: name, place: path, files: Array(reader.files.values)) { name in
            content(name.split(separator: "/").map(String.init), in: tree)
        }
    }

    private init(tree: FolderTree) { self.tree = tree }

    private mutating func readFolder(_ components: [String]) {
        switch tree.look(at: components) {
        case .folder: break
        case .missing: return
        case .file: return refuse(components, "is a file, not a folder")
        case .refused(let reason): return refuse(components, reason)
        }
        guard let names = tree.names(in: components) else { return refuse(components, "can't be read") }
        for name in names where !name.hasPrefix(".") {
            // One more than the limit, so that the reader can tell.
            guard files.count <= OwnLimits.files else { return }
            let inner = components + [name]
            let path = inner.joined(separator: "/")
            switch tree.look(at: inner) {
            case .missing: break
            case .folder:
                guard components.first == "files" else { continue }
                guard inner.count <= Self.mostDepth else {
                    refuse(inner, "is nested too deeply")
                    continue
                }
                readFolder(inner)
            case .file(let size): read(inner, path, size)
            case .refused(let reason):
                if OwnFolder.isRead(path) || Self.folders.contains(path) { refuse(inner, reason) }
            }
        }
    }

    private mutating func read(_ components: [String], _ path: String, _ size: Int) {
        // A recording may be large, and is read entry by entry.
        guard OwnFolder.isRead(path), !path.hasPrefix("recordings/") else { return add(components, .unread) }
        let limit = OwnFolder.documents.contains(path) ? Self.documentBytes : OwnLimits.fileBytes
        guard size <= limit else { return refuse(components, "has \(size) bytes; the limit is \(limit)") }
        guard let bytes = tree.contents(of: components, limit: limit) else {
            return refuse(components, "can't be read")
        }
        add(components, .bytes(bytes))
    }

    /// Opens a file that a document refers to, wherever it lies in its folder; nil if there is none.
    static func content(_ components: [String], in tree: FolderTree) -> OwnFolder.File.Content? {
        switch tree.look(at: components) {
        case .missing, .folder: nil
        case .refused(let reason): .refused(reason)
        case .file(let size) where size > documentBytes: .refused("has \(size) bytes; the limit is \(documentBytes)")
        case .file: tree.contents(of: components, limit: documentBytes).map { .bytes($0) } ?? .refused("can't be read")
        }
    }

    private mutating func refuse(_ components: [String], _ reason: String) { add(components, .refused(reason)) }

    private mutating func add(_ components: [String], _ content: OwnFolder.File.Content) {
        let name = components.joined(separator: "/")
        files[name] = OwnFolder.File(name: name, place: tree.place(components), content: content)
    }
}
