// Made by `make effects` from the declarations in Sources/Emulation/Faults/Effects.

extension Effect {
    /// A status in the API's own error form.
    ///
    ///     try await world.fail(.status(503))
    public static func status(
        _ status: Int,
        retryAfter: Int? = nil,
        code: String? = nil,
        message: String? = nil
    ) -> Effect {
        Effect(members: ["status": status, "retryAfter": retryAfter, "code": code, "message": message])
    }

    /// An answer without content, written out.
    ///
    ///     try await world.fail(.respond(200))
    public static func respond(_ status: Int, headers: KeyValuePairs<String, String>? = nil) -> Effect {
        Effect(members: ["respond.status": status, "respond.headers": headers?.map { [$0.key, $0.value] }])
    }

    /// An answer with JSON, written out.
    ///
    ///     try await world.fail(.respond(200, body: ["tier": "platinum"]))
    public static func respond(
        _ status: Int,
        headers: KeyValuePairs<String, String>? = nil,
        body: JSONValue
    ) -> Effect {
        Effect(members: [
            "respond.status": status,
            "respond.headers": headers?.map { [$0.key, $0.value] },
            "respond.body": body,
        ])
    }

    /// An answer with a text, written out.
    ///
    ///     try await world.fail(.respond(200, text: "Back soon"))
    public static func respond(_ status: Int, headers: KeyValuePairs<String, String>? = nil, text: String) -> Effect {
        Effect(members: [
            "respond.status": status,
            "respond.headers": headers?.map { [$0.key, $0.value] },
            "respond.text": text,
        ])
    }

    /// An answer with bytes, written out in base64.
    ///
    ///     try await world.fail(.respond(200, base64: "AAE="))
    public static func respond(_ status: Int, headers: KeyValuePairs<String, String>? = nil, base64: String) -> Effect {
        Effect(members: [
            "respond.status": status,
            "respond.headers": headers?.map { [$0.key, $0.value] },
            "respond.base64": base64,
        ])
    }

    /// A wait before the first byte.
    ///
    ///     try await world.fail(.delay(.milliseconds(800)))
    public static func delay(_ distribution: Latency.Delay) -> Effect {
        Effect(members: ["delay": distribution])
    }

    /// A body that comes no faster than that.
    ///
    ///     try await world.fail(.throttle(bytesPerSecond: 3))
    public static func throttle(bytesPerSecond: Int) -> Effect {
        Effect(members: ["throttle.bytesPerSecond": bytesPerSecond])
    }

    /// A body in that many pieces over that time.
    ///
    ///     try await world.fail(.dribble(chunks: 3, over: 3))
    public static func dribble(chunks: Int, over milliseconds: Int) -> Effect {
        Effect(members: ["dribble.chunks": chunks, "dribble.overMs": milliseconds])
    }

    /// A way in which a connection fails.
    public enum Connection: String, Sendable {
        case reset
        case empty
        case stall
        case truncate
        case garbage
        case malformedChunk = "malformed-chunk"
    }

    /// The layer whose bytes are damaged.
    public enum Layer: String, Sendable {
        case tls
    }

    /// A connection that fails; `afterBytes` is for `reset` and `truncate`, `forMilliseconds` for `stall`, `layer` for `garbage`.
    ///
    ///     try await world.fail(.connection(.reset))
    public static func connection(
        _ kind: Connection,
        afterBytes: Int? = nil,
        forMilliseconds: Int? = nil,
        layer: Layer? = nil
    ) -> Effect {
        Effect(members: [
            "connection": kind.rawValue,
            "afterBytes": afterBytes,
            "forMs": forMilliseconds,
            "layer": layer?.rawValue,
        ])
    }

    /// Damaged content under a correct head.
    public enum Body: String, Sendable {
        case html
        case invalidJSON = "invalid-json"
        case empty
        case truncatedJSON = "truncated-json"
        case wrongContentType = "wrong-content-type"
    }

    /// Corrupts the response body.
    ///
    ///     try await world.fail(.body(.html))
    public static func body(_ kind: Body) -> Effect {
        Effect(members: ["body": kind.rawValue])
    }

    /// A contract that moved: a member that is gone.
    ///
    ///     try await world.fail(.driftRemove("data.user"))
    public static func driftRemove(_ path: String) -> Effect {
        Effect(members: ["drift.remove": path])
    }

