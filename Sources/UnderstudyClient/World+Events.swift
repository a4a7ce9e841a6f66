import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Events (control contract, section 15; console contract, section 3).
extension World {
    /// Something that happened in the world.
    public struct Event: Sendable {
        /// The kind: `request`, `outcome`, `clock`, `gate`, `outbox`, `note`, `fault`, `scenario`, `reset`, `change` and others.
        public var kind: String
        /// The number of the event in the world, with which `events(after:)` goes on.
        public var id: Int
        /// The data.
        public var data: JSONValue
    }

    /// Returns the events from now on, or from the one after the number of an event.
    ///
    /// The stream ends with an error when the connection does; it is closed when nobody reads it any more.
    ///
    ///     for try await event in world.events() where event.kind == "request" {
    ///         print(event.data["path"]?.string ?? "")
    ///         break
    ///     }
    public func events(after id: Int? = nil) -> AsyncThrowingStream<Event, any Error> {
        AsyncThrowingStream { continuation in
            let client = client
            let task = Task {
                do {
                    let operation = ControlEndpoint.getEvents
                    var request = try client.request(operation.method, operation.path([]), timeout: 3_600)
                    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
                    if let id { request.setValue("\(id)", forHTTPHeaderField: "Last-Event-ID") }
                    var reader = EventReader()
                    for try await chunk in EventStream.chunks(of: request) {
                        for event in reader.read(chunk) { continuation.yield(event) }
                    }
                    continuation.finish(throwing: ControlError.unreachable("the stream of events ended"))
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

/// A response whose content is read as it comes; Linux has no `URLSession.bytes`.
private final class EventStream: NSObject, URLSessionDataDelegate {
    private let continuation: AsyncThrowingStream<Data, any Error>.Continuation

    private init(_ continuation: AsyncThrowingStream<Data, any Error>.Continuation) {
        self.continuation = continuation
    }

    static func chunks(of request: URLRequest) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            let configuration = URLSessionConfiguration.ephemeral
            // As in `ControlClient`.
            configuration.urlCache = nil
            let session = URLSession(
                configuration: configuration,
                delegate: EventStream(continuation),
                delegateQueue: nil
            )
            let task = session.dataTask(with: request)
            continuation.onTermination = { _ in
                // A reader that is cancelled runs this under the lock of its task, for which the session's queue may wait. And a
                // task may not be cancelled while the session takes it off its list, which follows its end on this queue.
                session.delegateQueue.addOperation {
                    task.cancel()
                    session.invalidateAndCancel()
                }
            }
            task.resume()
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200...299).contains(status) else {
            continuation.finish(throwing: ControlError.refused(status: status, title: "no events", detail: ""))
            return completionHandler(.cancel)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        continuation.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.finish(throwing: error.map { ControlError.unreachable(ControlClient.reason($0)) })
    }
}

/// A reader of server-sent events: bytes in, events out.
struct EventReader {
    private var left: [UInt8] = []
    private var kind = "message"
    private var id = 0
    private var data: [String] = []

    mutating func read(_ chunk: Data) -> [World.Event] {
        left += chunk
        var events: [World.Event] = []
        while let end = left.firstIndex(of: UInt8(ascii: "\n")) {
            var line = String(decoding: left[..<end], as: UTF8.self)
            left.removeSubrange(...end)
            if line.hasSuffix("\r") { line.removeLast() }
            if line.isEmpty {
                if let event = finish() { events.append(event) }
            } else {
                take(line)
            }
        }
        return events
    }

    private mutating func take(_ line: String) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count > 1 ? parts[1] : ""
        if value.hasPrefix(" ") { value.removeFirst() }
        switch parts[0] {
        case "event": kind = String(value)
        case "id": id = Int(value) ?? id
        case "data": data.append(String(value))
        default: break
        }
    }

    private mutating func finish() -> World.Event? {
        defer { (kind, data) = ("message", []) }
        guard !data.isEmpty else { return nil }
        let text = data.joined(separator: "\n")
        return World.Event(kind: kind, id: id, data: (try? JSONValue(data: Data(text.utf8))) ?? .string(text))
    }
}
