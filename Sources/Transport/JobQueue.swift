#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Jobs on their way to the workers, and the numbers of those that are done on their way back.
///
/// Unchecked: everything mutable is touched with `mutex` held.
final class JobQueue: @unchecked Sendable {
    struct Job: Sendable {
        var number: Int
        var run: @Sendable () -> Void
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let arrived: UnsafeMutablePointer<pthread_cond_t>
    private let wakeUp: WakeUp
    private let capacity: Int
    /// A ring: the jobs that wait stand from `first` on.
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

    /// Adds a job; false when as many wait as may and it is none that must run, or after `close`.
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

    /// Loop side: the numbers of the jobs that are done, in the order they ended.
    func takeDone() -> [Int] {
        locked {
            let taken = done
            done = []
            return taken
        }
    }

    /// Lets the workers end after the job they are at; jobs that wait are dropped.
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
