import APIFolders
import Crypto
import CustomAPIs
import Transport

/// The folder of a custom API as it was looked at, which tells whether more has changed than times of files.
struct FolderSnapshot: Sendable, Equatable {
    /// Deeper than the folders that are read.
    private static let depth = 33

    /// All files that may count.
    private let signature: FolderSignature
    /// The digests of the files that are read whole; nil as long as they are not known.
    private var digests: [String: [UInt8]]?

    static func == (one: FolderSnapshot, other: FolderSnapshot) -> Bool { one.signature == other.signature }

    /// Looks at names, sizes and times of the files.
    init(of folder: String) {
        signature = FolderSignature(of: folder, depth: Self.depth, skips: Self.isLeftover)
    }

    var fileCount: Int { signature.fileCount }

    /// Tells whether nothing else has changed than recordings that this process writes, by their names.
    func isSame(as other: FolderSnapshot, besides recorded: Set<String>) -> Bool {
        signature.restricted { !Self.isRecorded($0, recorded) }
            == other.signature.restricted { !Self.isRecorded($0, recorded) }
    }

    /// Tells whether the content is that of another look: files were saved as they were, or only their times have changed.
    func hasContent(of other: FolderSnapshot, besides recorded: Set<String>) -> Bool {
        guard let digests, digests == other.digests else { return false }
        // Recordings, and files that a document may refer to, go by their times.
        func isCompared(_ path: String) -> Bool { digests[path] == nil && !Self.isRecorded(path, recorded) }
        return signature.restricted(to: isCompared) == other.signature.restricted(to: isCompared)
    }

    // MARK: Digests

    mutating func keepDigests(of folder: CustomAPIFolder) {
        var found: [String: [UInt8]] = [:]
        for file in folder.files {
            if case .bytes(let bytes) = file.content { found[file.name] = SHA256.digest(bytes) }
        }
        digests = found
    }

    mutating func keepDigests(of other: FolderSnapshot?) { digests = other?.digests }

    /// Reads the files once, if that was not done yet.
    mutating func readDigests(of place: CustomAPIPlace) {
        guard digests == nil, let folder = place.folder else { return }
        let content = CustomAPIFolderReader.read(folder, name: place.name)
        if FolderSnapshot(of: folder) == self { keepDigests(of: content) }
    }

    // MARK: Names

    /// Tells whether a path is that of a recording which this process writes, of one that it has moved away, or of the folder
    /// that it makes for them.
    private static func isRecorded(_ path: String, _ recorded: Set<String>) -> Bool {
        if path == "recordings" { return true }
        let parts = path.split(separator: "/")
        guard parts.count == 2, parts[0] == "recordings" else { return false }
        return path.hasSuffix(".previous.har") || recorded.contains(String(parts[1]))
    }

    /// Tells whether a name is what editors and systems leave beside files, or a note for people.
    private static func isLeftover(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasPrefix("#") || name.hasSuffix("~") || name == "4913"
            || [".swp", ".swx", ".tmp", ".bak", ".orig", ".md"].contains { name.hasSuffix($0) }
    }
}
