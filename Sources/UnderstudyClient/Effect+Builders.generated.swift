// Made by `make effects` from the declarations in Sources/Conditions/Faults/Effects.

extension Effect {
    /// Responds with a status in the API's own error format.
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

    /// Responds with a status and a `Retry-After` date that far ahead, given as an ISO 8601 duration.
    ///
    ///     try await world.fail(.status(503, retryAfter: "PT30S"))
    public static func status(
        _ status: Int,
        retryAfter duration: String,
        code: String? = nil,
        message: String? = nil
    ) -> Effect {
        Effect(members: ["status": status, "retryAfter": duration, "code": code, "message": message])
    }

    /// Responds with a status without content.
    ///
    ///     try await world.fail(.respond(200))
    public static func respond(
        _ status: Int,
        headers: KeyValuePairs<String, String>? = nil,
        template: Bool? = nil
    ) -> Effect {
        Effect(members: [
            "respond.status": status,
            "respond.headers": headers?.map { [$0.key, $0.value] },
            "respond.template": template,
        ])
    }

    /// Responds with a status and JSON.
    ///
    ///     try await world.fail(.respond(200, body: ["tier": "platinum"]))
    public static func respond(
        _ status: Int,
        headers: KeyValuePairs<String, String>? = nil,
        body: JSONValue,
        template: Bool? = nil
    ) -> Effect {
        Effect(members: [
            "respond.status": status,
            "respond.headers": headers?.map { [$0.key, $0.value] },
            "respond.body": body,
            "respond.template": template,
        ])
    }

    /// Responds with a status and text.
    ///
    ///     try await world.fail(.respond(200, text: "Back soon"))
    public static func respond(
        _ status: Int,
        headers: KeyValuePairs<String, String>? = nil,
        text: String,
        template: Bool? = nil
    ) -> Effect {
        Effect(members: [
            "respond.status": status,
            "respond.headers": headers?.map { [$0.key, $0.value] },
            "respond.text": text,
            "respond.template": template,
        ])
    }

    /// Responds with a status and bytes, given in base64.
    ///
    ///     try await world.fail(.respond(200, base64: "AAE="))
    public static func respond(_ status: Int, headers: KeyValuePairs<String, String>? = nil, base64: String) -> Effect {
        Effect(members: [
            "respond.status": status,
            "respond.headers": headers?.map { [$0.key, $0.value] },
            "respond.base64": base64,
        ])
    }

    /// Delays the first byte.
    ///
    ///     try await world.fail(.delay(.milliseconds(800)))
    public static func delay(_ distribution: Latency.Delay) -> Effect {
        Effect(members: ["delay": distribution])
    }

    /// Limits the rate of the response body.
    ///
    ///     try await world.fail(.throttle(bytesPerSecond: 3))
    public static func throttle(bytesPerSecond: Int) -> Effect {
        Effect(members: ["throttle.bytesPerSecond": bytesPerSecond])
    }

