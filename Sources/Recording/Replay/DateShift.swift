import Basics
package import CivilTime
import Crypto
import HTTPMessage
package import JSON

/// Moves the dates and token lifetimes of a response by the time that has passed since it was recorded.
package struct DateShift: Sendable {
    /// The interval from the moment of the recording to the world's present.
    package let by: Interval

    package init(by: Interval) { self.by = by }

    // MARK: Texts

    /// Returns a text that is a date moved, in the same form; anything else unchanged.
    package func text(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard (10...40).contains(bytes.count) else { return token(text) ?? text }
        if let instant = Instant(httpDate: text) { return (instant + by).httpDate }
        // The form of cookies since Netscape.
        if bytes.count == 29, bytes[7] == 0x2D, bytes[11] == 0x2D {
            var plain = bytes
            (plain[7], plain[11]) = (0x20, 0x20)
            if let instant = Instant(httpDate: String(decoding: plain, as: UTF8.self)) {
                var moved = Array((instant + by).httpDate.utf8)
                (moved[7], moved[11]) = (0x2D, 0x2D)
                return String(decoding: moved, as: UTF8.self)
            }
        }
        guard bytes[0] &- 0x30 < 10, let instant = Instant(isoDayOrDateTime: text) else { return token(text) ?? text }
        let moved = instant + by
        guard bytes.count > 10 else { return moved.isoDay }
        return iso(moved, like: bytes)
    }

    /// Returns an instant with the zone and the number of fraction digits of the model.
    private func iso(_ moved: Instant, like model: [UInt8]) -> String {
        var zone = model.last.map { [$0] } ?? []
        var local = moved
        if zone != [0x5A] {
            zone = Array(model.suffix(6))
            let sign: Int64 = zone[0] == 0x2D ? -1 : 1
            let digits = zone.map { Int64($0 &- 0x30) }
            local = moved + .minutes(sign * ((digits[1] * 10 + digits[2]) * 60 + digits[4] * 10 + digits[5]))
        }
        let printed = Array(local.iso8601(.microseconds).utf8)
        let fraction = max(model.count - zone.count - 19, 0)
        // Longer than microseconds: the rest is zeros.
        let kept = printed[..<min(19 + fraction, 26)] + [UInt8](repeating: 0x30, count: max(fraction - 7, 0))
        return String(decoding: kept + zone, as: UTF8.self)
    }

    /// Returns a token with shifted times; its signature is invalid here either way.
    private func token(_ text: String) -> String? {
        guard text.hasPrefix("ey"), let parts = try? JWT.Parts(parsing: text),
            let payload = (try? JSONReader.read(parts.payloadBytes))?.objectValue
        else { return nil }
        var moved = payload
        for name in ["iat", "nbf", "exp", "auth_time"] {
            if let time = payload[name]?.intValue { moved[name] = .integer(time.addingClamped(by.wholeSeconds)) }
        }
        guard moved != payload else { return nil }
        let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
        return "\(pieces[0]).\(Base64URL.encode(JSON.object(moved).serialized())).\(pieces[2])"
    }

    // MARK: Content

    /// Returns JSON content with its dates moved in place.
    package func content(_ bytes: [UInt8], isEventStream: Bool) -> [UInt8] {
        if isEventStream {
            return Array(
                bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line -> [UInt8] in
                    guard line.starts(with: Array("data:".utf8)) else { return Array(line) }
                    let start = line.startIndex + (line.count > 5 && line[line.startIndex + 5] == 0x20 ? 6 : 5)
                    return line[..<start] + content(Array(line[start...]), isEventStream: false)
                }.joined(separator: [0x0A])
            )
        }
        guard (try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 512, allowBOM: true))) != nil else {
            return bytes
        }
        var rewriter = JSONRewriter(bytes)
        return rewriter.rewritten(
            string: { text, name in Self.isBirth(name) ? text : self.text(text) },
            number: { literal, name in number(literal, under: name) }
        )
    }

    private func number(_ literal: String, under name: String) -> String {
        // A fraction of a second stays.
        let whole = literal.prefix { $0 != "." }
        guard let value = Int64(whole), Self.isTime(.integer(value), under: name) else { return literal }
        let step = value > 100_000_000_000 ? by.wholeMilliseconds : by.wholeSeconds
        return "\(value.addingClamped(step))" + literal.dropFirst(whole.count)
    }

    /// Returns true for a date of birth, which does not move.
    private static func isBirth(_ name: String) -> Bool {
        let plain = name.lowercased()
        return plain == "dob" || plain.contains("birth") || plain.hasSuffix("_dob")
    }

    /// Returns true if a number is a present-day time: by its name, and by its size in seconds or milliseconds since
    /// 1970.
    package static func isTime(_ json: JSON, under name: String) -> Bool {
        guard case .integer(let value) = json else { return false }
        let isSeconds = (946_684_800...4_102_444_800).contains(value)
        let isMilliseconds = (946_684_800_000...4_102_444_800_000).contains(value)
        guard isSeconds || isMilliseconds else { return false }
        var name = name
        for unit in ["Ms", "_ms", "Millis", "_millis", "Seconds", "_seconds", "Sec", "_sec"] where name.hasSuffix(unit)
        {
            name.removeLast(unit.count)
            break
        }
        if ["exp", "iat", "nbf", "created", "updated", "expires", "timestamp", "ts", "time", "date"].contains(
            name.lowercased()
        ) {
            return true
        }
        return ["At", "_at", "Time", "_time", "Timestamp", "_timestamp", "Date", "_date", "Until", "Since"].contains {
            name.hasSuffix($0)
        }
    }

    /// Returns a header field's value with its dates, and the times of cookies, moved.
    package func header(_ name: String, _ value: String) -> String {
        let lower = name.lowercased()
        guard lower == "set-cookie" else {
            // `X-RateLimit-Reset` and similar fields.
            let isTime = ["reset", "expires", "timestamp", "-time", "-date", "-at"].contains { lower.hasSuffix($0) }
            return isTime && Int64(value) != nil ? number(value, under: "time") : text(value)
        }
        return value.split(separator: ";", omittingEmptySubsequences: false).map { piece -> String in
            let prefix = piece.prefix { $0 != "=" }
            guard prefix.drop(while: { $0 == " " }).lowercased() == "expires", prefix.count < piece.count else {
                return String(piece)
            }
            return prefix + "=" + text(String(piece.dropFirst(prefix.count + 1)))
        }.joined(separator: ";")
    }
}
