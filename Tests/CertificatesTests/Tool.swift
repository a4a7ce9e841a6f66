import Foundation
import TestSupport

/// A program of the machine, run to its end.
struct Tool {
    var status: Int32
    var output: String

    /// Runs `openssl` with these arguments; what it writes to both streams comes back.
    static func openssl(_ arguments: String..., input: [UInt8] = []) throws -> Tool {
        try openssl(arguments, input: input)
    }

    static func openssl(_ arguments: [String], input: [UInt8] = []) throws -> Tool {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        // Without the system's settings, which differ from one distribution to the next.
        process.environment = ProcessInfo.processInfo.environment.merging(["OPENSSL_CONF": "/dev/null"]) { $1 }
        let (toTool, fromTool) = (Pipe(), Pipe())
        process.standardInput = .pipe(toTool)
        process.standardOutput = .pipe(fromTool)
        process.standardError = .pipe(fromTool)
        try process.run()
        toTool.fileHandleForWriting.write(Data(input))
        try toTool.fileHandleForWriting.close()
        let output = fromTool.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Tool(status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
    }

    /// The lines without blanks around them.
    var lines: [String] { output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } }

    /// The number of the first error that `openssl verify` names; 0 without one.
    var verificationCode: Int {
        let words = output.split { $0 == " " || $0 == "\n" }
        guard let place = words.firstIndex(of: "error"), place + 1 < words.count else { return status == 0 ? 0 : -1 }
        return Int(words[place + 1]) ?? -1
    }
}

/// A folder of its own that goes with this object.
final class Scratch {
    let path: String

    init() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        path = place.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let place = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: place))
        return place
    }
}
