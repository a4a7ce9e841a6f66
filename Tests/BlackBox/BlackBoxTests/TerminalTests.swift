import Foundation
import JSON
import TestSupport
import Testing

/// Clients contract, section 1: what a person at a terminal sees, and what a pipe gets.
@Suite struct TerminalTests {
    /// Runs a command in a terminal of so many columns, and passes on what is shown there.
    ///
    /// Where the mark appears, it presses Ctrl-C.
    private static let terminal = #"""
        import fcntl, os, pty, struct, sys, termios
        columns, mark, command = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
        child, screen = pty.fork()
        if child == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execv(command[0], command)
        shown = b""
        while True:
            try: piece = os.read(screen, 65536)
            except OSError: break
            if not piece: break
            shown += piece
            if mark and mark in shown:
                mark = b""
                os.write(screen, b"\x03")
        sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
        """#

    /// Runs a command at a terminal to its end; with a mark until that is shown, and then Ctrl-C ends it.
    private func atTerminal(
        _ words: [String],
        columns: Int,
        until mark: String = "",
        _ variables: [String: String] = [:]
    ) throws -> Program.Result {
        let folder = try Folder(["terminal.py": Self.terminal])
        // NO_COLOR of whoever runs the tests must not count, nor what kind of terminal they have.
        let settings = ["TERM": "xterm", "NO_COLOR": ""].merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }
        let program = try Program.executable().path
        let line = settings.sorted() + ["python3", "terminal.py", "\(columns)", mark, program] + words
        return try InstalledTool.run("env", line, in: folder)
    }

    private func url(_ served: Served) -> [String: String] { ["UNDERSTUDY_URL": "http://127.0.0.1:\(served.hub)"] }

    /// The columns that a line takes, without what colours it.
    private func width(_ line: Substring) -> Int {
        String(line).replacing(/\u{1B}\[[0-9]*m/, with: "").count
    }

    @Test func `1 tables fit the terminal's width, and are coloured there`() throws {
        let served = try Served()
        let fault = """
            {"name":"a name that says a great deal","match":{"api":"omnichat","method":"POST",
            "path":"/api/v1/conversations/**","user":"test@icloud.com"},"when":{"times":3},"effect":{"status":503}}
            """
        _ = try served.control("POST", "/faults", fault)
        for columns in [50, 72, 100] {
            let found = try atTerminal(["fault", "list"], columns: columns, url(served))
            #expect(
                found.status == 0 && found.output.contains("\u{1B}[1mflt_1\u{1B}[0m"),
                "\(found.output)\(found.errors)"
            )
            for line in found.output.split(separator: "\n") { #expect(width(line) <= columns, "\(line)") }
        }
        let plain = try atTerminal(["fault", "list", "--no-color"], columns: 72, url(served)).output
        #expect(!plain.contains("\u{1B}") && plain.contains("…"), "\(plain)")
        for variable in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
            let variables = url(served).merging(variable) { $1 }
            let text = try atTerminal(["fault", "list"], columns: 72, variables).output
            #expect(text.contains("flt_1") && !text.contains("\u{1B}"), "\(variable)")
        }
    }

    @Test func `1 a line of the log fits a terminal of 80 columns, with its status in colour`() throws {
        let served = try Served()
        _ = try Wire(port: served.api).ask("GET", "/api/models", token: try served.token())
        let found = try atTerminal(["log"], columns: 80, url(served)).output
        #expect(found.contains("\u{1B}[32m200\u{1B}[0m"), "\(found)")
        for line in found.split(separator: "\n") { #expect(width(line) <= 80, "\(line)") }
    }

    @Test func `3 on a terminal serve prints the table alone`() throws {
        let words = ["serve", "--port", "0", "--api", "omnichat"]
        let found = try atTerminal(words, columns: 80, until: "omnichat      http")
        // The program's own code for Ctrl-C.
        expectEqual(found.status, 130)
        #expect(found.output.contains("is ready\n  hub           http") && !found.output.contains("\"ready\""))
    }

    @Test func `1 a reader that closes the pipe early ends the command without a word`() throws {
        let served = try Served()
        for number in 0..<400 { _ = try served.chat("GET", "/nowhere\(number)") }
        let folder = try Folder()
        for command in ["log -n 400", "settings", "state export -"] {
            let line = "understudy \(command) --url http://127.0.0.1:\(served.hub) | head -c 20"
            let found = try InstalledTool.run("sh", ["-c", line], in: folder)
            #expect(found.status == 0 && found.errors.isEmpty, "\(command): \(found.errors)")
            expectEqual(found.output.utf8.count, 20, "\(command): \(found.output)")
        }
    }

    @Test func `1 log -f ends with its reader, and with Ctrl-C`() throws {
        let served = try Served()
        _ = try served.chat("GET", "/before")
        let child = try Child(["log", "-f"], environment: url(served))
        try Deadline().wait(for: "the first line") { try child.output().contains("/before") }
        child.signal(SIGINT)
        try expectEqual(child.waitForExit(), 130)
        #expect(try child.errors().isEmpty)
        let typed = try atTerminal(["log", "-f"], columns: 80, until: "/before", url(served))
        #expect(typed.status == 130 && !typed.output.contains("understudy:"), "\(typed.output)")
        let pipe = Pipe()
        // Whoever starts it may ignore the signal, as runners of CI jobs do.
        let follower = try Child(
            ["log", "-f"],
            environment: url(served),
            prelude: "trap '' PIPE",
            output: pipe.fileHandleForWriting
        )
        try pipe.fileHandleForWriting.close()
        expectEqual(pipe.fileHandleForReading.availableData.isEmpty, false)
        try pipe.fileHandleForReading.close()
        var tries = 0
        try Deadline().wait(for: "the end of the follower") {
            if tries.isMultiple(of: 50) { _ = try served.chat("GET", "/after\(tries)") }
            tries += 1
            return !follower.isRunning
        }
        #expect(try follower.errors().isEmpty)
    }
}
