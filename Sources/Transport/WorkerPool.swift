import Locking

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread or a few for work that may take milliseconds (disk, images, upstream).
///
/// Results come back on the loop's thread.
///
/// Belongs to the loop's thread, like the server that owns it.
package final class WorkerPool {
    private let queue: JobQueue
    private let threadLimit: Int
    private var threads: [pthread_t] = []
    private var completions: [Int: () -> Void] = [:]
    private var nextNumber = 0

    /// - Parameters:
    ///   - threads: started with the first job, not before.
    ///   - capacity: jobs that may wait for a thread; one more is refused.
    ///   - wakeUp: ends the loop's wait when a job is done.
    init(threads: Int, capacity: Int, wakeUp: WakeUp) {
        threadLimit = max(threads, 1)
        queue = JobQueue(capacity: max(capacity, 1), wakeUp: wakeUp)
    }

    deinit { stop() }

    /// Jobs handed in whose results have not been delivered.
    package var outstanding: Int { completions.count }

    /// Runs `job` on a worker and then `completion` with its result on the loop's thread.
    ///
    /// False, and neither is run, when too many jobs wait, unless it `mustRun`: then only where no thread is to be had.
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

    /// Runs the completions of the jobs that are done.
    func deliver() {
        guard !completions.isEmpty else { return }
        for number in queue.takeDone() { completions.removeValue(forKey: number)?() }
    }

    /// Ends the threads, each after the job it is at.
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
