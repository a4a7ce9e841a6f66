import Backend
import Basics
import CivilTime
import HTTPMessage
import HTTPWire
import Handshakes
import JSON
import Journal
import Transport

/// One line for each exchange as it ends, as text for people or as JSON for tools (clients contract, section 3).
///
/// The loop appends to a buffer. A thread of its own writes it, so that a slow or stopped reader never blocks anything:
/// what has no room is left out, and a line tells how much. Neither header fields nor bodies are logged.
package final class AccessLog: Sendable {
    package enum Format: String, Sendable, CaseIterable { case text, json }
    package enum Level: Sendable { case quiet, normal, verbose }

    /// Work for the thread: finished lines, and what it has to write between them.
    private struct Batch {
        var lines: [UInt8] = []
        var rest: [(place: Int, record: LogRecord)] = []
        /// The approximate bytes of the rest.
        var cost = 0
        var dropped = 0

        var isEmpty: Bool { lines.isEmpty && rest.isEmpty && dropped == 0 }

        /// Tells whether so many bytes more may wait; counts a line that may not.
        mutating func hasRoom(for count: Int) -> Bool {
            guard lines.count + cost + count > AccessLog.capacity else { return true }
            dropped += 1
            return false
        }

        mutating func append(_ record: LogRecord, at place: Int, cost: Int) {
            rest.append((place, record))
            self.cost += cost
        }

        /// Empties it; what it has taken of memory stays for the next.
        mutating func clear() {
            lines.removeAll(keepingCapacity: true)
            rest.removeAll(keepingCapacity: true)
            (cost, dropped) = (0, 0)
        }
    }

    private struct State {
        var waiting = Batch()
        var json = JSONLogLine()
        /// Tells that the thread runs.
        var isWriting = false
        /// Tells that the last batch has not been taken yet.
        var isStuck = false
    }

    /// Bytes that may wait for the reader.
    private static let capacity = 4 * 1024 * 1024
    /// The pause between two batches: many lines cost few calls of the system.
    private static let pause = Interval.milliseconds(20)
    /// Pauses without a line after which the thread ends.
    private static let patience = 50

    private let level: Level
    private let writer: LogWriter
    private let write: @Sendable ([UInt8]) -> Void
    private let state = Locked(State())

    package init(
        format: Format,
        level: Level,
        isColored: Bool = false,
        nearest: @escaping @Sendable (_ api: String, _ path: String, _ method: String) -> String? = { _, _, _ in nil },
        write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.level = level
        writer = LogWriter(format: format, isColored: isColored, nearest: nearest)
        self.write = write
    }

    /// Tells whether requests to the APIs are logged.
    var showsRequests: Bool { level != .quiet }

    /// Logs an exchange that has ended.
    func add(_ line: JournalLine, world: String, isUnmatched: Bool) {
        guard level != .quiet else { return }
        let room =
            512 + line.path.utf8.count + (line.query?.utf8.count ?? 0) + (line.nearestStub?.utf8.count ?? 0)
        let starts = state.withLock { state -> Bool in
            guard state.waiting.hasRoom(for: room) else { return false }
            let hintPlace = writer.append(
                line,
                world: world,
                isUnmatched: isUnmatched,
                by: &state.json,
                to: &state.waiting.lines
            )
            if let hintPlace {
                let hint = LogRecord.hint(api: line.api, path: line.path, method: line.method)
                state.waiting.append(hint, at: hintPlace, cost: room)
            }
            return Self.startsThread(&state)
        }
        if starts { startThread() }
    }

    /// Logs a request that belongs to no world: a control call, or one that was refused.
    ///
    /// Control calls are logged only when verbose.
    func note(
        _ head: RequestHead,
        _ status: Status,
        _ peer: String,
        _ hostTime: HostTime,
        isControl: Bool = false
    ) {
        guard level == .verbose || (level == .normal && !isControl) else { return }
        let call = LogRecord.Call(
            at: hostTime.wall,
            area: isControl ? "control" : "-",
            method: head.method.rawValue,
            path: head.target.rawPath,
            status: status.code,
            peer: peer
        )
        add(.call(call), cost: 256 + call.path.utf8.count)
    }

    /// Logs a request that was refused before it could be read.
    func note(_ refusal: WireRefusal, _ peer: String, _ hostTime: HostTime) {
        guard level != .quiet else { return }
        let hint = refusal.isTLSHandshake ? " Start with --tls on, and it speaks both." : ""
        let text = "\(refusal.status.code) to \(peer): \(refusal.detail)\(hint)"
        add(.words(.warning, at: hostTime.wall, event: "refused", [text]), cost: 256 + text.utf8.count)
    }

    /// Logs a handshake of TLS that has failed (transport contract, section 7).
    func note(_ failure: HandshakeFailure) {
        guard level != .quiet else { return }
        let name = failure.serverName.map { " for \($0)" } ?? ""
        let alert = failure.alert.map { " (\($0.alert.name) from the \($0.from.rawValue))" } ?? ""
        let fault = failure.fault.map { " by \($0)" } ?? ""
        let text =
            "\(failure.api), \(failure.peer)\(name): \(failure.reason.rawValue)\(alert)\(fault). \(failure.advice)"
        add(.words(.warning, at: failure.at, event: "tls", [text]), cost: 256 + text.utf8.count)
    }

    /// Logs what the forward proxy refuses or passes on.
    func tellProxy(_ text: String, _ hostTime: HostTime) {
        guard level != .quiet else { return }
        add(.words(.notice, at: hostTime.wall, event: text, []), cost: 256 + text.utf8.count)
    }

    /// Logs an event at every level: its name and its reasons.
    func tell(_ event: String, _ reasons: [String], _ hostTime: HostTime) {
        let kind: LogRecord.Kind = event.contains("refused") ? .warning : .notice
        let cost = reasons.reduce(256) { $0 + $1.utf8.count }
        add(.words(kind, at: hostTime.wall, event: event, reasons), cost: cost)
    }

    // MARK: Writing

    private func add(_ record: LogRecord, cost: Int) {
        let starts = state.withLock { state -> Bool in
            guard state.waiting.hasRoom(for: cost) else { return false }
            state.waiting.append(record, at: state.waiting.lines.count, cost: cost)
            return Self.startsThread(&state)
        }
        if starts { startThread() }
    }

    /// Tells whether the thread has to be started for what waits now.
    private static func startsThread(_ state: inout State) -> Bool {
        guard !state.isWriting else { return false }
        state.isWriting = true
        return true
    }

    private func startThread() {
        guard SystemThread.startDetached({ [self] in run() }) else {
            // Without a thread the next line tries again.
            state.withLock { $0.isWriting = false }
            return
        }
    }

    /// Writes batches until nothing has come for a while.
    private func run() {
        var idle = 0
        // Two buffers take turns: one fills while the other is written.
        var batch = Batch()
        while true {
            if writeBatch(&batch) {
                idle = 0
            } else {
                idle += 1
                let ends = state.withLock { state -> Bool in
                    guard idle > Self.patience, state.waiting.isEmpty else { return false }
                    state.isWriting = false
                    state.waiting = Batch()
                    return true
                }
                if ends { return }
            }
            SystemThread.pause(Self.pause)
        }
    }

    /// Writes what waits; false if there was nothing.
    private func writeBatch(_ batch: inout Batch) -> Bool {
        batch.clear()
        state.withLock { state in
            swap(&batch, &state.waiting)
            state.isStuck = !batch.isEmpty
        }
        guard !batch.isEmpty else { return false }
        if batch.rest.isEmpty, batch.dropped == 0 {
            write(batch.lines)
        } else {
            write(whole(batch))
        }
        state.withLock { $0.isStuck = false }
        return true
    }

    /// Returns the lines of a batch with the rest in its places.
    private func whole(_ batch: Batch) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(batch.lines.count + batch.cost)
        var next = 0
        for (place, record) in batch.rest {
            bytes += batch.lines[next..<place]
            next = place
            writer.append(record, to: &bytes)
        }
        bytes += batch.lines[next...]
        if batch.dropped > 0 { writer.append(dropped: batch.dropped, to: &bytes) }
        return bytes
    }

    /// Waits until everything is written, at most a second; false if the reader takes nothing.
    package func close() -> Bool {
        for _ in 0..<200 {
            let isDone = state.withLock { $0.waiting.isEmpty && !$0.isStuck }
            if isDone { return true }
            SystemThread.pause(.milliseconds(5))
        }
        return false
    }
}
