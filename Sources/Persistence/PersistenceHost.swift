package import CivilTime

/// The surroundings of a `PersistenceCoordinator`: a worker that writes, and timers.
package protocol PersistenceHost: AnyObject {
    /// Runs a job on the one thread that writes, and then the completion on the loop; false, and neither is run, if no
    /// thread takes it.
    func submit(_ job: @escaping @Sendable () -> Void, then completion: @escaping () -> Void) -> Bool

    /// Ends the thread that writes after the job it is at; completions that have not run never do.
    func stopWriting()

    /// Runs an action on the loop after that time.
    func schedule(after delay: Interval, _ action: @escaping () -> Void)
}

/// An answer that waits until the changes it tells of are stored.
package protocol AwaitingStore {
    /// Lets it leave.
    func stored()

    /// Refuses it for that reason.
    func failed(_ reason: String)
}
