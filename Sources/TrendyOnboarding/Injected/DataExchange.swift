import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking

/// An exchange of a `URLSession` outside Apple's systems, with a cancellation that never blocks.
///
/// There `URLSession.data(for:)` cancels while the runtime holds the lock of the Swift task, and waits for the session's queue.
/// If that queue delivers the response at this moment, it waits for the same lock, and both wait for ever: the whole main
/// actor, if it was the one to cancel.
actor DataExchange {
    private var task: URLSessionDataTask?
    private var isCancelled = false

    /// Returns what a request brings; cancelling the Swift task ends it.
    static func data(for request: URLRequest, in session: URLSession) async throws -> (Data, URLResponse) {
        let exchange = DataExchange()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Task { await exchange.start(request, in: session, continuation) }
            }
        } onCancel: {
            // Outside of the lock under which this runs.
            Task { await exchange.cancel() }
        }
    }

    private func start(
        _ request: URLRequest,
        in session: URLSession,
        _ continuation: CheckedContinuation<(Data, URLResponse), any Error>
    ) {
        guard !isCancelled else { return continuation.resume(throwing: CancellationError()) }
        let task = session.dataTask(with: request) { data, response, error in
            if let response, error == nil {
                continuation.resume(returning: (data ?? Data(), response))
            } else {
                continuation.resume(throwing: error ?? URLError(.unknown))
            }
        }
        self.task = task
        task.resume()
    }

    private func cancel() {
        isCancelled = true
        task?.cancel()
    }
}
#endif
