/// Snapshots (control contract, section 4).
extension World {
    /// A named state of the world.
    public struct Snapshot: Sendable, Decodable {
        /// The name.
        public var name: String
        /// The time of the machine at which it was taken.
        public var createdAt: String
        /// The clock of the world at that moment.
        public var clock: ClockReading
        /// The number of entries in the journal.
        public var requests: Int
    }

    /// Saves the state of the world under a name.
    ///
    ///     try await world.snapshot("signed in")
    @discardableResult
    public func snapshot(_ name: String) async throws(ControlError) -> Snapshot {
        try await client.ask(.takeSnapshot, body: ["name": name])
    }

    /// Restores a snapshot, including the clock setting.
    ///
    ///     try await world.snapshot("before")
    ///     try await world.restore("before")
    public func restore(_ name: String) async throws(ControlError) { try await client.send(.restoreSnapshot, name) }

    /// Deletes a snapshot.
    ///
    ///     try await world.snapshot("before")
    ///     try await world.removeSnapshot("before")
    public func removeSnapshot(_ name: String) async throws(ControlError) {
        try await client.send(.deleteSnapshot, name)
    }

    /// The snapshots of the world.
    ///
    ///     let names = try await world.snapshots.map(\.name)
    public var snapshots: [Snapshot] {
        get async throws(ControlError) { try await client.list(.getSnapshots) }
    }
}
