import Certificates
import ClientCommands
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The temporary folder of `exec`, which goes when its program ends; made when the first file needs it.
final class ExecFolder {
    private var path: String?
    private var files: [String] = []

    /// The folder of an authority that goes with the program, so that nothing that could sign for a real name stays.
    func authority() throws(UsageError) -> String { "\(try made())/ca" }

    private func made() throws(UsageError) -> String {
        if let path { return path }
        let base = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(base)/understudy-exec-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw UsageError(
                message:
                    "no temporary folder can be made in \(base) (\(String(cString: strerror(errno)))); TMPDIR names "
                    + "another place"
            )
        }
        let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = made
        return made
    }

    /// Writes a file and returns its path.
    func write(_ bytes: [UInt8], to name: String) throws(UsageError) -> String {
        let path = "\(try made())/\(name)"
        files.append(path)
        do throws(Errno) {
            let file = try DataFile.writing(path)
            try file.write(bytes, at: 0)
        } catch {
            throw UsageError(message: "\(path): \(error)")
        }
        return path
    }

    /// Removes the files and the folder.
    func remove() {
        guard let path else { return }
        for file in files { unlink(file) }
        _ = try? AuthorityFolder.remove("\(path)/ca")
        rmdir(path)
    }
}
