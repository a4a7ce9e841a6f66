import CivilTime
import JSON
import Journal
import Traffic

/// One thing that the log tells beside the exchanges.
enum LogRecord: Sendable {
    /// The kinds of lines beside requests (clients contract, section 3).
    enum Kind: String, Sendable { case warning, notice }

    /// A request that belongs to no world.
    struct Call: Sendable {
        let at: Instant
        /// The place of the API's name: `control` for a control call.
        let area: String
        let method: String
        let path: String
        let status: Int
        let peer: String
    }

    case call(Call)
    case words(Kind, at: Instant, event: String, [String])
    /// Belongs into the line of an unmatched request, behind its mark: the route that it probably meant.
    case hint(api: String, path: String, method: String)
}

/// The lines of the log as bytes.
///
/// The loop writes the lines of exchanges, since a copy of what they are made of would cost more than their bytes. The
/// rest takes longer and is rare, so that the log's thread writes it.
struct LogWriter: Sendable {
    let format: AccessLog.Format
    /// The route that a request probably meant.
    private let nearest: @Sendable (_ api: String, _ path: String, _ method: String) -> String?
    private let text: TrafficText

    init(
        format: AccessLog.Format,
        isColored: Bool,
        nearest: @escaping @Sendable (_ api: String, _ path: String, _ method: String) -> String?
    ) {
        self.format = format
        self.nearest = nearest
        text = TrafficText(isColored: isColored)
    }

    // MARK: Exchanges

    /// Appends the line of an exchange; returns the place at which the hint of an unmatched one belongs.
    func append(
        _ line: JournalLine,
        world: String,
        isUnmatched: Bool,
        by json: inout JSONLogLine,
        to bytes: inout [UInt8]
    ) -> Int? {
        switch format {
        case .text:
            appendText(line, world, isUnmatched, to: &bytes)
            let end = bytes.count
            bytes.append(0x0A)
            return isUnmatched ? end : nil
        case .json:
            json.append(line, world: world, to: &bytes)
            bytes.append(0x0A)
            return nil
        }
    }

    private func appendText(_ line: JournalLine, _ world: String, _ isUnmatched: Bool, to bytes: inout [UInt8]) {
        line.at.appendTimeOfDay(to: &bytes)
        text.appendRequest(
            api: line.api,
            world: world,
            method: line.method,
            path: line.path,
            query: line.query ?? "",
            to: &bytes
        )
        text.appendResponse(
            status: line.status,
            outcome: line.outcome.rawValue,
            milliseconds: line.milliseconds,
            size: Int64(line.responseBytes),
            to: &bytes
        )
        TrafficText.appendSource(
            answeredBy: line.answeredBy,
            nearestStub: line.nearestStub,
            violations: line.violations,
            to: &bytes
        )
        TrafficText.appendMarks(
            fault: line.fault,
            scenario: line.scenario,
            gate: line.gate,
            replayOf: line.replayOf,
            isUnmatched: isUnmatched,
            to: &bytes
        )
    }

    // MARK: The rest

    func append(_ record: LogRecord, to bytes: inout [UInt8]) {
        switch (format, record) {
        case (_, .hint(let api, let path, let method)):
            if let route = nearest(api, path, method) { TrafficText.appendHint(route, to: &bytes) }
        case (.text, .call(let call)):
            var line = TrafficLine()
            line.at = call.at.iso8601(.milliseconds)
            (line.api, line.method, line.path, line.status) = (call.area, call.method, call.path, call.status)
            append(text.line(line), to: &bytes)
        case (.json, .call(let call)):
            append(
                [
                    "kind": "request", "at": .string(call.at.iso8601(.milliseconds)), "api": .string(call.area),
                    "method": .string(call.method), "path": .string(call.path), "status": .integer(Int64(call.status)),
                    "peer": .string(call.peer),
                ],
                to: &bytes
            )
        case (.text, .words(let kind, let at, let event, let reasons)):
            let time = TrafficText.time(at.iso8601(.milliseconds))
            let mark = kind == .warning ? "warning: " : ""
            for reason in reasons.isEmpty ? [""] : reasons {
                append(
                    VisibleText.escaped("\(time)  \(mark)\(event)\(reason.isEmpty ? "" : ": \(reason)")"),
                    to: &bytes
                )
            }
        case (.json, .words(let kind, let at, let event, let reasons)):
            append(
                [
                    "kind": .string(kind.rawValue), "at": .string(at.iso8601(.milliseconds)), "event": .string(event),
                    "text": .string(reasons.isEmpty ? event : "\(event): \(reasons.joined(separator: "; "))"),
                ],
                to: &bytes
            )
        }
    }

    /// Tells how many lines were left out.
    func append(dropped: Int, to bytes: inout [UInt8]) {
        let lines = dropped == 1 ? "1 line was" : "\(dropped) lines were"
        let text = "\(lines) dropped because the log's reader was too slow"
        switch format {
        case .text: append("warning: \(text)", to: &bytes)
        case .json:
            append(["kind": "warning", "text": .string(text), "dropped": .integer(Int64(dropped))], to: &bytes)
        }
    }

    private func append(_ text: String, to bytes: inout [UInt8]) {
        bytes += text.utf8
        bytes.append(0x0A)
    }

    private func append(_ object: JSONObject, to bytes: inout [UInt8]) {
        bytes += JSON.object(object).serialized()
        bytes.append(0x0A)
    }
}
