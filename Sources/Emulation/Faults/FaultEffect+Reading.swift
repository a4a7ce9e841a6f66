import HTTPMessage
import JSON

extension FaultEffect {
    /// Bytes that a count in a fault may name: more than any body has.
    private static let bytes: ClosedRange<Int64> = 0...1_000_000_000
    private static let rate: ClosedRange<Int64> = 1...1_000_000_000_000
    private static let milliseconds: ClosedRange<Int64> = 0...86_400_000
    private static let events: ClosedRange<Int64> = 0...1_000_000
    private static let kinds = [
        "status", "delay", "throttle", "dribble", "connection", "body", "drift", "stream", "upload", "tokens",
    ]

    /// Reads an `effect` object; what does not fit is noted in `check`.
    package static func read(_ check: inout BodyCheck) -> FaultEffect? {
        let named = check.named(kinds)
        guard named.count == 1, let kind = named.first else {
            // What goes with one of them is not unknown by itself.
            for name in kinds + ["retryAfter", "code", "message", "afterBytes", "forMs"] { _ = check.present(name) }
            check.fault(
                "must have exactly one of \(kinds.joined(separator: ", "))"
                    + (named.isEmpty ? "" : "; found \(named.joined(separator: " and "))")
            )
            return nil
        }
        switch kind {
        case "status": return readStatus(&check)
        case "delay": return check.inner("delay", DelayDistribution.read).map { .delay($0) }
        case "throttle":
            return check.inner("throttle") { required("bytesPerSecond", &$0, in: rate) }
                .map { .throttle(bytesPerSecond: $0) }
        case "dribble":
            return check.inner("dribble") { inner in
                let chunks = required("chunks", &inner, in: 1...10_000)
                let time = required("overMs", &inner, in: milliseconds)
                guard let chunks, let time else { return nil }
                return .dribble(chunks: chunks, overMilliseconds: time)
            }
        case "connection": return readConnection(&check)
        case "body": return check.choice("body", Body.self).map { .body($0) }
        case "drift": return check.inner("drift", Drift.read).map { .drift($0) }
        case "stream": return check.inner("stream", readStream).map { .stream($0) }
        case "upload": return check.inner("upload", readUpload).map { .upload($0) }
        default: return check.choice("tokens", TokenEnding.Manner.self).map { .tokens($0) }
        }
    }

    private static func required(_ name: String, _ check: inout BodyCheck, in range: ClosedRange<Int64>) -> Int? {
        guard check.value(name) != nil else {
            check.fault(name, "is required")
            return nil
        }
        return check.integer(name, in: range).map(Int.init)
    }

    private static func readStatus(_ check: inout BodyCheck) -> FaultEffect? {
        let status = check.integer("status", in: 200...599)
        let retry = check.integer("retryAfter", in: 0...1_000_000_000)
        let code = check.string("code")
        let message = check.string("message")
        return status.map {
            .status(
                InjectedStatus(Status(Int($0)), retryAfter: retry.map(Int.init), code: code, message: message)
            )
        }
    }

    private enum ConnectionName: String, CaseIterable {
        case reset, empty, stall, truncate, garbage
        case malformedChunk = "malformed-chunk"
    }

    private static func readConnection(_ check: inout BodyCheck) -> FaultEffect? {
        guard let name = check.choice("connection", ConnectionName.self) else {
            for name in ["afterBytes", "forMs"] { _ = check.present(name) }
            return nil
        }
        switch name {
        case .reset: return .connection(.reset(afterBytes: check.integer("afterBytes", in: bytes).map(Int.init)))
        case .truncate: return .connection(.truncate(afterBytes: check.integer("afterBytes", in: bytes).map(Int.init)))
        case .stall:
            return .connection(.stall(forMilliseconds: check.integer("forMs", in: milliseconds).map(Int.init)))
        case .empty: return .connection(.empty)
        case .garbage: return .connection(.garbage)
        case .malformedChunk: return .connection(.malformedChunk)
        }
    }

    private static func readStream(_ check: inout BodyCheck) -> Stream? {
        let names = ["cutAfterEvents", "errorAfterEvents", "gapMs", "duplicate", "splitUtf8"]
        let named = check.named(names)
        guard named.count == 1 else {
            for name in names + ["afterEvents"] { _ = check.present(name) }
            check.fault("must have exactly one of \(names.joined(separator: ", "))")
            return nil
        }
        switch named[0] {
        case "cutAfterEvents": return required("cutAfterEvents", &check, in: events).map { .cut(afterEvents: $0) }
        case "errorAfterEvents": return required("errorAfterEvents", &check, in: events).map { .error(afterEvents: $0) }
        case "gapMs":
            let after = check.integer("afterEvents", in: events).map(Int.init)
            return required("gapMs", &check, in: milliseconds).map { .gap(milliseconds: $0, afterEvents: after) }
        case "duplicate": return required("duplicate", &check, in: 1...events.upperBound).map { .duplicate(event: $0) }
        default:
            guard let flag = check.boolean("splitUtf8") else { return nil }
            guard flag else {
                check.fault("splitUtf8", "must be true; leave the fault out instead")
                return nil
            }
            return .splitUTF8
        }
    }

    private static func readUpload(_ check: inout BodyCheck) -> Upload? {
        let names = ["readBytesPerSecond", "stopAfterBytes", "rejectEarly", "resetAfterBytes"]
        let named = check.named(names)
        guard named.count == 1 else {
            for name in names { _ = check.present(name) }
            check.fault("must have exactly one of \(names.joined(separator: ", "))")
            return nil
        }
        switch named[0] {
        case "readBytesPerSecond":
            return required("readBytesPerSecond", &check, in: rate).map { .read(bytesPerSecond: $0) }
        case "stopAfterBytes": return required("stopAfterBytes", &check, in: bytes).map { .stop(afterBytes: $0) }
        case "rejectEarly": return required("rejectEarly", &check, in: 400...599).map { .reject(Status($0)) }
        default: return required("resetAfterBytes", &check, in: bytes).map { .reset(afterBytes: $0) }
        }
    }
}
