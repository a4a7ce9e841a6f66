import Basics
package import JSON
import Traffic

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Standard output, standard error and the exit of the process.
package enum Terminal {
    package static func out(_ text: String) {
        write(VisibleText.steerless(text, keepsColors: allowsColor) + [0x0A], to: STDOUT_FILENO)
    }

    /// Tells that every line on standard error is one JSON object (clients contract, section 3).
    private static let isStructured = Locked(false)

    /// Makes every line on standard error one JSON object from now on.
    package static func structureErrors() { isStructured.withLock { $0 = true } }

    package static func error(_ text: String) {
        guard isStructured.withLock({ $0 }) else {
            return write(VisibleText.steerless(text, keepsColors: colorsErrors) + [0x0A], to: STDERR_FILENO)
        }
        for line in text.split(separator: "\n") {
            let words = line.hasPrefix(name) ? line.dropFirst(name.count) : line
            let isWarning = words.hasPrefix(warning)
            tell(
                isWarning ? "warning" : "notice",
                ["text": .string(String(isWarning ? words.dropFirst(warning.count) : words))]
            )
        }
    }

    /// Says why something was refused or has failed.
    package static func fail(_ text: String) {
        guard isStructured.withLock({ $0 }) else { return error(name + text) }
        for line in text.split(separator: "\n") { tell("warning", ["text": .string(String(line))]) }
    }

    /// Writes one line of a structured standard error.
    package static func tell(_ kind: String, _ members: JSONObject) {
        let object = JSONObject([JSONObject.Member(name: "kind", value: .string(kind))] + members.members)
        write(VisibleText.steerless(JSON.object(object).text, keepsColors: false) + [0x0A], to: STDERR_FILENO)
    }

    private static let name = "understudy: "
    private static let warning = "warning: "

    package static func warn(_ warnings: [String]) {
        for text in warnings { error(name + warning + text.withoutControls) }
    }

    /// The count on the last line of the terminal, without a line end.
    private static let shownCount = Locked<String?>(nil)
    private static let lineStart = "\r\u{1B}[K"

    /// Shows a count on the terminal's last line; later counts replace it, and other output goes above it.
    package static func count(_ text: String) {
        shownCount.withLock { shown in
            shown = text
            send(Array((lineStart + text).utf8), to: STDERR_FILENO)
        }
    }

    /// Leaves the last count in place and continues below it.
    package static func endCount() {
        shownCount.withLock { shown in
            if shown != nil { send([0x0A], to: STDERR_FILENO) }
            shown = nil
        }
    }

    /// Writes all bytes, above a count on the terminal if there is one.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) {
        guard descriptor == STDERR_FILENO else { return send(bytes, to: descriptor) }
        shownCount.withLock { shown in
            guard let count = shown else { return send(bytes, to: descriptor) }
            send(Array(lineStart.utf8) + bytes + Array(count.utf8), to: descriptor)
        }
    }

    /// Writes all bytes, even if a pipe takes them in pieces; a closed reader is not an error.
    private static func send(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { platformWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }

    /// Tells whether standard output, or standard error, is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    package static var isErrorTerminal: Bool { isTerminal(STDERR_FILENO) }

    /// The columns of the terminal on standard output; nil where it is none.
    static var columns: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The width of help: that of the terminal, and at most 100 (clients contract, section 2).
    package static var helpWidth: Int { min(columns ?? 100, 100) }

    /// The columns of tables; without a terminal they are as wide as their content.
    static var tableWidth: Int? { columns }

    /// Tells whether output may be coloured: on a terminal without `NO_COLOR` and `TERM=dumb`.
    static var allowsColor: Bool {
        isTerminal(STDOUT_FILENO) && (Environment["NO_COLOR"] ?? "").isEmpty && Environment["TERM"] != "dumb"
    }

    /// Reads standard input to its end.
    static func input() -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = piece.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                all += piece[..<count]
            } else if count == 0 || errno != EINTR {
                return all
            }
        }
    }

    /// Tells whether standard error may be coloured.
    package static var colorsErrors: Bool {
        isTerminal(STDERR_FILENO) && (Environment["NO_COLOR"] ?? "").isEmpty && Environment["TERM"] != "dumb"
    }

    package static var processID: Int { Int(getpid()) }

    package static func leave(_ code: Int32) -> Never { exit(code) }

    private static func platformWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes, count)
        #else
        Darwin.write(descriptor, bytes, count)
        #endif
    }
}

/// Exit codes (control contract, section 2).
package enum ExitCode {
    package static let ok: Int32 = 0
    package static let failed: Int32 = 1
    package static let usage: Int32 = 2
    package static let cannotBind: Int32 = 3
    static let noServer: Int32 = 4

    /// The codes with their meanings, for the manual page.
    package static let meanings = [
        ("\(ok)", "success"), ("\(failed)", "a failed verdict or validation, or a call that the server refused"),
        ("\(usage)", "a mistake in the command line or the configuration"),
        ("\(cannotBind)", "a port or another resource of the system that is not available"),
        ("\(noServer)", "no running server answers"),
        ("130, 143", "stopped by SIGINT or SIGTERM; exec passes on the code of its program instead"),
    ]
}