    /// A contract that moved: a member with another value.
    ///
    ///     try await world.fail(.driftSet("data.user", to: ["tier": "platinum"]))
    public static func driftSet(_ path: String, to value: JSONValue) -> Effect {
        Effect(members: ["drift.set": path, "drift.to": value])
    }

    /// A contract that moved: null where a value was.
    ///
    ///     try await world.fail(.driftNull("data.user"))
    public static func driftNull(_ path: String) -> Effect {
        Effect(members: ["drift.null": path])
    }

    /// A contract that moved: a new member.
    ///
    ///     try await world.fail(.driftAdd("data.user", ["tier": "platinum"]))
    public static func driftAdd(_ path: String, _ value: JSONValue) -> Effect {
        Effect(members: ["drift.add.path": path, "drift.add.value": value])
    }

    /// A contract that moved: a value of another type.
    ///
    ///     try await world.fail(.driftRetype("data.user", as: "string"))
    public static func driftRetype(_ path: String, as type: String) -> Effect {
        Effect(members: ["drift.retype": path, "drift.as": type])
    }

    /// The kinds of a seeded change by the schema.
    public enum Drift: String, Sendable {
        case additive
        case breaking
    }

    /// A seeded change that the schema marks as compatible or as breaking.
    ///
    ///     try await world.fail(.drift(.additive))
    public static func drift(_ kind: Drift) -> Effect {
        Effect(members: ["drift.auto": kind.rawValue])
    }

    /// A stream that ends without its end after that many events.
    ///
    ///     try await world.fail(.streamCut(afterEvents: 3))
    public static func streamCut(afterEvents count: Int) -> Effect {
        Effect(members: ["stream.cutAfterEvents": count])
    }

    /// A stream that reports an error after that many events.
    ///
    ///     try await world.fail(.streamError(afterEvents: 3))
    public static func streamError(afterEvents count: Int) -> Effect {
        Effect(members: ["stream.errorAfterEvents": count])
    }

    /// A silence in a stream: once after so many events, or after each one if no count is given.
    ///
    ///     try await world.fail(.streamGap(milliseconds: 3))
    public static func streamGap(milliseconds: Int, afterEvents count: Int? = nil) -> Effect {
        Effect(members: ["stream.gapMs": milliseconds, "stream.afterEvents": count])
    }

    /// Event n twice.
    ///
    ///     try await world.fail(.streamDuplicate(event: 3))
    public static func streamDuplicate(event: Int) -> Effect {
        Effect(members: ["stream.duplicate": event])
    }

    /// Characters cut in two by the chunks of a stream.
    ///
    ///     try await world.fail(.streamSplitUTF8)
    public static let streamSplitUTF8 = Effect(members: ["stream.splitUtf8": true])

    /// An upload that is read no faster than that.
    ///
    ///     try await world.fail(.uploadRead(bytesPerSecond: 3))
    public static func uploadRead(bytesPerSecond: Int) -> Effect {
        Effect(members: ["upload.readBytesPerSecond": bytesPerSecond])
    }

    /// An upload that is no longer read after that many bytes.
    ///
    ///     try await world.fail(.uploadStop(afterBytes: 3))
    public static func uploadStop(afterBytes count: Int) -> Effect {
        Effect(members: ["upload.stopAfterBytes": count])
    }

    /// An upload that is refused before it ends.
    ///
    ///     try await world.fail(.uploadReject(413))
    public static func uploadReject(_ status: Int) -> Effect {
        Effect(members: ["upload.rejectEarly": status])
    }

    /// An upload whose connection is reset after that many bytes.
    ///
    ///     try await world.fail(.uploadReset(afterBytes: 3))
    public static func uploadReset(afterBytes count: Int) -> Effect {
        Effect(members: ["upload.resetAfterBytes": count])
    }

    /// An end of the credential that was sent.
    public enum Tokens: String, Sendable {
        case expire
        case revoke
    }

    /// The credential of the request stops working from here on.
    ///
    ///     try await world.fail(.tokens(.expire))
    public static func tokens(_ kind: Tokens) -> Effect {
        Effect(members: ["tokens": kind.rawValue])
    }
}
