/// An API's part in the judgement of its clients: the facts about its operations that their declarations don't have,
/// the names under which generic rules hold for it, and its own rules.
package struct APIConduct: Sendable {
    /// Facts that several operations share.
    package struct Facts: Sendable {
        /// The operations, as `METHOD template`.
        package var operations: [String]
        package var change: @Sendable (inout OperationKnowledge) -> Void

        package init(_ operations: [String], change: @escaping @Sendable (inout OperationKnowledge) -> Void) {
            self.operations = operations
            self.change = change
        }
    }

    /// The API's name.
    package var api: String
    /// The number of segments before the API's own part of the path.
    package var baseSegments: Int
    /// The rate limit that an operation counts for; nil for an API without one.
    package var bucket: (@Sendable (OperationKnowledge) -> String?)?
    package var facts: [Facts]
    /// The names that stand for generic rules on this API.
    package var instances: [RuleInstance]
    /// The ids of the generic rules that do not hold for this API.
    package var switchedOff: Set<String>
    /// The rules of this API alone, in the order in which they are listed.
    package var rules: [any APIRule.Type]
    /// Tells whether a token's `jti` is that of a refresh token, for an API whose refresh tokens do not say what they are.
    package var isRefreshTokenID: (@Sendable (String) -> Bool)?

    package init(
        _ api: String,
        baseSegments: Int,
        bucket: (@Sendable (OperationKnowledge) -> String?)? = nil,
        facts: [Facts],
        instances: [RuleInstance],
        switchedOff: Set<String> = [],
        rules: [any APIRule.Type],
        isRefreshTokenID: (@Sendable (String) -> Bool)? = nil
    ) {
        self.api = api
        self.baseSegments = baseSegments
        self.bucket = bucket
        self.facts = facts
        self.instances = instances
        self.switchedOff = switchedOff
        self.rules = rules
        self.isRefreshTokenID = isRefreshTokenID
    }

    /// Adds the facts to the operations of the API.
    package func complete(_ operations: inout [OperationKnowledge]) {
        var places: [String: [Int]] = [:]
        for place in operations.indices {
            operations[place].bucket = bucket?(operations[place])
            places[operations[place].name, default: []].append(place)
        }
        for fact in facts {
            for place in fact.operations.flatMap({ places[$0] ?? [] }) { fact.change(&operations[place]) }
        }
    }
}
