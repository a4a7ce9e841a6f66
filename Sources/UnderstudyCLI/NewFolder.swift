import ClientCommands
import Transport

/// A folder that a command makes (own-API contract, section 23).
enum NewFolder {
    /// Writes the folder with its files, all of it or nothing.
    static func create(_ name: String, below root: String, files: [FolderWriter.File]) throws(UsageError) {
        do throws(FolderWriter.Refusal) {
            try FolderWriter.create(name, below: root, files: files)
        } catch {
            switch error {
            case .exists: throw exists("\(root)/\(name)")
            case .failed(let path, let reason):
                throw UsageError(message: "can't write \(path): \(reason)", isAboutLine: false)
            }
        }
    }

    /// Writes files into the folder.
    static func complete(_ name: String, below root: String, files: [FolderWriter.File]) throws(UsageError) {
        do throws(FolderWriter.Refusal) {
            try FolderWriter.put(files, in: name, below: root)
        } catch {
            guard case .failed(let path, let reason) = error else { return }
            throw UsageError(message: "can't write \(path): \(reason)", isAboutLine: false)
        }
    }

    static func exists(_ path: String) -> UsageError {
        UsageError(
            message: "\(path) exists, and nothing is overwritten; delete it, or choose another name",
            isAboutLine: false
        )
    }
}
