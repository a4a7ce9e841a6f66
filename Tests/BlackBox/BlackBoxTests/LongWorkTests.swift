import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 2 and 13: work on large recordings reports its progress, and leaves nothing behind.
@Suite(.serialized) struct LongWorkTests {
    /// An archive of that many entries of 20 kB; `isBroken` leaves the end of their list out.
    private static func archive(_ count: Int, isBroken: Bool = false) -> String {
        let text = String(repeating: "y", count: 20_000)
        let entries = (0..<count).map { number in
            #"{"startedDateTime":"2025-01-01T12:00:00Z","time":1,"request":{"method":"GET","url":"https://a.example/i/\#(number)","headers":[],"queryString":[]},"response":{"status":404,"headers":[],"content":{"size":2,"mimeType":"text/plain","text":"\#(text)"}},"timings":{}}"#
        }
        return #"{"log":{"version":"1.2","creator":{"name":"x","version":"1"},"entries":["# + "\n"
            + entries.joined(separator: ",\n") + (isBroken ? "\n}}\n" : "\n]}}\n")
    }

    private static func folder() throws -> Folder {
        try Folder(["good.har": archive(900), "bad.har": archive(900, isBroken: true), "small.har": archive(2)])
    }

    private static let commands = [
        ["validate"], ["diff", "--api", "omnichat"], ["replay", "--api", "omnichat", "--port", "0"],
    ]

    private static func arguments(_ command: [String], _ file: String) -> [String] {
        [command[0], file] + command.dropFirst()
    }

    /// The output of a command on a terminal, run by the folder's script, and its exit status.
    private static func shown(in folder: Folder, _ words: [String]) throws -> (status: Int32, seen: String) {
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "terminal.py", try Program.executable().path] + words
        process.currentDirectoryURL = folder.url
        process.standardInput = .null
        process.standardOutput = .null
        process.standardError = .null
        try process.run()
        defer { if process.isRunning { process.terminate() } }
        try Deadline().wait(for: "the end") { !process.isRunning }
        process.waitUntilExit()
        let seen = try Data(contentsOf: folder.url.appendingPathComponent("seen"))
        return (process.terminationStatus, String(decoding: seen, as: UTF8.self))
    }

    @Test(arguments: commands)
    func `13 elsewhere than on a terminal progress is a line now and then, and a broken file is named with its place`(
        command: [String]
    ) throws {
        let folder = try Self.folder()
        let child = try Child(Self.arguments(command, "bad.har"), in: folder)
        try expectEqual(child.waitForExit(), 1)
        let errors = try child.errors()
        let lines = errors.split(separator: "\n").filter { $0.hasPrefix("understudy: bad.har: ") && $0.hasSuffix(" %") }
        #expect((2...6).contains(lines.count), "\(errors)")
        #expect(!errors.contains("\u{1B}") && !errors.contains("\r"))
        let place = "bad.har:902: $.log.entries[900]: expected ',' or ']', found '}'"
        #expect((try child.output() + errors).contains(place), "\(errors)")
    }

    @Test(arguments: commands.prefix(2))
    func `13 short work shows no progress`(command: [String]) throws {
        let result = try Program.run(Self.arguments(command, "small.har"), in: try Self.folder())
        #expect(!result.errors.contains(" %"))
        #expect(!result.output.contains(" %"))
    }

    @Test(arguments: commands.prefix(2))
    func `13 on a terminal progress is a bar, gone before anything else is written`(command: [String]) throws {
        let folder = try Self.folder()
        try folder.write(
            "terminal.py",
            """
            import os, pty, sys
            seen = b""
            def read(fd):
                global seen
                data = os.read(fd, 65536)
                seen += data
                return data
            code = pty.spawn(sys.argv[1:], read, lambda fd: b"")
            open("seen", "wb").write(seen)
            sys.exit(os.waitstatus_to_exitcode(code))
            """
        )
        let (status, seen) = try Self.shown(in: folder, Self.arguments(command, "bad.har"))
        expectEqual(status, 1)
        #expect(seen.contains("\r\u{1B}[K[####"))
        // What is written after the bar begins on a line that has been cleared.
        let last = try #require(seen.range(of: "bad.har:902:"))
        let before = seen[..<last.lowerBound].replacingOccurrences(of: "understudy: ", with: "")
        #expect(before.hasSuffix("\r\u{1B}[K") || before.hasSuffix("\n"), "\(before.suffix(80).debugDescription)")
    }

    @Test func `13 on a terminal the count of a recording stands below the log and ends its line`() throws {
        let backend = try Backend()
        let folder = try Folder()
        try folder.write(
            "terminal.py",
            """
            import os, pty, re, sys, urllib.request
            child, fd = pty.fork()
            if child == 0: os.execv(sys.argv[1], sys.argv[1:])
            seen = b""
            def until(text):
                global seen
                while text not in seen: seen += os.read(fd, 65536)
            # A terminal has the table alone, not the line for programs (clients contract, section 3).
            address = None
            while not address:
                seen += os.read(fd, 65536)
                address = re.search(rb"omnichat +(http://[^\\s]+)\\r\\n", seen)
            api = address.group(1).decode()
            for number in range(3):
                urllib.request.urlopen(api + "/echo?n=%d" % number).read()
            until(b"recorded 3 entries")
            os.write(fd, b"\\x03")
            try:
                while True:
                    data = os.read(fd, 65536)
                    if not data: break
                    seen += data
            except OSError: pass
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            open("seen", "wb").write(seen)
            sys.exit(code)
            """
        )
        let (status, seen) = try Self.shown(
            in: folder,
            ["record", "--api", "omnichat", "--port", "0", "--upstream", backend.url(), "--out", "rec.har"]
        )
        expectEqual(status, 130)
        // What a line of the log is written to has no count on it any more.
        for line in seen.components(separatedBy: "\r\n") where line.contains("GET /echo") {
            let shown = line.components(separatedBy: "\r\u{1B}[K").last ?? ""
            #expect(!shown.contains("recorded"), "\(line.debugDescription)")
        }
        expectEqual(seen.utf8.last, 0x0A, "\(seen.suffix(80).debugDescription)")
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))] as [(Int32, Int32)])
    func `2 a signal ends long work with its code, and nothing is left behind`(number: Int32, code: Int32) throws {
        let folder = try Folder(["large.har": Self.archive(5_000)])
        for command in Self.commands {
            let child = try Child(Self.arguments(command, "large.har"), in: folder)
            try Deadline().wait(for: "the first sign of progress") {
                guard child.isRunning else { throw TestError(description: "too quick: \(try child.errors())") }
                return try child.errors().contains(" %\n")
            }
            child.signal(number)
            try expectEqual(child.waitForExit(), code, "\(command)")
            try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path), ["large.har"])
        }
    }
}
