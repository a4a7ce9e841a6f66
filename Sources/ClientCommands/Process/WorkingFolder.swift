#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder that relative paths start from.
package enum WorkingFolder {
    /// The absolute path; `/` if the folder was deleted.
    package static var path: String {
        guard let text = getcwd(nil, 0) else { return "/" }
        defer { free(text) }
        return String(cString: text)
    }
}
