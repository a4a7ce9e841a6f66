import Foundation
import JSON
import TestSupport

/// A foreign program that talks to a server under test, such as curl or openssl.
struct TLSTool {
    var status: Int32
    var output: String
    var errors: String

    /// Runs a program of `PATH` to its end; nil if it is not on this machine.
    init?(_ words: [String], environment: [String: String] = [:], input: String = "") throws {
        guard let path = Self.path(words[0]) else { return nil }
        let files = try Folder(["in": input, "out": "", "err": ""])
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = Array(words.dropFirst())
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("UNDERSTUDY_") && !$0.key.lowercased().hasSuffix("_proxy")
                && !["SSL_CERT_FILE", "CURL_CA_BUNDLE"].contains($0.key)
        }
        for (name, value) in environment { variables[name] = value }
        process.environment = variables
        process.standardInput = .file(try FileHandle(forReadingFrom: files.url.appendingPathComponent("in")))
        process.standardOutput = .file(try FileHandle(forWritingTo: files.url.appendingPathComponent("out")))
        process.standardError = .file(try FileHandle(forWritingTo: files.url.appendingPathComponent("err")))
        try process.run()
        try Deadline().wait(for: "the end of \(words[0])") { !process.isRunning }
        process.waitUntilExit()
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: files.url.appendingPathComponent(name)), as: UTF8.self)
        }
        status = process.terminationStatus
        output = try text("out")
        errors = try text("err")
    }

    static func path(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
            .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs Python with a script.
    static func python(_ script: String, _ arguments: [String]) throws -> TLSTool? {
        try TLSTool(["python3", "-c", script] + arguments)
    }
}

/// A server that speaks TLS with an authority in a folder of its own.
struct SecureServed {
    let served: Served
    let folder: Folder
    var root: String { folder.url.appendingPathComponent("ca/root.pem").path }
    var hub: Int { served.hub }

    init(_ flags: [String] = ["--tls", "on"], log: [String] = ["--quiet"]) throws {
        folder = try Folder()
        served = try Served(Served.frozen + flags + ["--ca", "ca"], log: log, in: folder)
    }

    func port(of api: String) throws -> Int {
        let text = served.ready["apis"]?[api]?.stringValue ?? ""
        guard let port = text.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw TestError(description: "no port of \(api)")
        }
        return port
    }

    /// Asks with curl, verified by the root; nil without curl.
    func curl(_ host: String, _ path: String, _ more: [String] = [], port: Int? = nil) throws -> TLSTool? {
        let port = port ?? served.hub
        return try TLSTool(
            [
                "curl", "-sS", "--noproxy", "*", "--max-time", "60", "--cacert", root, "--resolve",
                "\(host):\(port):127.0.0.1",
            ] + more + ["https://\(host):\(port)\(path)"]
        )
    }
}
