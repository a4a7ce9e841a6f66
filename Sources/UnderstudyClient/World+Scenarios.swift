/// Scenarios and settings (control contract, section 7).
extension World {
    /// A scenario: a named edge case.
    public struct Scenario: Sendable, Decodable {
        /// The name, such as `trafikskola/refresh-token-expired`.
        public var name: String
        /// The edge case in a few words.
        public var title: String
        /// The behavior expected of a client.
        public var expect: String
        /// True while the scenario is on.
        public var active: Bool
    }

    private struct Deactivated: Decodable { var changed: [String] }

    /// Switches scenarios on.
    ///
    ///     try await world.activate("trafikskola/refresh-token-expired")
    public func activate(_ scenarios: String...) async throws(ControlError) {
        for name in scenarios {
            let (api, title) = Self.parts(name)
            try await client.send(.activateScenario, api, title)
        }
    }

    /// Switches scenarios off.
    ///
    /// Their settings, faults and latency go; the rows that they changed stay changed.
    ///
    ///     let changed = try await world.deactivate("omnichat/unicode")
    ///
    /// - Returns: the rows that stay changed.
    @discardableResult
    public func deactivate(_ scenarios: String...) async throws(ControlError) -> [String] {
        var changed: [String] = []
        for name in scenarios {
            let (api, title) = Self.parts(name)
            changed += try await client.ask(.deactivateScenario, api, title, as: Deactivated.self).changed
        }
        return changed
    }

    private static func parts(_ name: String) -> (api: String, title: String) {
        let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }

    /// Returns every scenario, or those of one backend.
    ///
    ///     let active = try await world.scenarios(.omnichat).filter(\.active)
    public func scenarios(_ api: API? = nil) async throws(ControlError) -> [Scenario] {
        try await client.list(.getScenarios, query: ["api": api])
    }

    /// The current settings of the backends.
    ///
    ///     let mode = try await world.settings["carbscan"]?["apple"]?["mode"]?.string
    public var settings: JSONValue {
        get async throws(ControlError) { try await client.ask(.getSettings) }
    }

    /// Changes settings of the backends.
    ///
    ///     try await world.set(["carbscan": ["apple": ["mode": "strict"]]])
    public func set(_ settings: JSONValue) async throws(ControlError) {
        try await client.send(.changeSettings, body: settings)
    }
}
