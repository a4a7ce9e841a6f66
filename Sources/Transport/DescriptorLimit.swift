#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The number of descriptors that the process may have open.
package enum DescriptorLimit {
    /// Raises the limit to that number if possible, and returns the limit.
    ///
    /// Shells set far lower limits than they may (macOS 256, Linux mostly 1,024). A server that runs out of descriptors
    /// can't even accept the connection on which a client asks for the cause. The limit is never lowered.
    package static func raise(to wanted: Int) -> Int {
        var limit = rlimit()
        guard Socket.descriptorLimit(&limit) == 0 else { return wanted }
        // macOS refuses more than its OPEN_MAX, whatever the limit says.
        for count in [wanted, min(wanted, 10_240)].map({ min(rlim_t(clamping: $0), limit.rlim_max) })
        where limit.rlim_cur < count {
            var raised = limit
            raised.rlim_cur = count
            if Socket.setDescriptorLimit(&raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Makes the kernel allocate its table for that many descriptors now.
    ///
    /// Linux doubles the table of a process as numbers rise, and with several threads waits some 10 to 30 ms for all
    /// processors each time: the loop would stand still at the 512th, 1,024th and 2,048th connection. Call it before
    /// any thread is started.
    package static func makeRoom(for count: Int) {
        #if canImport(Glibc)
        let highest = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(clamping: min(count, 1 << 16) - 1))
        if highest >= 0 { _ = close(highest) }
        #endif
    }
}

extension ServerLimits {
    /// The descriptors besides connections: listeners, files, pollers, connections to upstreams.
    private static let otherDescriptors = 96

    /// A number of connections above any system's limit.
    private static let mostConnections = 10_000_000

    /// Returns these limits with no more connections than there are descriptors, after raising their limit.
    package func fittingDescriptors() -> ServerLimits {
        let others = reserved + Self.otherDescriptors
        let available = DescriptorLimit.raise(to: min(connections, Self.mostConnections) + others)
        DescriptorLimit.makeRoom(for: min(connections + others, available))
        var fitting = self
        fitting.connections = max(min(connections, available - others), 1)
        return fitting
    }
}
