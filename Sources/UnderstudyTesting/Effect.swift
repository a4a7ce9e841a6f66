/// What a client sees of a fault (control contract, section 8, table of effects).
public struct Effect: Sendable, Encodable {
    let value: JSONValue

    /// The effect in the form of the contract.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    /// An effect in the form of the contract, for what has no method here.
    public init(_ value: JSONValue) { self.value = value }

    private init(_ name: String, _ members: [(String, JSONValue?)]) {
        value = .object([
            name: .object(Dictionary(members.compactMap { name, value in value.map { (name, $0) } }) { $1 })
        ])
    }

    private static func number(_ value: Int?) -> JSONValue? { value.map { .number(Double($0)) } }

    /// That status in the API's own error form.
    public static func status(
        _ status: Int,
        retryAfter: Int? = nil,
        code: String? = nil,
        message: String? = nil
    ) -> Effect {
        var members: [String: JSONValue] = ["status": .number(Double(status))]
        if let retryAfter { members["retryAfter"] = .number(Double(retryAfter)) }
        if let code { members["code"] = .string(code) }
        if let message { members["message"] = .string(message) }
        return Effect(.object(members))
    }

    /// A wait before the first byte.
    public static func delay(_ distribution: Latency.Delay) -> Effect { Effect(["delay": distribution.value]) }

    /// A body that comes no faster than that.
    public static func throttle(bytesPerSecond: Int) -> Effect {
        Effect("throttle", [("bytesPerSecond", number(bytesPerSecond))])
    }

    /// A body in that many pieces over that time.
    public static func dribble(chunks: Int, over milliseconds: Int) -> Effect {
        Effect("dribble", [("chunks", number(chunks)), ("overMs", number(milliseconds))])
    }

    /// What happens to the connection.
    public enum Connection: String, Sendable {
        case reset, empty, stall, truncate, garbage
        case malformedChunk = "malformed-chunk"
    }

    /// A connection that fails; `afterBytes` is for `reset` and `truncate`, `forMilliseconds` for `stall`.
    public static func connection(_ kind: Connection, afterBytes: Int? = nil, forMilliseconds: Int? = nil) -> Effect {
        var members: [String: JSONValue] = ["connection": .string(kind.rawValue)]
        if let afterBytes { members["afterBytes"] = .number(Double(afterBytes)) }
        if let forMilliseconds { members["forMs"] = .number(Double(forMilliseconds)) }
        return Effect(.object(members))
    }

    /// Damaged content under a correct head.
    public enum Body: String, Sendable {
        case html, empty
        case invalidJSON = "invalid-json"
        case truncatedJSON = "truncated-json"
        case wrongContentType = "wrong-content-type"
    }

    /// Content that is not what was due.
    public static func body(_ kind: Body) -> Effect { Effect(["body": .string(kind.rawValue)]) }

    /// A contract that moved: a member that is gone.
    public static func driftRemove(_ path: String) -> Effect { Effect("drift", [("remove", .string(path))]) }

    /// A contract that moved: a member with another value.
    public static func driftSet(_ path: String, to value: JSONValue) -> Effect {
        Effect("drift", [("set", .string(path)), ("to", value)])
    }

    /// A contract that moved: null where a value was.
    public static func driftNull(_ path: String) -> Effect { Effect("drift", [("null", .string(path))]) }

    /// A contract that moved: a new member.
    public static func driftAdd(_ path: String, _ value: JSONValue) -> Effect {
        Effect("drift", [("add", ["path": .string(path), "value": value])])
    }

    /// A contract that moved: a value of another type.
    public static func driftRetype(_ path: String, as type: String) -> Effect {
        Effect("drift", [("retype", .string(path)), ("as", .string(type))])
    }

    /// How a seeded change by the schema may go.
    public enum Drift: String, Sendable { case additive, breaking }

    /// A seeded change that the schema marks as compatible or as breaking.
    public static func drift(_ kind: Drift) -> Effect { Effect("drift", [("auto", .string(kind.rawValue))]) }

    /// A stream that ends without its end after that many events.
    public static func streamCut(afterEvents count: Int) -> Effect {
        Effect("stream", [("cutAfterEvents", number(count))])
    }

    /// A stream that reports an error after that many events.
    public static func streamError(afterEvents count: Int) -> Effect {
        Effect("stream", [("errorAfterEvents", number(count))])
    }

    /// A silence in a stream: once after so many events, or after each one if no count is given.
    public static func streamGap(milliseconds: Int, afterEvents count: Int? = nil) -> Effect {
        Effect("stream", [("gapMs", number(milliseconds))] + (count.map { [("afterEvents", number($0))] } ?? []))
    }

    /// Event n twice.
    public static func streamDuplicate(event: Int) -> Effect { Effect("stream", [("duplicate", number(event))]) }

    /// Characters cut in two by the chunks of a stream.
    public static let streamSplitUTF8 = Effect("stream", [("splitUtf8", true)])

    /// An upload that is read no faster than that.
    public static func uploadRead(bytesPerSecond: Int) -> Effect {
        Effect("upload", [("readBytesPerSecond", number(bytesPerSecond))])
    }

    /// An upload that is no longer read after that many bytes.
    public static func uploadStop(afterBytes count: Int) -> Effect {
        Effect("upload", [("stopAfterBytes", number(count))])
    }

    /// An upload that is refused before it ends.
    public static func uploadReject(_ status: Int) -> Effect { Effect("upload", [("rejectEarly", number(status))]) }

    /// An upload whose connection is reset after that many bytes.
    public static func uploadReset(afterBytes count: Int) -> Effect {
        Effect("upload", [("resetAfterBytes", number(count))])
    }

    /// What becomes of the credential that was sent.
    public enum Tokens: String, Sendable { case expire, revoke }

    /// The credential of the request stops working from here on.
    public static func tokens(_ kind: Tokens) -> Effect { Effect(["tokens": .string(kind.rawValue)]) }
}