    /// Sends the response body in chunks, evenly over a time.
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
        case close
    }

    /// The layer whose bytes are corrupted.
    public enum Layer: String, Sendable {
        case tls
    }

    /// Breaks or ends the connection; `afterBytes` is for `reset`, `truncate` and `stall`, `forMilliseconds` for `stall`, `layer` for `garbage`, `afterMilliseconds` for `close`.
    ///
    ///     try await world.fail(.connection(.reset))
    public static func connection(
        _ kind: Connection,
        afterBytes: Int? = nil,
        forMilliseconds: Int? = nil,
        layer: Layer? = nil,
        afterMilliseconds: Int? = nil
    ) -> Effect {
        Effect(members: [
            "connection": kind.rawValue,
            "afterBytes": afterBytes,
            "forMs": forMilliseconds,
            "layer": layer?.rawValue,
            "afterMs": afterMilliseconds,
        ])
    }

    /// A kind of corrupted response body.
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

    /// Contract drift: removes a member.
    ///
    ///     try await world.fail(.driftRemove("data.user"))
    public static func driftRemove(_ path: String) -> Effect {
        Effect(members: ["drift.remove": path])
    }

    /// Contract drift: gives a member another value.
    ///
    ///     try await world.fail(.driftSet("data.user", to: ["tier": "platinum"]))
    public static func driftSet(_ path: String, to value: JSONValue) -> Effect {
        Effect(members: ["drift.set": path, "drift.to": value])
    }

    /// Contract drift: replaces a value with null.
    ///
    ///     try await world.fail(.driftNull("data.user"))
    public static func driftNull(_ path: String) -> Effect {
        Effect(members: ["drift.null": path])
    }

    /// Contract drift: adds a member.
    ///
    ///     try await world.fail(.driftAdd("data.user", ["tier": "platinum"]))
    public static func driftAdd(_ path: String, _ value: JSONValue) -> Effect {
        Effect(members: ["drift.add.path": path, "drift.add.value": value])
    }

    /// Contract drift: changes the type of a value.
    ///
    ///     try await world.fail(.driftRetype("data.user", as: "string"))
    public static func driftRetype(_ path: String, as type: String) -> Effect {
        Effect(members: ["drift.retype": path, "drift.as": type])
    }

    /// A kind of seeded contract drift.
    public enum Drift: String, Sendable {
        case additive
        case breaking
    }

    /// Contract drift: a seeded change that is compatible with the schema or breaking.
    ///
    ///     try await world.fail(.drift(.additive))
    public static func drift(_ kind: Drift) -> Effect {
        Effect(members: ["drift.auto": kind.rawValue])
    }

    /// Contract drift: several changes, one after another.
    ///
    ///     try await world.fail(.drift([["remove": "data.user"]]))
    public static func drift(_ changes: JSONValue) -> Effect {
        Effect(members: ["drift": changes])
    }

    /// A way to take ranges that a server should not.
    public enum Range: String, Sendable {
        case none
        case ignored
        case changed
        case weak
        case shifted
    }

    /// Takes ranges of a file otherwise than a server should.
    ///
    ///     try await world.fail(.range(.none))
    public static func range(_ kind: Range) -> Effect {
        Effect(members: ["range": kind.rawValue])
    }

    /// A content coding, right or wrong.
    public enum Coding: String, Sendable {
        case gzip
        case deflate
        case wrong
        case missing
        case cut
    }

    /// Sends the response body in a content coding, or with a wrong one; `as` is for `wrong`.
    ///
    ///     try await world.fail(.coding(.gzip))
    public static func coding(_ kind: Coding, as name: String? = nil) -> Effect {
        Effect(members: ["coding": kind.rawValue, "as": name])
    }

    /// Cuts a stream off after a number of events.
    ///
    ///     try await world.fail(.streamCut(afterEvents: 3))
    public static func streamCut(afterEvents count: Int) -> Effect {
        Effect(members: ["stream.cutAfterEvents": count])
    }

    /// Ends a stream with an error event after a number of events.
    ///
    ///     try await world.fail(.streamError(afterEvents: 3))
    public static func streamError(afterEvents count: Int) -> Effect {
        Effect(members: ["stream.errorAfterEvents": count])
    }

    /// Pauses a stream: once after a number of events, or after each one if no count is given.
    ///
    ///     try await world.fail(.streamGap(milliseconds: 3))
    public static func streamGap(milliseconds: Int, afterEvents count: Int? = nil) -> Effect {
        Effect(members: ["stream.gapMs": milliseconds, "stream.afterEvents": count])
    }

    /// Sends an event twice.
    ///
    ///     try await world.fail(.streamDuplicate(event: 3))
    public static func streamDuplicate(event: Int) -> Effect {
        Effect(members: ["stream.duplicate": event])
    }

    /// Splits characters across the chunks of a stream.
    ///
    ///     try await world.fail(.streamSplitUTF8)
    public static let streamSplitUTF8 = Effect(members: ["stream.splitUtf8": true])

    /// Limits the rate at which an upload is read.
    ///
    ///     try await world.fail(.uploadRead(bytesPerSecond: 3))
    public static func uploadRead(bytesPerSecond: Int) -> Effect {
        Effect(members: ["upload.readBytesPerSecond": bytesPerSecond])
    }

    /// Stops reading an upload after a number of bytes.
    ///
    ///     try await world.fail(.uploadStop(afterBytes: 3))
    public static func uploadStop(afterBytes count: Int) -> Effect {
        Effect(members: ["upload.stopAfterBytes": count])
    }

    /// Rejects an upload before it ends.
    ///
    ///     try await world.fail(.uploadReject(413))
    public static func uploadReject(_ status: Int) -> Effect {
        Effect(members: ["upload.rejectEarly": status])
    }

    /// Resets the connection of an upload after a number of bytes.
    ///
    ///     try await world.fail(.uploadReset(afterBytes: 3))
    public static func uploadReset(afterBytes count: Int) -> Effect {
        Effect(members: ["upload.resetAfterBytes": count])
    }

    /// A time at which `100 Continue` is written.
    public enum Continue: String, Sendable {
        case never
    }

    /// Never writes the `100 Continue` that an upload waits for.
    ///
    ///     try await world.fail(.uploadContinue(.never))
    public static func uploadContinue(_ answer: Continue) -> Effect {
        Effect(members: ["upload.continue": answer.rawValue])
    }

    /// Delays the `100 Continue` that an upload waits for.
    ///
    ///     try await world.fail(.uploadContinue(afterMilliseconds: 3))
    public static func uploadContinue(afterMilliseconds milliseconds: Int) -> Effect {
        Effect(members: ["upload.continueAfterMs": milliseconds])
    }

    /// A way to end the credential of the request.
    public enum Tokens: String, Sendable {
        case expire
        case revoke
    }

    /// Expires or revokes the credential of the request.
    ///
    ///     try await world.fail(.tokens(.expire))
    public static func tokens(_ kind: Tokens) -> Effect {
        Effect(members: ["tokens": kind.rawValue])
    }

    /// A way to frame a response body.
    public enum Framing: String, Sendable {
        case chunked
        case close
        case longer
    }

    /// Frames the response body in another way, or in a wrong one.
    ///
    ///     try await world.fail(.framing(.chunked))
    public static func framing(_ kind: Framing) -> Effect {
        Effect(members: ["framing": kind.rawValue])
    }

    /// The connection once raw bytes are sent.
    public enum AfterRaw: String, Sendable {
        case close
        case keep
        case stall
        case reset
    }

    /// Sends these bytes in place of a response.
    ///
    ///     try await world.fail(.raw(text: "data.user"))
    public static func raw(text: String, then: AfterRaw? = nil) -> Effect {
        Effect(members: ["raw.text": text, "raw.then": then?.rawValue])
    }

    /// Sends these bytes in place of a response, given in base64.
    ///
    ///     try await world.fail(.raw(base64: "data.user"))
    public static func raw(base64: String, then: AfterRaw? = nil) -> Effect {
        Effect(members: ["raw.base64": base64, "raw.then": then?.rawValue])
    }

    /// Sends interim responses before the response.
    ///
    ///     try await world.fail(.interim([.init(103)]))
    public static func interim(_ responses: [Interim]) -> Effect {
        Effect(members: ["interim": JSONValue.array(responses.map(\.json))])
    }
}
