import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that a command writes as a whole.
package enum FileText {
    /// Writes a file beside the old one and puts it into its place, so that nobody sees half of it.
    ///
    /// One with secrets is for this user alone; a report is for all whom the process' mask lets.
    package static func replace(_ path: String, with bytes: [UInt8], isReport: Bool = false) throws(CommandFailure) {
        let draft = "\(path).new-\(getpid())"
        do throws(Errno) {
            let file = try DataFile.writing(draft, forAll: isReport)
            try file.write(bytes, at: 0)
            file.truncate(to: bytes.count)
            file.synchronize()
        } catch {
            _ = unlink(draft)
            throw .failed("\(path): the file can't be written: \(error)")
        }
        guard rename(draft, path) == 0 else {
            let error = Errno.current
            _ = unlink(draft)
            throw .failed("\(path): the file can't be written: \(error)")
        }
    }
}
