import Basics

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One or more threads for work that may take milliseconds (disk, images, upstream).
///
/// Results come back on the loop's thread.
///
/// It belongs to the loop's thread, like the server that owns it.
package final class WorkerPool {
    private let queue: JobQueue
    private let threadLimit: Int
    private var threads: [pthread_t] = []
    private var completions: [Int: () -> Void] = [:]
    private var nextNumber = 0

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - threads: The number of threads, which start with the first job.
    ///   - capacity: The number of jobs that may wait for a thread; further ones are refused.
    ///   - wakeUp: Ends the loop's wait when a job is done.
    init(threads: Int, capacity: Int, wakeUp: WakeUp) {
        threadLimit = max(threads, 1)
        queue = JobQueue(capacity: max(capacity, 1), wakeUp: wakeUp)
    }

    deinit { stop() }

    /// The number of submitted jobs whose results have not been delivered.
    package var outstanding: Int { completions.count }

    /// Runs `job` on a worker and then `completion` with its result on the loop's thread.
    ///
    /// Returns false, and runs neither, when too many jobs wait. With `mustRun` that happens only when there is no
    /// thread.
    package func submit<Value: Sendable>(
        mustRun: Bool = false,
        _ job: @escaping @Sendable () -> Value,
        then completion: @escaping (Value) -> Void
    ) -> Bool {
        startThreads()
        guard !threads.isEmpty else { return false }
        let result = ResultBox<Value>()
        let number = nextNumber
        let run: @Sendable () -> Void = {
            let value = job()
            result.value.withLock { $0 = value }
        }
        guard queue.add(JobQueue.Job(number: number, run: run), mustRun: mustRun) else { return false }
        nextNumber += 1
        completions[number] = {
            guard let value = result.value.withLock({ $0 }) else { return }
            completion(value)
        }
        return true
    }

    /// Runs the completions of the finished jobs.
    func deliver() {
        guard !completions.isEmpty else { return }
        for number in queue.takeDone() { completions.removeValue(forKey: number)?() }
    }

    /// Ends the threads, each after its present job.
    ///
    /// Completions not yet delivered never run.
    package func stop() {
        queue.close()
        threads.forEach(SystemThread.join)
        threads = []
        completions = [:]
    }

    private func startThreads() {
        while threads.count < threadLimit {
            let queue = queue
            let work: @Sendable () -> Void = {
                SystemThread.giveWay()
                queue.work()
            }
            guard let thread = SystemThread.start(work) else { return }
            threads.append(thread)
        }
    }
}

private final class ResultBox<Value: Sendable>: Sendable {
    let value = Locked<Value?>(nil)
}
