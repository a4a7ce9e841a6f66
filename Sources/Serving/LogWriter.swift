import CivilTime
import Emulation
import JSON
import Traffic

/// One thing that the log tells.
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

    case exchange(LoggedExchange)
    case call(Call)
    case words(Kind, at: Instant, event: String, [String])
}

/// The lines of the log as bytes.
struct LogWriter: Sendable {
    let format: AccessLog.Format
    let isColored: Bool
    /// The route that a request probably meant.
    let nearest: @Sendable (_ api: String, _ path: String, _ method: String) -> String?

    func append(_ record: LogRecord, to bytes: inout [UInt8]) {
        switch (format, record) {
        case (.text, .exchange(let exchange)): appendText(exchange, to: &bytes)
        case (.json, .exchange(let exchange)): appendJSON(exchange, to: &bytes)
        case (.text, .call(let call)):
            var line = TrafficLine()
            line.at = call.at.iso8601(.milliseconds)
            (line.api, line.method, line.path, line.status) = (call.area, call.method, call.path, call.status)
            append(TrafficText(isColored: isColored).line(line), to: &bytes)
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
        let text = "\(lines) left out, because the log's reader was too slow"
        switch format {
        case .text: append("warning: \(text)", to: &bytes)
        case .json:
            append(["kind": "warning", "text": .string(text), "dropped": .integer(Int64(dropped))], to: &bytes)
        }
    }

    private func appendText(_ exchange: LoggedExchange, to bytes: inout [UInt8]) {
        let entry = exchange.line
        var line = TrafficLine()
        line.at = entry.at.iso8601(.milliseconds)
        line.api = entry.api
        line.world = exchange.world
        line.method = entry.method
        line.path = entry.path
        line.query = entry.query ?? ""
        line.status = entry.status
        line.outcome = entry.outcome.rawValue
        line.milliseconds = entry.milliseconds
        line.responseBytes = Int64(entry.responseBytes)
        (line.fault, line.scenario, line.gate, line.replayOf) = (
            entry.fault, entry.scenario, entry.gate, entry.replayOf
        )
        if exchange.isUnmatched {
            line.isUnmatched = true
            line.nearest = nearest(entry.api, entry.path, entry.method)
        }
        TrafficText(isColored: isColored).append(line, to: &bytes)
        bytes.append(0x0A)
    }

    /// The members of the journal's line, with the world after the API.
    private func appendJSON(_ exchange: LoggedExchange, to bytes: inout [UInt8]) {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.name("kind")
        writer.string("request")
        for member in JournalLine.members {
            guard member.append(exchange.line, to: &writer) else { continue }
            guard member.name == "api" else { continue }
            writer.name("world")
            writer.string(exchange.world)
        }
        writer.endObject()
        bytes += writer.bytes
        bytes.append(0x0A)
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
