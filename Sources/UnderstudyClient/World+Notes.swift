/// Notes and coverage (console contract, sections 7 and 8).
extension World {
    /// A note between two entries of the journal.
    public struct Note: Sendable, Decodable {
        /// The id, such as `note_1`.
        public var id: String
        /// `note` for those of a call, else what the server tells of: `clock`, `scenario`, `reset`, `faults` and others.
        public var kind: String
        /// The sequence number of the last entry before it; 0 if there is none.
        public var after: Int
        /// The time of the world's clock.
        public var at: String
        /// The time of the machine's clock.
        public var wallAt: String
        /// The text.
        public var text: String
        /// The data that was added to it.
        public var data: JSONValue?
    }

    private struct NoteOrder: Encodable {
        var text: String
        var data: JSONValue?
    }

    /// Adds a note to the journal.
    ///
    ///     try await world.note("the user taps Pay", data: ["attempt": 1])
    @discardableResult
    public func note(_ text: String, data: JSONValue? = nil) async throws(ControlError) -> Note {
        try await client.ask(.addNote, body: NoteOrder(text: text, data: data))
    }

    /// Returns the notes, newest first; `since` leaves out those before the entry of that `seq`.
    ///
    ///     let moves = try await world.notes(kind: "clock").map(\.text)
    public func notes(
        since: Int? = nil,
        kind: String? = nil,
        limit: Int? = nil,
        offset: Int? = nil
    ) async throws(ControlError) -> [Note] {
        try await client.list(.getNotes, query: ["since": since, "kind": kind, "limit": limit, "offset": offset])
    }

    /// The endpoints and scenarios that a world has seen.
    public struct Coverage: Sendable, Decodable {
        /// A count of endpoints.
        public struct Endpoints: Sendable, Decodable {
            /// The number of endpoints.
            public var total: Int
            /// The number of those that were called.
            public var seen: Int
        }

        /// A count of scenarios.
        public struct Scenarios: Sendable, Decodable {
            /// The number of scenarios.
            public var total: Int
            /// The number of those that were on while a request came.
            public var seen: Int
            /// The names of those.
            public var names: [String]
        }

        /// A status and how often it was answered.
        public struct Answer: Sendable, Decodable {
            /// The status.
            public var status: Int
            /// The number of responses.
            public var count: Int
        }

        /// An endpoint.
        public struct Endpoint: Sendable, Decodable {
            /// The backend.
            public var api: String
            /// The method.
            public var method: String
            /// The template of the route.
            public var route: String
            /// The number of requests.
            public var count: Int
            /// The statuses that were answered.
            public var answers: [Answer]
            /// The declared statuses that were not.
            public var unseen: [Int]
        }

        /// The endpoints in numbers.
        public var endpoints: Endpoints
        /// The scenarios in numbers.
        public var scenarios: Scenarios
        /// The number of requests that nothing answered.
        public var unmatched: Int
        /// Each endpoint.
        public var items: [Endpoint]
    }

    /// Returns which endpoints and scenarios this world has seen.
    ///
    ///     let untouched = try await world.coverage(.trendy).items.filter { $0.count == 0 }
    public func coverage(
        _ api: API? = nil,
        limit: Int? = nil,
        offset: Int? = nil
    ) async throws(ControlError) -> Coverage {
        try await client.ask(.getCoverage, query: ["api": api, "limit": limit, "offset": offset])
    }
}
