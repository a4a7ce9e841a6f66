/// Tables and their rows (console contract, section 5).
extension World {
    /// A table of a backend.
    public struct Table: Sendable, Decodable {
        /// The name.
        public var name: String
        /// The number of rows.
        public var rows: Int
        /// The member that names a row.
        public var key: String?
        /// The JSON Schema of a row.
        public var schema: JSONValue
    }

    /// A row of a table.
    public struct Row: Sendable, Decodable {
        /// The id.
        public var id: String
        /// The row as the world document has it.
        public var row: JSONValue
        /// `added`, `changed` or `deleted`, in a list of changes.
        public var change: String?
        /// The changed row as it was before, in a list of changes.
        public var old: JSONValue?
    }

    /// Returns the tables of a backend.
    ///
    ///     let names = try await world.tables(of: .omnichat).map(\.name)
    public func tables(of api: API) async throws(ControlError) -> [Table] {
        try await client.list(.getTables, api.rawValue)
    }

    /// Returns the rows of a table; `text` selects those in which it occurs, `changed` those that differ from what the
    /// world began with.
    ///
    ///     let changed = try await world.rows(of: "messages", in: .omnichat, changed: true)
    public func rows(
        of table: String,
        in api: API,
        containing text: String? = nil,
        changed: Bool = false,
        limit: Int? = nil,
        offset: Int? = nil
    ) async throws(ControlError) -> [Row] {
        try await client.list(
            .getRows,
            api.rawValue,
            table,
            query: ["q": text, "changed": changed ? true : nil, "limit": limit, "offset": offset]
        )
    }

    /// Returns a row.
    ///
    ///     for row in try await world.rows(of: "conversations", in: .omnichat, limit: 1) {
    ///         print(try await world.row(row.id, of: "conversations", in: .omnichat).row)
    ///     }
    public func row(_ id: String, of table: String, in api: API) async throws(ControlError) -> Row {
        try await client.ask(.getRow, api.rawValue, table, id)
    }

    /// Replaces a row, or creates it.
    ///
    ///     for row in try await world.rows(of: "conversations", in: .omnichat, limit: 1) {
    ///         try await world.put(row.row, as: row.id, of: "conversations", in: .omnichat)
    ///     }
    @discardableResult
    public func put(_ row: JSONValue, as id: String, of table: String, in api: API) async throws(ControlError) -> Row {
        try await client.ask(.putRow, api.rawValue, table, id, body: row)
    }

    /// Deletes a row; one that others need is refused.
    ///
    ///     for row in try await world.rows(of: "messages", in: .omnichat, limit: 1) {
    ///         try await world.removeRow(row.id, of: "messages", in: .omnichat)
    ///     }
    public func removeRow(_ id: String, of table: String, in api: API) async throws(ControlError) {
        try await client.send(.deleteRow, api.rawValue, table, id)
    }
}
