/// The effect of a fault as a client sees it (control contract, section 8, table of effects).
public struct Effect: Sendable, Encodable {
    let value: JSONValue

    /// Encodes the effect in the form of the contract.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    /// Creates an effect from the contract's JSON, for effects without a method here.
    public init(_ value: JSONValue) { self.value = value }

    private init(_ name: String, _ members: [(String, JSONValue?)]) {
        value = .object([
            name: .object(Dictionary(members.compactMap { name, value in value.map { (name, $0) } }) { $1 })
        ])
    }

    private static func number(_ value: Int?) -> JSONValue? { value.map { .number(Double($0)) } }

    /// Responds with a status, in the API's own error form.
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

    /// Delays the first byte.
    public static func delay(_ distribution: Latency.Delay) -> Effect { Effect(["delay": distribution.value]) }

    /// Limits the speed of the body.
    public static func throttle(bytesPerSecond: Int) -> Effect {
        Effect("throttle", [("bytesPerSecond", number(bytesPerSecond))])
    }

    /// Sends the body in equal pieces over a time.
    public static func dribble(chunks: Int, over milliseconds: Int) -> Effect {
        Effect("dribble", [("chunks", number(chunks)), ("overMs", number(milliseconds))])
    }

    /// A failure of the connection.
    public enum Connection: String, Sendable {
        case reset, empty, stall, truncate, garbage
        case malformedChunk = "malformed-chunk"
    }

    /// Makes the connection fail; `afterBytes` is for `reset` and `truncate`, `forMilliseconds` for `stall`.
    public static func connection(_ kind: Connection, afterBytes: Int? = nil, forMilliseconds: Int? = nil) -> Effect {
        var members: [String: JSONValue] = ["connection": .string(kind.rawValue)]
        if let afterBytes { members["afterBytes"] = .number(Double(afterBytes)) }
        if let forMilliseconds { members["forMs"] = .number(Double(forMilliseconds)) }
        return Effect(.object(members))
    }

    /// Damaged content below a correct head.
    public enum Body: String, Sendable {
        case html, empty
        case invalidJSON = "invalid-json"
        case truncatedJSON = "truncated-json"
        case wrongContentType = "wrong-content-type"
    }

    /// Replaces or damages the content.
    public static func body(_ kind: Body) -> Effect { Effect(["body": .string(kind.rawValue)]) }

    /// Changes the contract: removes a member.
    public static func driftRemove(_ path: String) -> Effect { Effect("drift", [("remove", .string(path))]) }

    /// Changes the contract: gives a member another value.
    public static func driftSet(_ path: String, to value: JSONValue) -> Effect {
        Effect("drift", [("set", .string(path)), ("to", value)])
    }

    /// Changes the contract: replaces a value with null.
    public static func driftNull(_ path: String) -> Effect { Effect("drift", [("null", .string(path))]) }

    /// Changes the contract: adds a member.
    public static func driftAdd(_ path: String, _ value: JSONValue) -> Effect {
        Effect("drift", [("add", ["path": .string(path), "value": value])])
    }

    /// Changes the contract: gives a value another type.
    public static func driftRetype(_ path: String, as type: String) -> Effect {
        Effect("drift", [("retype", .string(path)), ("as", .string(type))])
    }

    /// The kinds of seeded changes to a response's schema.
    public enum Drift: String, Sendable { case additive, breaking }

    /// Makes a seeded change that the schema marks as compatible or as breaking.
    public static func drift(_ kind: Drift) -> Effect { Effect("drift", [("auto", .string(kind.rawValue))]) }

    /// Ends a stream after `count` events, without its closing event.
    public static func streamCut(afterEvents count: Int) -> Effect {
        Effect("stream", [("cutAfterEvents", number(count))])
    }

    /// Sends the stream's error event after `count` events.
    public static func streamError(afterEvents count: Int) -> Effect {
        Effect("stream", [("errorAfterEvents", number(count))])
    }

    /// Pauses a stream after `count` events, or after each event without a count.
    public static func streamGap(milliseconds: Int, afterEvents count: Int? = nil) -> Effect {
        Effect("stream", [("gapMs", number(milliseconds))] + (count.map { [("afterEvents", number($0))] } ?? []))
    }

    /// Sends an event twice.
    public static func streamDuplicate(event: Int) -> Effect { Effect("stream", [("duplicate", number(event))]) }

    /// Cuts multi-byte characters in two between the chunks of a stream.
    public static let streamSplitUTF8 = Effect("stream", [("splitUtf8", true)])

    /// Limits the speed at which the server reads an upload.
    public static func uploadRead(bytesPerSecond: Int) -> Effect {
        Effect("upload", [("readBytesPerSecond", number(bytesPerSecond))])
    }

    /// Stops reading an upload after `count` bytes.
    public static func uploadStop(afterBytes count: Int) -> Effect {
        Effect("upload", [("stopAfterBytes", number(count))])
    }

    /// Refuses an upload before it ends.
    public static func uploadReject(_ status: Int) -> Effect { Effect("upload", [("rejectEarly", number(status))]) }

    /// Resets the connection of an upload after `count` bytes.
    public static func uploadReset(afterBytes count: Int) -> Effect {
        Effect("upload", [("resetAfterBytes", number(count))])
    }

    /// The change to the credential that the request carried.
    public enum Tokens: String, Sendable { case expire, revoke }

    /// Expires or revokes the credential of the request.
    public static func tokens(_ kind: Tokens) -> Effect { Effect(["tokens": .string(kind.rawValue)]) }
}
