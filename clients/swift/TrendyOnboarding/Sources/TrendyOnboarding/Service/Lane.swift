/// The network work of one user, one piece at a time and in the order in which it was asked for.
@MainActor
final class Lane {
    private var last: Task<Void, Never>?
    private var work: [Int: Task<Void, Never>] = [:]
    private var count = 0

    /// Adds work behind that which is there.
    ///
    /// Cancelled work keeps its place and is called too, so that it can answer those who wait for it; it has to look at
    /// `Task.isCancelled` before it sends anything.
    @discardableResult
    func add(_ operation: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        let former = last
        count += 1
        let number = count
        let task = Task {
            await former?.value
            await operation()
            work[number] = nil
        }
        work[number] = task
        last = task
        return task
    }

    /// Cancels everything that runs or waits.
    func cancel() {
        for task in work.values { task.cancel() }
    }

    /// True if nothing runs or waits.
    var isIdle: Bool { work.isEmpty }

    /// Waits until everything has ended that was added before.
    func waitUntilIdle() async { await last?.value }
}
