/// The limits of a document and of the files it refers to (own-API contract, section 22).
package struct DocumentLimits: Sendable {
    /// Bytes of one file.
    package var fileBytes = 8 << 20
    /// Bytes of the document with all that it refers to.
    package var totalBytes = 16 << 20
    /// Files of one API that the document may refer to, itself included.
    package var files = 1_000
    /// Arrays and objects inside one another.
    package var depth = 128
    /// Values of a file after aliases.
    package var nodes = 500_000
    /// Bytes of the names on the ways to all values of a file.
    package var pathBytes = 256 << 20
    /// Operations.
    package var operations = 5_000
    /// Errors, and notes, that are told of one file.
    package var findings = 100

    package init() {}
}
