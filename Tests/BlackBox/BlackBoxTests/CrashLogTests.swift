import Foundation
import JSON
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// URLSession's rows of "The message in your crash log" (docs/guides/troubleshooting.md; wire contract, section 11).
///
/// Each call is read from the page. Those of other clients are in `Tests/RealClients`.
@Suite struct CrashLogTests {
    /// What a task ended with.
    private struct End {
        var code: Int?
        var expected: Int64 = 0
        var received = 0
    }

    /// A delegate that waits for the end of one task.
    private final class Waiter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
        private let lock = NSLock()
        private var end = End()
        private let done = DispatchSemaphore(value: 0)

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            lock.withLock { end.expected = response.expectedContentLength }
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            lock.withLock { end.received += data.count }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            lock.withLock { end.code = (error as NSError?)?.code }
            done.signal()
        }

        func wait() -> End {
            done.wait()
            return lock.withLock { end }
        }
    }

    private static func get(_ port: Int, timeout: TimeInterval = 60, isCancelled: () throws -> Bool = { false }) throws
        -> End
    {
        let waiter = Waiter()
        let session = URLSession(configuration: .ephemeral, delegate: waiter, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/api/v1/conversations")))
        request.timeoutInterval = timeout
        let task = session.dataTask(with: request)
        task.resume()
        if try isCancelled() { task.cancel() }
        return waiter.wait()
    }

    /// Makes the call of the row that has a text in its message.
    private static func stage(_ message: String, _ client: String, in served: Served) throws {
        let page = try String(
            contentsOf: Checkout.root.appending(path: "docs/guides/troubleshooting.md"),
            encoding: .utf8
        )
        let row = try #require(
            page.split(separator: "\n").first { $0.hasPrefix("| \(client) |") && $0.contains(message) }
        )
        let call = try #require(
            row.components(separatedBy: " | `understudy ").last?.components(separatedBy: "` |").first
        )
        // A call in the form `fault add '{…}'` has its JSON in quotes.
        let parts = call.split(separator: "'", maxSplits: 1).map(String.init)
        let words =
            parts[0].split(separator: " ").map(String.init) + parts.dropFirst().map { String($0.prefix { $0 != "'" }) }
        let done = try Program.run(words + ["--url", "http://127.0.0.1:\(served.hub)"])
        expectEqual(done.status, 0, done.errors)
    }

    @Test func `11 URLSession has the codes of the page`() throws {
        let served = try Served()
        try Self.stage("-1005", "URLSession", in: served)
        try expectEqual(Self.get(served.api).code, NSURLErrorNetworkConnectionLost)
        try Self.stage("-1011", "URLSession", in: served)
        #if os(Linux)
        try expectEqual(Self.get(served.api).code, NSURLErrorBadServerResponse)
        #else
        try expectEqual(Self.get(served.api).code, NSURLErrorNetworkConnectionLost)
        #endif
        try Self.stage("-1017", "URLSession", in: served)
        #if os(Linux)
        try expectEqual(Self.get(served.api).code, NSURLErrorUnsupportedURL)
        #else
        try expectEqual(Self.get(served.api).code, NSURLErrorCannotParseResponse)
        #endif
        // Each was used up.
        try expectEqual(Self.get(served.api).code, nil)
    }

    @Test func `11 URLSession gives up, and is cancelled, while nothing comes`() throws {
        let served = try Served()
        try Self.stage("-1001", "URLSession", in: served)
        try expectEqual(Self.get(served.api, timeout: 1).code, NSURLErrorTimedOut)
        try Self.stage("-999", "URLSession", in: served)
        let cancelled = try Self.get(served.api) {
            // It is under way.
            try Deadline().wait(for: "the request") {
                try served.control("GET", "/faults").json["items"]?[1]?["hits"] == 1
            }
            return true
        }
        expectEqual(cancelled.code, NSURLErrorCancelled)
    }

    @Test func `11 URLSession has no length where there is none`() throws {
        let served = try Served()
        let plain = try Self.get(served.api)
        #expect(plain.expected == Int64(plain.received) && plain.received > 0)
        try Self.stage("expectedContentLength", "any", in: served)
        let chunked = try Self.get(served.api)
        expectEqual(chunked.expected, -1)
        expectEqual(chunked.received, plain.received)
    }
}
