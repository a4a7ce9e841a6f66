package import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A process that a test starts; its members are those of Foundation's `Process`.
///
/// Before it starts anything, that class lists the open descriptors, and copies 256 bytes of each name out of a buffer
/// that ends sooner. With more than 1,360 of them, as tests of many connections have at times, the copy reaches past the
/// buffer, and now and then into memory that is not there: the whole run ends by signal 11.
package final class ChildProcess: @unchecked Sendable {
    /// A file or a pipe that is the input or the output of a process.
    package enum Stream {
        /// The stream of the test itself.
        case inherited
        case null
        case file(FileHandle)
        case pipe(Pipe)
    }

    private enum Progress {
        case notStarted
        case running(pid_t)
        case over(pid_t, Int32)
    }

    package var executableURL: URL?
    package var arguments: [String] = []
    /// The variables; nil for those of the test.
    package var environment: [String: String]?
    package var currentDirectoryURL: URL?
    package var standardInput = Stream.inherited
    package var standardOutput = Stream.inherited
    package var standardError = Stream.inherited

    private let lock = NSLock()
    /// Guarded by `lock`; all else is set before the start, by one thread.
    private var progress = Progress.notStarted

    package init() {}

    deinit {
        guard case .running(let number) = progress, waitpid(number, nil, WNOHANG) == 0 else { return }
        // A process whose end nobody takes note of stays in the list of processes.
        Thread.detachNewThread { waitpid(number, nil, 0) }
    }

    /// Starts the process, in a group of its own, with no descriptor of the test but the three streams.
    package func run() throws {
        guard let path = executableURL?.path else { throw Failure(call: "run", code: EINVAL) }
        var actions = FileActions()
        defer { actions.destroy() }
        try actions.begin()
        try actions.use(standardInput, as: STDIN_FILENO, isInput: true)
        try actions.use(standardOutput, as: STDOUT_FILENO, isInput: false)
        try actions.use(standardError, as: STDERR_FILENO, isInput: false)
        if let folder = currentDirectoryURL?.path { try actions.change(to: folder) }
        try actions.closeOthers()
        let variables = environment ?? ProcessInfo.processInfo.environment
        var number = pid_t()
        let code = Self.withTexts([path] + arguments) { words in
            Self.withTexts(variables.map { "\($0)=\($1)" }) { variables in
                actions.spawn(&number, path, words, variables)
            }
        }
        guard code == 0 else { throw Failure(call: path, code: code) }
        // The process has the other end, and nobody else: a reader sees the end when the process is over.
        if case .pipe(let pipe) = standardInput { try? pipe.fileHandleForReading.close() }
        var closed: Pipe?
        for case .pipe(let pipe) in [standardOutput, standardError] where pipe !== closed {
            try? pipe.fileHandleForWriting.close()
            closed = pipe
        }
        lock.withLock { progress = .running(number) }
    }

    /// The number of the process; 0 before it has started.
    package var processIdentifier: pid_t {
        lock.withLock {
            switch progress {
            case .notStarted: 0
            case .running(let number), .over(let number, _): number
            }
        }
    }

    package var isRunning: Bool {
        lock.withLock {
            guard case .running(let number) = progress else { return false }
            var status: Int32 = 0
            guard waitpid(number, &status, WNOHANG) == number else { return true }
            // The number of a signal, or the code of the exit.
            progress = .over(number, status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F)
            return false
        }
    }

    /// The exit code, or the number of the signal that ended the process; -1 while it runs.
    package var terminationStatus: Int32 {
        guard !isRunning, case .over(_, let status) = lock.withLock({ progress }) else { return -1 }
        return status
    }

    package func waitUntilExit() {
        while isRunning {
            var info = siginfo_t()
            // Only looks: who asks next takes note of the end.
            waitid(P_PID, id_t(processIdentifier), &info, WEXITED | WNOWAIT)
        }
    }

    package func terminate() { if isRunning { kill(processIdentifier, SIGTERM) } }

    /// The system's refusal to start a process.
    package struct Failure: Error, CustomStringConvertible {
        package let call: String
        package let code: Int32

        package var description: String { "\(call): \(String(cString: strerror(code)))" }
    }

    private static func withTexts<Result>(
        _ texts: [String],
        _ work: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return work(copies + [nil])
    }
}

/// The descriptors and signals of a new process, as the system is told of them.
private struct FileActions {
    #if canImport(Darwin)
    private var actions: posix_spawn_file_actions_t?
    private var attributes: posix_spawnattr_t?
    #else
    private var actions = posix_spawn_file_actions_t()
    private var attributes = posix_spawnattr_t()
    #endif
    private var flags = Int32(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)

    private func check(_ code: Int32, _ call: String) throws {
        guard code == 0 else { throw ChildProcess.Failure(call: call, code: code) }
    }

    mutating func begin() throws {
        try check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init")
        try check(posix_spawnattr_init(&attributes), "posix_spawnattr_init")
        // Threads that run tests block signals, which a process would inherit.
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        try check(posix_spawnattr_setsigdefault(&attributes, &all), "posix_spawnattr_setsigdefault")
        try check(posix_spawnattr_setsigmask(&attributes, &none), "posix_spawnattr_setsigmask")
    }

    mutating func use(_ stream: ChildProcess.Stream, as number: Int32, isInput: Bool) throws {
        let descriptor: Int32
        switch stream {
        case .inherited: return
        case .null:
            try check(
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", isInput ? O_RDONLY : O_WRONLY, 0),
                "posix_spawn_file_actions_addopen"
            )
            return
        case .file(let file): descriptor = file.fileDescriptor
        case .pipe(let pipe):
            descriptor = (isInput ? pipe.fileHandleForReading : pipe.fileHandleForWriting).fileDescriptor
        }
        try check(
            posix_spawn_file_actions_adddup2(&actions, descriptor, number),
            "posix_spawn_file_actions_adddup2"
        )
    }

    #if canImport(Darwin)
    mutating func change(to folder: String) throws {
        try check(posix_spawn_file_actions_addchdir_np(&actions, folder), "posix_spawn_file_actions_addchdir_np")
    }

    mutating func closeOthers() throws { flags |= POSIX_SPAWN_CLOEXEC_DEFAULT }
    #else
    private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

    mutating func change(to folder: String) throws {
        let name = "posix_spawn_file_actions_addchdir_np"
        typealias Function = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32
        try check(unsafeBitCast(try Self.symbol(name), to: Function.self)(&actions, folder), name)
    }

    mutating func closeOthers() throws {
        let name = "posix_spawn_file_actions_addclosefrom_np"
        typealias Function = @convention(c) (Actions, Int32) -> Int32
        try check(unsafeBitCast(try Self.symbol(name), to: Function.self)(&actions, STDERR_FILENO + 1), name)
    }

    /// Returns a function of the C library (2.34 or newer) that its module does not show.
    private static func symbol(_ name: String) throws -> UnsafeMutableRawPointer {
        guard let found = dlsym(nil, name) else { throw ChildProcess.Failure(call: name, code: ENOSYS) }
        return found
    }
    #endif

    mutating func spawn(
        _ number: inout pid_t,
        _ path: String,
        _ words: [UnsafeMutablePointer<CChar>?],
        _ variables: [UnsafeMutablePointer<CChar>?]
    ) -> Int32 {
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))
        return posix_spawn(&number, path, &actions, &attributes, words, variables)
    }

    mutating func destroy() {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
    }
}
