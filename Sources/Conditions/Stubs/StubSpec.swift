package import Backend
import HTTPMessage
package import JSON
import Templates

/// A stub as it was written (own-API contract, section 7): its match, its conditions and its answers.
package final class StubSpec: Sendable {
    /// The behavior of a stub whose answers are used up.
    package enum Ending: String, Sendable, CaseIterable {
        /// The last answer again.
        case `repeat`
        /// All of them again.
        case cycle
        /// The stub no longer acts.
        case pass
    }

    /// A value of a named state.
    package struct StateValue: Sendable {
        package let name: String
        package let value: String
    }

    package let name: String?
    /// Narrowed to one API.
    package let matcher: Matcher
    let required: [StateValue]
    let when: FaultSpec.When
    package let responses: [StubResponse]
    let ending: Ending
    package let sets: [StateValue]
    package let isOpen: Bool
    /// The members as they were written, with the API that their place implied.
    package let source: JSONObject
    /// The members of `path` in the order of its parts; nil for a part without a name.
    let pathNames: [String?]

    /// The members that a stub has, and that a change may give.
    package static let members = [
        "name", "match", "requires", "when", "response", "responses", "after", "sets", "open",
    ]
    /// Bytes of a stub from which on it is read and written by a worker.
    package static let longSource = 32 * 1024
    /// The measures of its answers, the largest of each.
    let filling: TemplateLoad
    /// Tells whether it is long to read or to write.
    package let isLong: Bool
    /// The maximum number of answers.
    package static let mostResponses = 100

    private init(
        name: String?,
        matcher: Matcher,
        required: [StateValue],
        when: FaultSpec.When,
        responses: [StubResponse],
        ending: Ending,
        sets: [StateValue],
        isOpen: Bool,
        source: JSONObject
    ) {
        self.name = name
        self.matcher = matcher
        self.required = required
        self.when = when
        self.responses = responses
        self.ending = ending
        self.sets = sets
        self.isOpen = isOpen
        self.source = source
        pathNames = matcher.pathNames
        filling = responses.reduce(TemplateLoad()) { $0.joined(with: $1.load) }
        isLong = JSON.object(source).text(upTo: Self.longSource).utf8.count > Self.longSource
    }

    /// The name of the API.
    package var api: String { matcher.api ?? "" }

    /// The path as it was written; nil for any.
    package var path: String? { matcher.pathCondition?.text }

    // MARK: Reading

    /// Reads a stub; mistakes are noted in `check`.
    package static func read(_ check: inout BodyCheck, _ object: JSONObject, _ context: StubContext) -> StubSpec? {
        let name = check.string("name")
        if let name, name.utf8.count > mostName { check.fault("name", "must have at most \(mostName) bytes") }
        let matcher = Matcher.read(&check, apis: [context.api], scope: context.scope ?? context.api)
        let required = stateValues("requires", &check, context)
        let when = check.inner("when", FaultSpec.When.read)
        let sets = stateValues("sets", &check, context)
        let isOpen = check.boolean("open")
        if context.isBuiltIn, isOpen != nil { check.fault("open", "built-in APIs don't support open") }
        let names = TemplateNames(
            pathParameters: matcher.pathNames.compactMap { $0 },
            states: context.states.map(\.name)
        )
        let responses = responses(&check, names, context)
        let ending = check.choice("after", Ending.self)
        guard check.items.isEmpty else { return nil }
        var source = JSONObject(
            object.members.filter { members.contains($0.name) && !$0.value.isNull }
        )
        source["match"] = matcher.json
        return StubSpec(
            name: name,
            matcher: matcher,
            required: required,
            when: when ?? FaultSpec.When(),
            responses: responses,
            ending: ending ?? .repeat,
            sets: sets,
            isOpen: isOpen ?? false,
            source: source
        )
    }

    private static let mostName = 1_000

    private static func stateValues(
        _ name: String,
        _ check: inout BodyCheck,
        _ context: StubContext
    ) -> [StateValue] {
        guard let object = check.object(name) else { return [] }
        guard !context.isBuiltIn else {
            check.fault(name, "built-in APIs have no states")
            return []
        }
        var inner = BodyCheck(JSONObject(), at: "\(check.path).\(name)")
        var values: [StateValue] = []
        let known = context.states.map(\.name)
        for member in object.members {
            guard let state = context.states.first(where: { $0.name == member.name }) else {
                inner.fault(member.name, "there is no such state" + Suggestion.hint(to: member.name, among: known))
                continue
            }
            guard let value = member.value.stringValue, state.values.contains(value) else {
                inner.fault(member.name, "must be one of \(state.values.joined(separator: ", "))")
                continue
            }
            values.append(StateValue(name: state.name, value: value))
        }
        check.add(inner.items)
        return values
    }

    private static func responses(
        _ check: inout BodyCheck,
        _ names: TemplateNames,
        _ context: StubContext
    ) -> [StubResponse] {
        let (one, several) = (check.value("response"), check.value("responses"))
        guard (one == nil) != (several == nil) else {
            check.fault("must have exactly one of response and responses")
            return []
        }
        if let one {
            guard let object = one.objectValue else {
                check.fault("response", "must be an object")
                return []
            }
            return [check.inner("response") { StubResponse.read(&$0, object, names: names, context) }].compactMap { $0 }
        }
        guard let list = several?.arrayValue, (1...mostResponses).contains(list.count) else {
            check.fault("responses", "must be a list of 1 to \(mostResponses) responses")
            return []
        }
        return list.enumerated().compactMap { place, json in
            guard let object = json.objectValue else {
                check.fault("responses[\(place)]", "must be an object")
                return nil
            }
            var inner = BodyCheck(object, at: "\(check.path).responses[\(place)]")
            let response = StubResponse.read(&inner, object, names: names, context)
            inner.refuseUnknown()
            check.add(inner.items)
            return response
        }
    }

    /// Tells which answer a hit gets, counted from 0; nil when the stub no longer acts.
    func place(ofHit hit: Int) -> Int? {
        guard hit >= responses.count else { return hit }
        return switch ending {
        case .repeat: responses.count - 1
        case .cycle: hit % responses.count
        case .pass: nil
        }
    }
}
