import Basics
import ClientCommands
import JSON
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The file of `--ready-file`, which has the ready line while the server can be reached (control contract, section 2).
final class ReadyFile: Sendable {
    static let option = Option(
        name: "ready-file",
        kind: .value("PATH"),
        values: .files,
        help: "the file that has the ready line while the server is ready",
        default: "none"
    )

    private let path: String
    /// The content of the file that was written; nil before, and once it was removed.
    private let written = Locked<[UInt8]?>(nil)

    init(_ path: String) { self.path = path }

    // MARK: Before the start

    /// Removes the file that an earlier run has left, before anything can refuse the start.
    static func removeFormer(of command: any Command.Type, _ words: [String]) {
        guard command.part == .serving, command.settings.contains(where: { $0.name == option.name }) else { return }
        guard !words.prefix(while: { $0 != "--" }).contains(where: { $0 == "-h" || $0 == "--help" }) else { return }
        let named = EarlyFlag.value(option.flag, in: words)
        guard let path = named ?? (command.name == ExecCommand.name ? nil : setting(words)) else { return }
        if kind(of: path) == S_IFREG { _ = unlink(path) }
    }

    /// The path that the environment or the configuration file has.
    private static func setting(_ words: [String]) -> String? {
        if let path = Environment[option.variable] { return path }
        let file = EarlyFlag.value("--config", in: words) ?? Environment["UNDERSTUDY_CONFIG"] ?? Settings.workingFile
        guard let bytes = try? FolderReader.contents(ofFile: file) else { return nil }
        return (try? JSONReader.read(bytes))?[option.key]?.stringValue
    }

    /// Refuses a path at which no file can be written.
    static func check(_ path: String, for place: String) throws(UsageError) {
        func refusal(_ text: String) -> UsageError {
            UsageError(message: "\(place): \(text)", isAboutLine: false)
        }
        guard !path.isEmpty else { throw UsageError(message: "\(place): names no file") }
        let kind = kind(of: path)
        if kind == S_IFDIR || path.hasSuffix("/") { throw refusal("\(path): \(Errno(code: EISDIR).unreadable)") }
        if let kind, kind != S_IFREG { throw refusal("\(path): \(Errno(code: EINVAL).unreadable)") }
        let folder = path.utf8.lastIndex(of: 0x2F).map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard Self.kind(of: folder + "/.") == S_IFDIR, access(folder, W_OK | X_OK) == 0 else {
            let error = Errno.current
            throw refusal("can't write \(path): \(error)")
        }
    }

    // MARK: From the start to the end

    /// Writes the file in one step; a refusal is told, and ends the process with the code of wrong settings.
    func write(_ line: String) -> Bool {
        let content = Array("\(line)\n".utf8)
        do throws(CommandFailure) {
            try FileText.replace(path, with: content, isReport: true)
        } catch {
            if case .failed(let text) = error { Terminal.fail("\(Self.option.flag): \(text)") }
            return false
        }
        written.withLock { $0 = content }
        return true
    }

    /// Removes the file, unless another one has its name by now.
    ///
    /// Any thread may call it.
    func remove() {
        written.withLock { content in
            // Its number would not do: a file that takes the name may get the number of this one, too.
            if let content, let found = try? FolderReader.contents(ofFile: path), found == content { _ = unlink(path) }
            content = nil
        }
    }

    // MARK: What is there

    /// The kind of what has the path, of `S_IFMT`; a link is not followed.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }
}
