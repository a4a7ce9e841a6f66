package import CivilTime

/// The surroundings of a `PersistenceCoordinator`: a worker that writes, and timers.
package protocol PersistenceHost: AnyObject {
    /// Runs a job on the writing thread, and then the completion on the loop. Returns false, and runs neither, if there
    /// is no thread.
    func submit(_ job: @escaping @Sendable () -> Void, then completion: @escaping () -> Void) -> Bool

    /// Ends the writing thread after its present job; completions that have not run never do.
    func stopWriting()

    /// Runs an action on the loop after that time.
    func schedule(after delay: Interval, _ action: @escaping () -> Void)
}

/// A response that waits until the changes it reports are stored.
package protocol AwaitingStore {
    /// Lets it leave.
    func stored()

    /// Refuses it for that reason.
    func failed(_ reason: String)
}
