import Basics
import CivilTime
import Foundation
import Serving
import Transport
import Understudy
import UnderstudyClient

/// An emulator on a thread of its own; it stops when the last reference to it is released.
final class InProcessEmulator: Sendable {
    /// The hub's origin.
    let hub: String
    private let handle: ServerHandle

    init(_ configuration: Configuration) throws(ControlError) {
        let starter = Starter()
        _ = SystemThread.start {
            // The loop belongs to the thread that creates it.
            do throws(StartError) {
                let emulator = try RunningEmulator(configuration) { _ in }
                starter.started(.success((emulator.hub, emulator.handle)))
                emulator.run()
            } catch {
                starter.started(.failure(.unreachable("\(error)")))
            }
        }
        (hub, handle) = try starter.wait().get()
    }

    deinit { handle.stop(gracefulWithin: .zero) }
}

/// The result of the start, handed from the loop's thread to the caller.
private final class Starter: Sendable {
    typealias Outcome = Result<(hub: String, handle: ServerHandle), ControlError>

    private let outcome = Locked<Outcome?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func started(_ result: Outcome) {
        outcome.withLock { $0 = result }
        semaphore.signal()
    }

    func wait() -> Outcome {
        semaphore.wait()
        return outcome.withLock { $0 } ?? .failure(.unreachable("the server's thread ended"))
    }
}
