package import HTTPMessage

/// A status that is injected; each API gives it its own error form.
package struct InjectedStatus: Sendable, Equatable {
    package var status: Status
    /// Seconds, for the `Retry-After` field (and wherever the API's own form has it).
    package var retryAfter: Int?
    /// Takes the place of the API's own code, where it has codes.
    package var code: String?
    /// Takes the place of the API's own text.
    package var message: String?

    package init(_ status: Status, retryAfter: Int? = nil, code: String? = nil, message: String? = nil) {
        self.status = status
        self.retryAfter = retryAfter
        self.code = code
        self.message = message
    }
}

/// What a fault does (control contract, section 8): one of these.
package enum FaultEffect: Sendable {
    package enum Connection: Sendable, Equatable {
        /// TCP RST, at once or in mid-body.
        case reset(afterBytes: Int?)
        /// Closed without a byte.
        case empty
        /// Nothing on an open socket, for ever or for that many milliseconds.
        case stall(forMilliseconds: Int?)
        /// Fewer bytes than announced; half of the body when nothing is said.
        case truncate(afterBytes: Int?)
        /// Random bytes instead of an answer.
        case garbage
        /// A good head, then broken chunk framing.
        case malformedChunk
    }

    package enum Body: String, Sendable, CaseIterable {
        case html
        case invalidJSON = "invalid-json"
        case empty
        case truncatedJSON = "truncated-json"
        case wrongContentType = "wrong-content-type"
    }

    package enum Stream: Sendable, Equatable {
        case cut(afterEvents: Int)
        case error(afterEvents: Int)
        /// After that many events, or after each one.
        case gap(milliseconds: Int, afterEvents: Int?)
        case duplicate(event: Int)
        case splitUTF8
    }

    package enum Upload: Sendable, Equatable {
        case read(bytesPerSecond: Int)
        case stop(afterBytes: Int)
        case reject(Status)
        case reset(afterBytes: Int)
    }

    case status(InjectedStatus)
    case delay(DelayDistribution)
    case throttle(bytesPerSecond: Int)
    case dribble(chunks: Int, overMilliseconds: Int)
    case connection(Connection)
    case body(Body)
    case drift(Drift)
    case stream(Stream)
    case upload(Upload)
    case tokens(TokenEnding.Manner)

    /// The member that names it in JSON.
    package var kind: String {
        switch self {
        case .status: "status"
        case .delay: "delay"
        case .throttle: "throttle"
        case .dribble: "dribble"
        case .connection: "connection"
        case .body: "body"
        case .drift: "drift"
        case .stream: "stream"
        case .upload: "upload"
        case .tokens: "tokens"
        }
    }

    /// Whether it adds up with one other effect instead of winning over those after it.
    package var isAdditive: Bool {
        switch self {
        case .delay, .throttle, .dribble, .upload(.read): true
        case .status, .connection, .body, .drift, .stream, .upload, .tokens: false
        }
    }

    /// Whether it is the content that comes slowly.
    var slowsContent: Bool {
        switch self {
        case .throttle, .dribble: true
        case .status, .delay, .connection, .body, .drift, .stream, .upload, .tokens: false
        }
    }

    /// Whether it needs the endpoint's answer; the others take its place.
    package var transformsAnswer: Bool {
        switch self {
        case .status, .connection(.reset(nil)), .connection(.empty), .connection(.stall), .connection(.garbage),
            .body(.html), .upload, .tokens:
            false
        case .delay, .throttle, .dribble, .connection, .body, .drift, .stream: true
        }
    }

    /// Whether there are answers that it leaves as they are, so that it has to be looked at one before it acts.
    package var maySpareAnswer: Bool {
        switch self {
        case .drift, .stream: true
        case .status, .delay, .throttle, .dribble, .connection, .body, .upload, .tokens: false
        }
    }

    /// Whether it is decided when the head has come, before the content is read.
    package var isUpload: Bool {
        if case .upload = self { return true }
        return false
    }
}
