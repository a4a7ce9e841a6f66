#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The queue of jobs for the workers, and of the numbers of finished ones for the loop.
///
/// Unchecked: everything mutable is accessed with `mutex` held.
final class JobQueue: @unchecked Sendable {
    struct Job: Sendable {
        var number: Int
        var run: @Sendable () -> Void
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrived: UnsafeMutablePointer<pthread_cond_t>
    private let wakeUp: WakeUp
    private let capacity: Int
    /// A ring; the waiting jobs begin at `first`.
    private var waiting: [Job] = []
    private var first = 0
    private var done: [Int] = []
    private var isOpen = true

    init(capacity: Int, wakeUp: WakeUp) {
        self.capacity = capacity
        self.wakeUp = wakeUp
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        arrived = .allocate(capacity: 1)
        arrived.initialize(to: pthread_cond_t())
        _ = pthread_mutex_init(mutex, nil)
        _ = pthread_cond_init(arrived, nil)
    }

    deinit {
        _ = pthread_cond_destroy(arrived)
        _ = pthread_mutex_destroy(mutex)
        arrived.deallocate()
        mutex.deallocate()
    }

    /// Adds a job.
    ///
    /// Returns false if the queue is full and the job need not run, or after `close`.
    func add(_ job: Job, mustRun: Bool = false) -> Bool {
        locked {
            guard isOpen, mustRun || waiting.count - first < capacity else { return false }
            waiting.append(job)
            _ = pthread_cond_signal(arrived)
            return true
        }
    }

    /// Worker side: runs jobs until the queue is closed.
    func work() {
        while let job = next() {
            job.run()
            locked { done.append(job.number) }
            wakeUp.signal()
        }
    }

    /// Loop side: returns the numbers of the finished jobs, in the order in which they ended.
    func takeDone() -> [Int] {
        locked {
            let taken = done
            done = []
            return taken
        }
    }

    /// Makes the workers end after their present jobs; waiting jobs are dropped.
    func close() {
        locked {
            isOpen = false
            waiting = []
            first = 0
            _ = pthread_cond_broadcast(arrived)
        }
    }

    private func next() -> Job? {
        locked {
            while isOpen, first == waiting.count { _ = pthread_cond_wait(arrived, mutex) }
            guard isOpen else { return nil }
            let job = waiting[first]
            first += 1
            if first == waiting.count || first >= 64 {
                waiting.removeFirst(first)
                first = 0
            }
            return job
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        _ = pthread_mutex_lock(mutex)
        defer { _ = pthread_mutex_unlock(mutex) }
        return body()
    }
}
