/// The bounds of a custom API (own-API contract, section 22).
package enum CustomAPILimits {
    /// Custom APIs in a process.
    package static let apis = 100
    /// Files in the folder of an API.
    package static let files = 1_000
    /// Bytes of a JSON or YAML file.
    package static let fileBytes = 8 * 1024 * 1024
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
