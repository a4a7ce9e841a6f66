/// How deep what a world keeps may be nested.
package enum StateDepth {
    /// A client may send JSON of 512 containers inside one another, and rows, documents and tokens put that into some more.
    ///
    /// Whatever was taken from a client can be read back, or a client could make a store that nobody can open.
    package static let maximum = 1_024
}
