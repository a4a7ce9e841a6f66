#if canImport(Darwin)
package import Darwin

/// A thread of the system, without Foundation.
package enum SystemThread {
    /// Starts a thread; nil when the system has none left.
    package static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let box = Unmanaged.passRetained(ThreadBody(body))
        var thread: pthread_t?
        let failure = pthread_create(
            &thread,
            nil,
            { argument in
                Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            box.toOpaque()
        )
        guard failure == 0 else {
            box.release()
            return nil
        }
        return thread
    }

    /// Waits until the thread has ended.
    package static func join(_ thread: pthread_t) { _ = pthread_join(thread, nil) }
}
#endif
