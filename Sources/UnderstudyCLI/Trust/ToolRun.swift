import ClientCommands

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A tool of the system that was run to its end, with a list of arguments and never through a shell.
struct ToolRun {
    /// The exit code; 128 and the signal's number if a signal ended it, 127 if there is no such program.
    private(set) var status: Int32
    /// The bytes of standard output, up to a limit.
    private(set) var output: [UInt8] = []
    /// The bytes of standard error, up to a limit.
    private(set) var errors: [UInt8] = []

    /// The bytes that are kept of each stream; a bundle of roots has a quarter of a million.
    private static let longestOutput = 16 << 20

    /// Runs a tool with these variables added to the environment; its standard input is empty.
    init(_ words: [String], adding variables: [(name: String, value: String)] = []) {
        var pipes: [Int32] = [-1, -1, -1, -1]
        let isPiped = pipes.withUnsafeMutableBufferPointer { all in
            guard let first = all.baseAddress else { return false }
            return pipe(first) == 0 && pipe(first + 2) == 0
        }
        guard isPiped else {
            status = 126
            for number in pipes where number >= 0 { close(number) }
            return
        }
        for number in pipes { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        #if canImport(Glibc)
        var actions = posix_spawn_file_actions_t()
        #else
        var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, pipes[3], STDERR_FILENO)
        let added = Set(variables.map(\.name))
        let all = Environment.variables.filter { !added.contains($0.name) } + variables
        let arguments = words.map { strdup($0) } + [nil]
        let environment = all.map { strdup("\($0.name)=\($0.value)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var child: pid_t = 0
        let problem = posix_spawnp(&child, words[0], &actions, nil, arguments, environment)
        close(pipes[1])
        close(pipes[3])
        guard problem == 0 else {
            status = problem == ENOENT ? 127 : 126
            close(pipes[0])
            close(pipes[2])
            return
        }
        (output, errors) = Self.drain(pipes[0], pipes[2])
        var code: Int32 = 0
        while waitpid(child, &code, 0) < 0, errno == EINTR {}
        let signal = code & 0x7F
        status = signal == 0 ? (code >> 8) & 0xFF : 128 + signal
    }

    var text: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: errors, as: UTF8.self) }

    /// Reads both pipes to their ends, in whatever order bytes come.
    private static func drain(_ first: Int32, _ second: Int32) -> ([UInt8], [UInt8]) {
        var collected: [Int32: [UInt8]] = [first: [], second: []]
        var open = [first, second]
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while !open.isEmpty {
            var waits = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waits, nfds_t(waits.count), -1) >= 0 || errno == EINTR else { break }
            for wait in waits where wait.revents != 0 {
                let count = read(wait.fd, &buffer, buffer.count)
                if count > 0 {
                    let room = longestOutput - (collected[wait.fd]?.count ?? 0)
                    collected[wait.fd]?.append(contentsOf: buffer.prefix(min(count, max(room, 0))))
                } else if count == 0 || errno != EINTR {
                    close(wait.fd)
                    open.removeAll { $0 == wait.fd }
                }
            }
        }
        return (collected[first] ?? [], collected[second] ?? [])
    }
}
