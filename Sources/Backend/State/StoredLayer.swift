package import JSON

/// One layer of a store: the changes of a world since the layer underneath (docs/state.md).
package struct StoredLayer: Sendable {
    /// A table, windows or a value.
    package struct Part: Sendable {
        /// Tells whether it replaces the content of the layers underneath.
        package var isWhole = false
        /// Rows to store, in order of their places.
        package var rows: [LoadedRow] = []
        /// Rows of the layers underneath that were removed.
        package var gone: [String] = []

        package init() {}
    }

    package var key: Int
    /// The layer underneath.
    package var parent: Int?
    /// The world of journal entries that name none.
    package var name: String
    package var record: JSON?
    package var outbox = Part()
    /// The stubs as they are written.
    package var stubs: JSON?
    /// The credentials that came from another world.
    package var foreign: JSON?
    /// The anchors of every API underneath, which began anew together; those in `epochs` came later.
    package var epoch: JSON?
    /// By API.
    package var epochs: [String: JSON] = [:]
    /// By API and name.
    package var parts: [String: [String: Part]] = [:]
    /// Journal entries as text, in order of their numbers.
    package var journal: [[UInt8]] = []
    /// The number below which entries of the layers underneath are gone.
    package var below: UInt64 = 0

    package init(key: Int, parent: Int?, name: String) {
        self.key = key
        self.parent = parent
        self.name = name
    }
}
