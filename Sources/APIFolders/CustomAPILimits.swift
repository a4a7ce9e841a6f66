/// The bounds of a custom API (own-API contract, section 22).
package enum CustomAPILimits {
    /// Custom APIs in a process.
    package static let apis = 100
    /// Files in the folder of an API.
    package static let files = 1_000
    /// Bytes of a JSON or YAML file.
    package static let fileBytes = 8 * 1024 * 1024
    /// Bytes of a file that a stub sends, and of all of them (wire contract, section 1).
    package static let sentFileBytes = 64 << 20
    package static let sentFilesBytes = 256 << 20
    /// Objects and arrays inside one another.
    package static let depth = 64
    /// Rows of a table.
    package static let rows = 100_000
    /// Stubs of a world.
    package static let stubs = 10_000
    /// Named states of an API.
    package static let states = 100
    /// Values of a state.
    package static let stateValues = 100
    /// Findings that are listed of a file.
    package static let findings = 100
}
