import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

/// An exchange of a `URLSession` outside Apple's systems, with a cancellation that never blocks.
///
/// There `URLSession.data(for:)` cancels while the runtime holds the lock of the Swift task, and waits for the session's queue.
/// If that queue delivers the response at this moment, it waits for the same lock, and both wait for ever: the whole main
/// actor, if it was the one to cancel.
///
/// Whoever cancels is answered at once, and does not wait until the session says so.
actor DataExchange {
    private typealias Answer = CheckedContinuation<(Data, URLResponse), any Error>

    private enum State {
        case idle
        case running(URLSessionDataTask, Answer)
        case ended
    }

    private var state = State.idle

    /// Returns what a request brings; cancelling the Swift task ends it, with the error of Apple's systems.
    ///
    /// Each call has an exchange of its own.
    static func data(
        for request: URLRequest,
        in session: URLSession,
        by exchange: DataExchange = DataExchange()
    ) async throws -> (Data, URLResponse) {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Task { await exchange.start(request, in: session, continuation) }
            }
        } onCancel: {
            // Outside of the lock under which this runs.
            Task { await exchange.cancel(in: session) }
        }
    }

    private func start(_ request: URLRequest, in session: URLSession, _ continuation: Answer) {
        guard case .idle = state else { return continuation.resume(throwing: URLError(.cancelled)) }
        let task = session.dataTask(with: request) { data, response, error in
            let result: Result<(Data, URLResponse), any Error> =
                if let response, error == nil {
                    .success((data ?? Data(), response))
                } else {
                    .failure(error ?? URLError(.unknown))
                }
            Task { await self.end(result) }
        }
        state = .running(task, continuation)
        task.resume()
    }

    private func end(_ result: Result<(Data, URLResponse), any Error>) {
        guard case .running(_, let continuation) = state else { return }
        state = .ended
        continuation.resume(with: result)
    }

    private func cancel(in session: URLSession) {
        let former = state
        state = .ended
        guard case .running(let task, let continuation) = former else { return }
        // First the caller: the session's queues may be busy.
        continuation.resume(throwing: URLError(.cancelled))
        // The session ends the process if a task is cancelled while it takes that task off its list, which it does when this
        // queue has run the task's end. What runs on the queue itself comes before that end, or after it and does nothing.
        session.delegateQueue.addOperation { task.cancel() }
    }
}
#endif
