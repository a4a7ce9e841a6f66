/// The facts about the operations of one API that their declarations don't have.
struct APIAdditions: Sendable {
    /// The number of segments before the API's own part of the path.
    var baseSegments: Int
    /// The changes by method and template.
    var changes: [String: @Sendable (inout OperationKnowledge) -> Void]
    /// The change of every operation, by its name.
    var bucket: (@Sendable (OperationKnowledge) -> String?)?

    /// Adds the facts to an operation.
    func change(_ operation: inout OperationKnowledge) {
        operation.bucket = bucket?(operation)
        changes[operation.name]?(&operation)
    }

    static let all: [String: APIAdditions] = [
        "sawaed": sawaed, "carbscan": carbscan, "omnichat": omnichat, "trafikskola": trafikskola, "trendy": trendy,
    ]
}
