#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The number of descriptors the process may have open.
package enum DescriptorLimit {
    /// Asks the system for as many as that, and answers how many there are then.
    ///
    /// Shells give far fewer than they may (macOS 256, Linux mostly 1,024); a server that runs out of them can't even take
    /// the connection of somebody who wants to know why. Nothing is ever lowered.
    package static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        guard Socket.descriptorLimit(&limit) == 0 else { return wanted }
        // macOS refuses more than its OPEN_MAX as a whole, whatever the limit says.
        for count in [wanted, min(wanted, 10_240)].map({ min(rlim_t(clamping: $0), limit.rlim_max) })
        where limit.rlim_cur < count {
            var raised = limit
            raised.rlim_cur = count
            if Socket.setDescriptorLimit(&raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Has the kernel make room for that many descriptors now.
    ///
    /// Linux doubles the table of a process as numbers rise, and waits some 10 to 30 ms for all processors each time
    /// when there are several threads: the loop would stand still at the 512th, 1,024th and 2,048th connection. Call it
    /// before any thread is started.
    package static func makeRoom(for count: Int) {
        #if canImport(Glibc)
        let highest = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(clamping: min(count, 1 << 16) - 1))
        if highest >= 0 { _ = close(highest) }
        #endif
    }
}

extension ServerLimits {
    /// The descriptors open beside connections: listeners, files, pollers, connections to upstreams.
    private static let otherDescriptors = 96

    /// More than any system gives.
    private static let mostConnections = 10_000_000

    /// These limits with no more connections than the system has descriptors for, after asking for enough.
    package func fittingDescriptors() -> ServerLimits {
        let others = reserved + Self.otherDescriptors
        let available = DescriptorLimit.raise(to: min(connections, Self.mostConnections) + others)
        DescriptorLimit.makeRoom(for: min(connections + others, available))
        var fitting = self
        fitting.connections = max(min(connections, available - others), 1)
        return fitting
    }
}
