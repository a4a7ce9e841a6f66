#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Holds a folder for one process, until it ends in whatever way.
package final class FolderLock {
    private let descriptor: Int32

    /// Nil if another process holds it; throws if the folder can't be opened.
    package init?(_ path: String) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
        guard descriptor >= 0 else { throw StorageError(.notAccessible, String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(descriptor)
            guard reason == EWOULDBLOCK else { throw StorageError(.notAccessible, String(cString: strerror(reason))) }
            return nil
        }
        self.descriptor = descriptor
    }

    deinit {
        // A child that another thread is starting has the descriptor too until it execs, and would keep the lock meanwhile.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
