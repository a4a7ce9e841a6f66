import Foundation
import TestSupport
import Testing

/// The processes that the tests start.
@Suite struct ChildProcessTests {
    private func shell(_ script: String, _ change: (ChildProcess) -> Void = { _ in }) throws -> ChildProcess {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        change(process)
        try process.run()
        return process
    }

    @Test func `an exit code and a signal come back as they were`() throws {
        for (script, status) in [("exit 0", 0), ("exit 7", 7), ("exit 255", 255), ("kill -9 $$", SIGKILL)] {
            let process = try shell(script)
            process.waitUntilExit()
            #expect(!process.isRunning && process.terminationStatus == Int32(status), "\(script)")
        }
        let process = try shell("sleep 100")
        #expect(process.isRunning && process.terminationStatus == -1)
        process.terminate()
        process.waitUntilExit()
        expectEqual(process.terminationStatus, SIGTERM)
    }

    @Test func `a process has its streams, its folder and its variables, and no descriptor of ours`() throws {
        let held = (0..<1_500).map { _ in open("/dev/null", O_RDONLY) }
        defer { for number in held { close(number) } }
        let (input, output) = (Pipe(), Pipe())
        let process = try shell("cat; pwd; echo $WORD; ls /dev/fd/ | wc -l; trap") { process in
            process.standardInput = .pipe(input)
            process.standardOutput = .pipe(output)
            process.standardError = .null
            process.currentDirectoryURL = URL(filePath: "/")
            process.environment = ["WORD": "a b", "PATH": "/usr/bin:/bin"]
        }
        input.fileHandleForWriting.write(Data("in\n".utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let lines = text.split(separator: "\n")
        process.waitUntilExit()
        expectEqual(lines.prefix(3), ["in", "/", "a b"])
        // Those of the three streams, and the one that lists them.
        #expect(lines.count == 4 && Int(lines[3].filter(\.isNumber)) == 4, "\(lines)")
    }

    @Test func `a program that is not there is an error that names it`() throws {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/nowhere/tool")
        #expect(throws: ChildProcess.Failure.self) { try process.run() }
        #expect(!process.isRunning && process.processIdentifier == 0)
    }
}
