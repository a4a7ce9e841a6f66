/// Record and replay (control contract, section 13).
extension UnderstudyServer {
    /// The source of a backend's responses, and what is kept of them.
    public struct Mode: Sendable, Encodable {
        /// The kinds of modes.
        public enum Kind: String, Sendable, Codable, CaseIterable {
            /// The emulation answers.
            case emulate
            /// The real backend answers, and a recording is written.
            case record
            /// A recording answers.
            case replay
            /// A recording answers, and the real backend what it lacks, which is added.
            case recordMissing = "record-missing"
            /// The real backend answers; the journal shows where the emulation would have differed.
            case spy
            /// The emulation answers; the journal shows where the real backend differed.
            case diff
        }

        /// The response to a request that a recording lacks.
        public enum Miss: Sendable, Encodable {
            /// A problem document with the nearest entries.
            case fail
            /// The emulation's.
            case emulate
            /// The real backend's.
            case forward
            /// This status.
            case status(Int)

            /// Writes the choice as the control API takes it.
            public func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .fail: try container.encode("fail")
                case .emulate: try container.encode("emulate")
                case .forward: try container.encode("forward")
                case .status(let status): try container.encode(status)
                }
            }
        }

        /// The parts of a request that don't count in a search of a recording; `["*"]` is all of a query or body.
        public struct Ignore: Sendable, Encodable {
            /// Names of header fields.
            public var headers: [String]?
            /// Names of query parameters.
            public var query: [String]?
            /// Paths of members, such as `a.b`.
            public var body: [String]?

            /// Creates a list of what does not count.
            ///
            ///     let ignored = UnderstudyServer.Mode.Ignore(query: ["ts"], body: ["device.id"])
            public init(headers: [String]? = nil, query: [String]? = nil, body: [String]? = nil) {
                self.headers = headers
                self.query = query
                self.body = body
            }
        }

        /// The kind.
        public var mode: Kind
        /// The real backend's address.
        public var upstream: String?
        /// The recording's name, with or without `.har`.
        public var recording: String?
        /// The response to a request that the recording lacks.
        public var miss: Miss?
        /// `repeat` or `fail`: what follows the last of several entries with one key.
        public var exhausted: String?
        /// 0 for no waits, 1 as recorded, 2 twice as fast.
        public var speed: Double?
        /// The parts of a request that don't count.
        public var ignore: Ignore?
        /// True to shift dates and lifetimes to the world's clock.
        public var refresh: Bool?
        /// `here` or `keep`: where links lead, by default here in recorded answers and nowhere else in those of a backend.
        public var links: String?
        /// True to take the conditions of a client's cache out of requests to the real backend.
        public var fresh: Bool?

        private init(_ mode: Kind) { self.mode = mode }

        /// The emulation answers.
        public static let emulate = Mode(.emulate)

        /// The real backend answers, and a recording is written.
        ///
        ///     let mode = UnderstudyServer.Mode.record("https://api.example.com", into: "monday")
        public static func record(_ upstream: String, into recording: String? = nil, fresh: Bool? = nil) -> Mode {
            var mode = Mode(.record)
            (mode.upstream, mode.recording, mode.fresh) = (upstream, recording, fresh)
            return mode
        }

        /// A recording answers.
        ///
        ///     let mode = UnderstudyServer.Mode.replay("monday", miss: .emulate, refresh: true)
        public static func replay(
            _ recording: String,
            miss: Miss? = nil,
            speed: Double? = nil,
            ignore: Ignore? = nil,
            refresh: Bool? = nil
        ) -> Mode {
            var mode = Mode(.replay)
            (mode.recording, mode.miss, mode.speed, mode.ignore, mode.refresh) = (
                recording, miss, speed, ignore, refresh
            )
            return mode
        }

        /// A recording answers, and the real backend what it lacks, which is added.
        ///
        ///     let mode = UnderstudyServer.Mode.recordMissing("https://api.example.com", into: "monday")
        public static func recordMissing(_ upstream: String, into recording: String) -> Mode {
            var mode = Mode(.recordMissing)
            (mode.upstream, mode.recording) = (upstream, recording)
            return mode
        }

        /// The real backend answers; the journal shows where the emulation would have differed.
        ///
        ///     let mode = UnderstudyServer.Mode.spy("https://api.example.com")
        public static func spy(_ upstream: String) -> Mode {
            var mode = Mode(.spy)
            mode.upstream = upstream
            return mode
        }

        /// The emulation answers; the journal shows where the real backend differed.
        ///
        ///     let mode = UnderstudyServer.Mode.diff("https://api.example.com")
        public static func diff(_ upstream: String) -> Mode {
            var mode = Mode(.diff)
            mode.upstream = upstream
            return mode
        }
    }

    /// The mode of a backend.
    public struct ModeStatus: Sendable, Decodable {
        /// The backend.
        public var api: String
        /// The kind.
        public var mode: Mode.Kind
        /// The real backend's address.
        public var upstream: String?
        /// The recording's name.
        public var recording: String?
        /// The response to a request that the recording doesn't have: a word, or a status.
        public var miss: JSONValue?
        /// `repeat` or `fail`: what follows the last recorded response.
        public var exhausted: String?
        /// The pace of a replay: 0 for no waits, 1 as recorded.
        public var speed: Double?
        /// The names of headers, query parameters and body members that a replay doesn't compare.
        public var ignore: JSONValue?
        /// Tells whether a recording is made anew.
        public var refresh: Bool?
        /// The target of the links in responses: `here` or `upstream`.
        public var links: String?
        /// Tells whether requests to the real backend lose the conditions of a client's cache.
        public var fresh: Bool?
    }

    private struct ModeOrder: Encodable {
        var api: API
        var mode: Mode

        private enum CodingKeys: String, CodingKey { case api }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(api, forKey: .api)
            try mode.encode(to: encoder)
        }
    }

    /// The mode of each backend.
    ///
    ///     let replayed = try await server.modes.filter { $0.mode == .replay }
    public var modes: [ModeStatus] {
        get async throws(ControlError) { try await client.list(.getModes) }
    }

    /// Sets the mode of a backend, for all worlds.
    ///
    ///     try await server.set(.emulate, for: .trendy)
    @discardableResult
    public func set(_ mode: Mode, for api: API) async throws(ControlError) -> ModeStatus {
        try await client.ask(.setMode, body: ModeOrder(api: api, mode: mode))
    }
}
