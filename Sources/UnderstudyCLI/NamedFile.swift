import ClientCommands
import Transport

/// A file that the command line or a setting names.
enum NamedFile {
    /// Reads the file; the refusal says why it can't be read, behind the flag or variable that names it.
    static func bytes(of path: String, for place: String? = nil) throws(UsageError) -> [UInt8] {
        do throws(Errno) {
            return try FolderReader.contents(ofFile: path)
        } catch {
            throw unreadable(path, error, for: place)
        }
    }

    /// Refuses files that are missing; what is wrong in one is told by who reads it.
    static func expect(_ paths: [String]) throws(UsageError) {
        for path in paths where !FolderReader.exists(path) { throw unreadable(path, .missing) }
    }

    private static func unreadable(_ path: String, _ error: Errno, for place: String? = nil) -> UsageError {
        UsageError(
            message: (place.map { "\($0): " } ?? "") + "\(path): \(error.unreadable)",
            isAboutLine: false
        )
    }
}
