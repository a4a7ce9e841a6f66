import JSON

/// The way in which the recordings of a folder answer (own-API contract, section 18).
package struct RecordingSettings: Sendable, Equatable {
    /// The answer once every matching entry has been served.
    private enum Exhausted: String, CaseIterable { case `repeat`, fail }
    /// The targets of links in responses.
    private enum Links: String, CaseIterable { case here, keep }

    package var ignoredHeaders: [String] = []
    package var ignoredQuery: [String] = []
    package var ignoredBody: [String] = []
    package var refresh = false
    package var speed = 0.0
    package var failsWhenExhausted = false
    package var keepsLinks = false

    package init() {}

    /// Reads the member `recordings` of `api.json`.
    package init(_ check: FileCheck) {
        var check = check
        if var ignore = check.object("ignore") {
            ignoredHeaders = ignore.strings("headers") ?? []
            ignoredQuery = ignore.strings("query") ?? []
            ignoredBody = ignore.strings("body") ?? []
            ignore.refuseUnknown()
        }
        refresh = check.boolean("refresh") ?? false
        if let value = check.value("speed") {
            if let number = value.doubleValue, (0...1_000_000).contains(number) {
                speed = number
            } else {
                check.error("speed", "must be a number from 0 to 1000000: 0 for no delays, 1 as recorded")
            }
        }
        failsWhenExhausted = check.choice("exhausted", Exhausted.self) == .fail
        keepsLinks = check.choice("links", Links.self) == .keep
        check.refuseUnknown()
    }
}
