import CivilTime
import Emulation
import HTTPMessage
import HTTPWire
import JSON
import Transport

/// One line for each request, as text for people or as JSON for tools.
///
/// Lines are written on a worker, so a slow or stopped reader never blocks the loop. Lines that do not fit the buffer
/// are dropped; their number is logged later. Credentials never appear: neither header fields, nor bodies, nor queries
/// are logged.
final class AccessLog {
    /// Bytes that may wait for the reader.
    private static let capacity = 1024 * 1024

    private let format: Configuration.LogFormat
    private let level: Configuration.LogLevel
    private let write: @Sendable ([UInt8]) -> Void
    var pool: WorkerPool?
    private var waiting: [UInt8] = []
    private var dropped = 0
    private var isWriting = false

    init(
        format: Configuration.LogFormat,
        level: Configuration.LogLevel,
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.format = format
        self.level = level
        self.write = write
    }

    /// Tells whether requests to the APIs are logged.
    var showsRequests: Bool { level != .quiet }

    /// Logs a request that was answered.
    ///
    /// Control calls are logged only when verbose. `path` is shown instead of the requested path.
    func note(
        _ head: RequestHead,
        _ status: Status,
        _ peer: String,
        _ hostTime: HostTime,
        isControl: Bool = false,
        path: String? = nil
    ) {
        guard level == .verbose || (level == .normal && !isControl) else { return }
        line(head.method.rawValue, path ?? head.target.rawPath, status, peer, hostTime, nil)
    }

    /// Logs a request that was refused before it could be read.
    func note(_ refusal: WireRefusal, _ peer: String, _ hostTime: HostTime) {
        guard level != .quiet else { return }
        line("-", "-", refusal.status, peer, hostTime, refusal.detail)
    }

    /// Logs an event at every level: its name and its reasons.
    func tell(_ event: String, _ reasons: [String], _ hostTime: HostTime) {
        let at = hostTime.wall.iso8601(.milliseconds)
        switch format {
        case .text:
            for text in reasons.isEmpty ? [""] : reasons {
                add(Array("\(at)  \(event)\(text.isEmpty ? "" : "  \(text)")\n".utf8))
            }
        case .json:
            let object: JSONObject = [
                "at": .string(at), "event": .string(event), "reasons": .array(reasons.map { .string($0) }),
            ]
            add(JSON.object(object).serialized() + [0x0A])
        }
    }

    private func line(
        _ method: String,
        _ path: String,
        _ status: Status,
        _ peer: String,
        _ hostTime: HostTime,
        _ detail: String?
    ) {
        let at = hostTime.wall.iso8601(.milliseconds)
        switch format {
        case .text:
            let more = detail.map { "  \($0)" } ?? ""
            add(Array("\(at)  \(status.code)  \(method) \(path)\(more)\n".utf8))
        case .json:
            var object: JSONObject = [
                "at": .string(at), "status": .integer(Int64(status.code)), "method": .string(method),
                "path": .string(path), "peer": .string(peer),
            ]
            if let detail { object.append("detail", .string(detail)) }
            add(JSON.object(object).serialized() + [0x0A])
        }
    }

    private func add(_ bytes: [UInt8]) {
        guard waiting.count + bytes.count <= Self.capacity else {
            dropped += 1
            return
        }
        waiting += bytes
        flush()
    }

    private func flush() {
        guard !isWriting, !waiting.isEmpty, let pool else { return }
        let batch =
            waiting + (dropped > 0 ? Array("(\(dropped) lines left out: the log's reader was too slow)\n".utf8) : [])
        let write = write
        isWriting = pool.submit {
            write(batch)
        } then: { [weak self] in
            self?.isWriting = false
            self?.flush()
        }
        guard isWriting else { return }
        waiting.removeAll(keepingCapacity: true)
        dropped = 0
    }
}
