import Foundation
import TestSupport

/// A shell or another tool of this machine, found in `PATH`.
enum InstalledTool {
    static func path(of name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func has(_ name: String) -> Bool { path(of: name) != nil }

    /// Runs a tool in a folder to its end; `understudy` is the built executable there.
    static func run(_ name: String, _ arguments: [String], in folder: Folder) throws -> Program.Result {
        let outputs = try Folder(["out": "", "err": ""])
        let process = ChildProcess()
        guard let path = path(of: name) else { throw TestError(description: "\(name) is not in PATH") }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("UNDERSTUDY_") }
        let products = try Program.executable().deletingLastPathComponent().path
        variables["PATH"] = "\(products):\(variables["PATH"] ?? "")"
        variables["HOME"] = folder.url.path
        process.environment = variables
        process.standardOutput = .file(try FileHandle(forWritingTo: outputs.url.appendingPathComponent("out")))
        process.standardError = .file(try FileHandle(forWritingTo: outputs.url.appendingPathComponent("err")))
        process.standardInput = .null
        try process.run()
        try Deadline().wait(for: "the end of \(name)") { !process.isRunning }
        process.waitUntilExit()
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: outputs.url.appendingPathComponent(name)), as: UTF8.self)
        }
        return Program.Result(status: process.terminationStatus, output: try text("out"), errors: try text("err"))
    }
}
