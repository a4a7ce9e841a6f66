import Basics
import ClientCommands
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The program that `exec` runs.
final class ChildProgram: Sendable {
    /// A failed start, with the exit code that shells use for it.
    struct Failure: Error {
        let message: String
        let code: Int32
    }

    let processID: pid_t
    private let exitCode = Locked<Int32?>(nil)

    /// Finds a program in `PATH` and starts it with these variables added to the environment.
    init(_ words: [String], adding variables: [(name: String, value: String)]) throws(Failure) {
        var attributes = Self.attributes()
        defer { posix_spawnattr_destroy(&attributes) }
        let added = Set(variables.map(\.name))
        let all = Environment.variables.filter { !added.contains($0.name) } + variables
        let arguments = words.map { strdup($0) } + [nil]
        let environment = all.map { strdup("\($0.name)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var child: pid_t = 0
        let problem = posix_spawnp(&child, words[0], nil, &attributes, arguments, environment)
        guard problem == 0 else {
            let reason = String(cString: strerror(problem))
            throw Failure(message: "\(words[0]): \(reason)", code: problem == ENOENT ? 127 : 126)
        }
        processID = child
    }

    /// Resets the signal mask and the signal handlers of the program to their defaults.
    private static func attributes() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] { sigaddset(&defaults, number) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    /// Waits for the end on a thread of its own, stores the exit code, then calls `body`.
    func whenEnded(_ body: @escaping @Sendable () -> Void) {
        _ = SystemThread.start {
            var status: Int32 = 0
            while waitpid(self.processID, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            self.exitCode.withLock { $0 = signal == 0 ? (status >> 8) & 0xFF : 128 + signal }
            body()
        }
    }

    /// The exit code, or 128 plus the number of the signal that ended the program; nil while it runs.
    var code: Int32? { exitCode.withLock { $0 } }

    /// Forwards a signal to the program while it runs.
    func send(_ signal: Int32) {
        if code == nil { kill(processID, signal) }
    }
}
