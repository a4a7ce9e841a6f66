package import APIFolders
import CustomAPIs
import Transport

/// Reads the files of a custom API's folder, and none outside of it (own-API contract, sections 2 and 23).
package struct CustomAPIFolderReader {
    /// The bytes of a document with all that it refers to (own-API contract, section 22).
    private static let documentBytes = 16 * 1_024 * 1_024
    /// The folders whose files belong to an API.
    private static let folders = ["stubs", "tables", "scenarios", "recordings", "files"]
    private static let mostDepth = 32

    private let tree: FolderTree
    private var files: [String: CustomAPIFolder.File] = [:]
    /// The bytes of the files that stubs may send, as far as they are read.
    private var sentBytes = 0

    /// Reads the folder of an API.
    package static func read(_ path: String, name: String) -> CustomAPIFolder {
        var reader = CustomAPIFolderReader(tree: FolderTree(path))
        reader.readFolder([])
        for folder in folders { reader.readFolder([folder]) }
        let tree = reader.tree
        return CustomAPIFolder(name: name, place: path, files: Array(reader.files.values)) { name in
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
            guard files.count <= CustomAPILimits.files else { return }
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
                if CustomAPIFolder.isRead(path) || Self.folders.contains(path) { refuse(inner, reason) }
            }
        }
    }

    private mutating func read(_ components: [String], _ path: String, _ size: Int) {
        // A recording may be large, and is read entry by entry.
        guard CustomAPIFolder.isRead(path), !path.hasPrefix("recordings/") else { return add(components, .unread) }
        let isSent = path.hasPrefix("files/")
        let limit =
            isSent
            ? CustomAPILimits.sentFileBytes
            : CustomAPIFolder.documents.contains(path) ? Self.documentBytes : CustomAPILimits.fileBytes
        guard size <= limit else { return refuse(components, "has \(size) bytes; the limit is \(limit)") }
        if isSent {
            guard sentBytes + size <= CustomAPILimits.sentFilesBytes else {
                return refuse(
                    components,
                    "is beyond the \(CustomAPILimits.sentFilesBytes) bytes that all files have at most"
                )
            }
            sentBytes += size
        }
        guard let bytes = tree.contents(of: components, limit: limit) else {
            return refuse(components, "can't be read")
        }
        add(components, .bytes(bytes))
    }

    /// Opens a file that a document refers to, wherever it lies in its folder; nil if there is none.
    static func content(_ components: [String], in tree: FolderTree) -> CustomAPIFolder.File.Content? {
        switch tree.look(at: components) {
        case .missing, .folder: nil
        case .refused(let reason): .refused(reason)
        case .file(let size) where size > documentBytes: .refused("has \(size) bytes; the limit is \(documentBytes)")
        case .file: tree.contents(of: components, limit: documentBytes).map { .bytes($0) } ?? .refused("can't be read")
        }
    }

    private mutating func refuse(_ components: [String], _ reason: String) { add(components, .refused(reason)) }

    private mutating func add(_ components: [String], _ content: CustomAPIFolder.File.Content) {
        let name = components.joined(separator: "/")
        files[name] = CustomAPIFolder.File(name: name, place: tree.place(components), content: content)
    }
}
