package import JSON

/// The clock of a scenario file, in one of two forms.
package struct ScenarioFileClock: Decodable {
    package var advance: String?
    package var to: String?
}

/// The form of a scenario file.
private struct ScenarioFile<Change: Decodable & Sendable>: Decodable {
    var title: String
    var expect: String
    var settings: JSON?
    var clock: ScenarioFileClock?
    var faults: JSON?
    var latency: JSON?
    var changes: [Change]?
}

private struct NoChange: Decodable {}

/// The members of a scenario file that depend on its API.
package struct ScenarioContent<State: Sendable>: Sendable {
    package typealias Reader = @Sendable (JSON) throws(JSONDecodingError) -> ScenarioContent

    package let title: String
    package let expect: String
    /// Makes the changes of rows and returns the changed rows, as `table/id`.
    package let apply: @Sendable (inout State, inout WorldCore, Epoch) -> [String]
    /// Reverts the effects of the changes that are not rows.
    package let undo: @Sendable (inout State, inout WorldCore) -> Void

    /// The reader for an API whose scenarios change no rows.
    package static var readerWithoutChanges: Reader { reader { (_: NoChange, _, _, _) in [] } }

    /// Returns the reader of an API's scenario files.
    ///
    /// - Parameters:
    ///   - apply: Makes a change of rows and returns the rows that it changed, as `table/id`.
    ///   - undo: Reverts what a change did besides changing rows, such as spending a rate limit, when its scenario is
    ///     switched off.
    /// - Returns: A function that reads one file.
    package static func reader<Change: Decodable & Sendable>(
        apply: @escaping @Sendable (Change, inout State, inout WorldCore, Epoch) -> [String],
        undo: @escaping @Sendable (Change, inout State, inout WorldCore) -> Void = { _, _, _ in }
    ) -> Reader {
        { json throws(JSONDecodingError) in
            let file = try JSONDecoding.decodeOrExplain(
                ScenarioFile<Change>.self,
                from: json,
                options: JSONDecoding.Options(rejectUnknownMembers: true)
            )
            let changes = file.changes ?? []
            return ScenarioContent(
                title: file.title,
                expect: file.expect,
                apply: { state, core, epoch in changes.flatMap { apply($0, &state, &core, epoch) } },
                undo: { state, core in for change in changes { undo(change, &state, &core) } }
            )
        }
    }
}
