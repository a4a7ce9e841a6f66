/// Parts of an API of the build that are read when they are first needed, which takes milliseconds for each (control contract,
/// section 17).
package struct APIParts: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The declared endpoints with their router and limits.
    package static let endpoints = APIParts(rawValue: 1)
    package static let scenarios = APIParts(rawValue: 2)
    /// The rows with which every world begins.
    package static let seed = APIParts(rawValue: 4)
}
