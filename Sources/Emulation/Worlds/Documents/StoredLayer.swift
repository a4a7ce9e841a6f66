package import JSON

/// One layer of a store: what has changed in a world since the layer underneath (docs/state.md).
package struct StoredLayer: Sendable {
    /// A table, windows or a value.
    package struct Part: Sendable {
        /// Whether nothing of the layers underneath counts.
        package var isWhole = false
        /// Rows to put, in order of their places.
        package var rows: [LoadedRow] = []
        /// Rows of the layers underneath that are gone.
        package var gone: [String] = []

        package init() {}
    }

    package var key: Int
    /// The layer underneath.
    package var parent: Int?
    /// The world that journal entries belong to which name none.
    package var name: String
    package var record: JSON?
    package var outbox = Part()
    /// By API.
    package var epochs: [String: JSON] = [:]
    /// By API and name.
    package var parts: [String: [String: Part]] = [:]
    /// Journal entries as they are spelled, in order of their numbers.
    package var journal: [[UInt8]] = []
    /// Entries of the layers underneath with a smaller number are gone.
    package var below: UInt64 = 0

    package init(key: Int, parent: Int?, name: String) {
        self.key = key
        self.parent = parent
        self.name = name
    }
}
