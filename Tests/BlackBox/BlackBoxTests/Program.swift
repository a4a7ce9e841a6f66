import Foundation
import JSON
import TestSupport
import Testing

/// The built executable `understudy`, run as a child process.
enum Program {
    /// The result of a finished run.
    struct Result {
        var status: Int32
        var output: String
        var errors: String

        var json: JSON { (try? JSONReader.read(text: output)) ?? .null }
    }

    /// The program that UNDERSTUDY_BINARY names; otherwise the release of this checkout.
    static func executable() throws -> URL {
        let named = ProcessInfo.processInfo.environment["UNDERSTUDY_BINARY"]
        let url = named.map { URL(filePath: $0) } ?? Checkout.root.appending(path: ".build/release/understudy")
        guard FileManager.default.isExecutableFile(atPath: url.path) else {
            throw TestError(description: "there is no executable \(url.path); build it with `make build`")
        }
        return url
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
        // A proxy of the machine that the tests run on is none of theirs.
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("UNDERSTUDY_") && !$0.key.lowercased().hasSuffix("_proxy")
        }
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
