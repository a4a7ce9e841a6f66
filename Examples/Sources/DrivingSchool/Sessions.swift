import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests: all on one session, and on Linux every write on a connection of its own.
///
/// Below `URLSession` on Linux is libcurl. When a connection that was used before ends without a byte of an answer, it takes
/// the connection for a stale one and sends the request again by itself, whatever its method; the body is gone by then, and
/// the call hangs until the server gives up. A new connection can't be stale, so a lost answer is an error at once, and
/// whether to try again is the client's choice.
struct Sessions: Sendable {
    private let shared = URLSession(configuration: .ephemeral)

    func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        #if canImport(FoundationNetworking)
        if request.httpBody != nil {
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            return try await session.data(for: request)
        }
        #endif
        return try await shared.data(for: request)
    }
}
