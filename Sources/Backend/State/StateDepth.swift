/// The nesting limit of stored data.
package enum StateDepth {
    /// A client may send JSON of 512 nested containers, and rows, documents and tokens add some.
    ///
    /// Everything that was accepted from a client must be readable again, or a client could create a store that can't
    /// be opened.
    package static let maximum = 1_024
}
