import Foundation
import JSON
import TestSupport
import Testing

/// The built executable `understudy`, run as a child process.
enum Program {
    struct TestError: Error, CustomStringConvertible {
        var description: String
    }

    /// The result of a finished run.
    struct Result {
        var status: Int32
        var output: String
        var errors: String

        var json: JSON { (try? JSONReader.read(text: output)) ?? .null }
    }

    /// The folder of built products: the one that holds the test bundle.
    private static var products: [URL] {
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
        return (bundles + [Bundle.main.executableURL, Bundle.main.bundleURL].compactMap { $0 })
            .flatMap { [$0.deletingLastPathComponent(), $0] }
    }

    static func executable() throws -> URL {
        let places = products.map { $0.appendingPathComponent("understudy") }
        guard let found = places.first(where: { isProgram($0) }) else {
            throw TestError(
                description: "the executable understudy is in none of \(products.map(\.path)); build it first"
            )
        }
        return found
    }

    private static func isProgram(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: url.path)
    }

    /// Runs a command to its end.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: Folder? = nil
    ) throws -> Result {
        let child = try Child(arguments, environment: environment, in: folder)
        let status = try child.waitForExit()
        return Result(status: status, output: try child.output(), errors: try child.errors())
    }
}

/// A folder that goes with the last reference to it.
final class Folder {
    let url: URL

    init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files { try write(name, text) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ name: String, _ text: String) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }
}

/// One child process; its output goes to files, so that nothing ever waits for a reader.
final class Child {
    private let process = ChildProcess()
    private let outputs: Folder
    private let folder: Folder

    /// `prelude` is what a shell does before it becomes the program; `output` takes the place of the file for it.
    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        in folder: Folder? = nil,
        prelude: String? = nil,
        output: FileHandle? = nil
    ) throws {
        outputs = try Folder(["out": "", "err": ""])
        self.folder = try folder ?? Folder()
        if let prelude {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", "\(prelude); exec \"$0\" \"$@\"", try Program.executable().path] + arguments
        } else {
            process.executableURL = try Program.executable()
            process.arguments = arguments
        }
        process.currentDirectoryURL = self.folder.url
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("UNDERSTUDY_") }
        for (name, value) in environment { variables[name] = value }
        process.environment = variables
        process.standardOutput = .file(
            try output ?? FileHandle(forWritingTo: outputs.url.appendingPathComponent("out"))
        )
        process.standardError = .file(try FileHandle(forWritingTo: outputs.url.appendingPathComponent("err")))
        process.standardInput = .null
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    func output() throws -> String { try text("out") }
    func errors() throws -> String { try text("err") }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: outputs.url.appendingPathComponent(name)), as: UTF8.self)
    }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    func waitForExit() throws -> Int32 {
        try Deadline().wait(for: "the end of the process") { !self.process.isRunning }
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// Waits by looking again, never longer than its time.
///
/// The time only ends a test that hangs: how soon a thing came is never told by it, since the machine may be busy.
struct Deadline {
    /// Longer than a machine that does many other things makes anybody wait.
    static let patience = 90.0

    private let end: Date

    init(_ seconds: Double = patience) { end = Date().addingTimeInterval(seconds) }

    func wait(for what: String, until isDone: () throws -> Bool) throws {
        while try !isDone() {
            guard Date() < end else { throw Program.TestError(description: "waited in vain for \(what)") }
            usleep(2_000)
        }
    }
}
