import Basics
import CivilTime
package import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The signals that stop the process: the first drains and stops, a second stops at once (control contract, section 2).
package final class Signals: Sendable {
    private let received = Locked<Int32>(0)

    /// The signal that requested the stop; 0 if there was none.
    package var stoppedBy: Int32 { received.withLock { $0 } }

    /// Blocks the signals; called before any other thread starts, so that every thread inherits the mask.
    package init() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        // A file at its size limit fails its next write, as on a full disk, instead of ending the process.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Makes a signal end the process at once, with the exit code of control contract, section 2.
    ///
    /// This holds until an emulator runs, which needs an orderly stop.
    package static func leaveAtOnce() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // A parent process may have set a signal to be ignored, as `nohup` does.
            var former = sigaction()
            guard sigaction(number, nil, &former) == 0, !isIgnored(former) else { continue }
            signal(number) { _exit(128 + $0) }
            sigaddset(&set, number)
        }
        // The parent may have blocked them too.
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Makes the end of whoever reads standard output end the process too, as `head` ends what it reads from.
    ///
    /// A parent process, such as a runner of CI jobs, may have set the signal to be ignored. Sockets never raise it.
    static func endWithReader() {
        signal(SIGPIPE, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGPIPE)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        #if canImport(Glibc)
        let handler = action.__sigaction_handler.sa_handler
        #else
        let handler = action.__sigaction_u.__sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Stops the server at the first signal and the process at the second one; `leaving` is done before the latter.
    package func watch(_ server: ServerHandle, leaving: @escaping @Sendable () -> Void) {
        each { signal in
            let isFirst = self.received.withLock { former in
                defer { if former == 0 { former = signal } }
                return former == 0
            }
            guard isFirst else {
                leaving()
                _exit(128 + signal)
            }
            // Cut exchanges need time to be recorded as well; the whole stop has 5 s (control contract, section 2).
            server.stop(gracefulWithin: .milliseconds(4_500))
        }
    }

    /// Forwards each signal to a child program, whose end stops this process.
    package func forward(to program: @escaping @Sendable (Int32) -> Void) { each(program) }

    private func each(_ body: @escaping @Sendable (Int32) -> Void) {
        _ = SystemThread.start {
            while true {
                var set = sigset_t()
                sigemptyset(&set)
                sigaddset(&set, SIGINT)
                sigaddset(&set, SIGTERM)
                sigaddset(&set, SIGHUP)
                var signal: Int32 = 0
                guard sigwait(&set, &signal) == 0 else { continue }
                body(signal)
            }
        }
    }
}
