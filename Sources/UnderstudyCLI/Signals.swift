import CivilTime
import Locking
import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Ctrl-C and its kin: the first drains and stops, a second stops at once (control contract, section 2).
final class Signals: Sendable {
    private let received = Locked<Int32>(0)

    /// The signal that asked for the stop; 0 if none did.
    var stoppedBy: Int32 { received.withLock { $0 } }

    /// Must come before any other thread starts, so that all of them have the signals blocked.
    init() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow any more is a write that fails, as on a full disk.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Until something is running that has to be stopped with care, a signal ends the program at once, with the exit code
    /// of control contract, section 2.
    static func leaveAtOnce() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            // Whoever started us may want one to be ignored, as `nohup` does.
            var former = sigaction()
            guard sigaction(number, nil, &former) == 0, !isIgnored(former) else { continue }
            signal(number) { _exit(128 + $0) }
            sigaddset(&set, number)
        }
        // They may come blocked from there.
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

    func watch(_ server: ServerHandle) {
        each { signal in
            let isFirst = self.received.withLock { former in
                defer { if former == 0 { former = signal } }
                return former == 0
            }
            guard isFirst else { _exit(128 + signal) }
            // What is cut then has to be put away too, and all of it has 5 s (control contract, section 2).
            server.stop(gracefulWithin: .milliseconds(4_500))
        }
    }

    /// Passes each signal on to a program that we run: its end is ours.
    func forward(to program: @escaping @Sendable (Int32) -> Void) { each(program) }

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
