import Backend
import Conditions
import JSON

/// A stub of a call as it was read, with the mistakes in it.
struct StubDraft: Sendable {
    var check: BodyCheck
    /// The stub; nil where it has mistakes, or where none was asked for.
    var spec: StubSpec?
    var isEnabled: Bool?
    /// The place in the list, from 1.
    var position: Int?

    /// Everything that reading a stub needs, on any thread.
    struct Reader: Sendable {
        let object: JSONObject
        /// The API of the stub; nil if the members of a stub are not read.
        let context: StubContext?
        /// The reason why the stub has no API; nil if it has one.
        let problem: String?
        /// The largest `position`; nil where a stub keeps its place.
        let mostPosition: Int?

        func read() -> StubDraft {
            var check = BodyCheck(object)
            let isEnabled = check.boolean("enabled")
            let position = mostPosition.flatMap { check.integer("position", in: 1...Int64($0)) }.map(Int.init)
            // Known members, whatever is wrong with the API.
            for member in StubSpec.members { _ = check.present(member) }
            if let problem { check.fault("match.api", problem) }
            let spec = context.flatMap { StubSpec.read(&check, object, $0) }
            return StubDraft(check: check, spec: spec, isEnabled: isEnabled, position: position)
        }
    }
}
