/// The form that most refusals of a document have, for those that an operation declares nothing for.
package struct SharedRefusal: Sendable {
    /// The first operation that declares it.
    package let operation: OpenAPIOperation
    let response: OpenAPIResponse

    /// Finds the schema of more than half of the refusals that are JSON; nil if there is none.
    package init?(of operations: [OpenAPIOperation]) {
        var counts: [Int: Int] = [:]
        var firsts: [(number: Int, operation: OpenAPIOperation, content: OpenAPIContent)] = []
        var all = 0
        for operation in operations {
            for response in operation.responses where Self.isRefusal(response, of: operation) {
                guard let content = response.content.first(where: \.isJSON), let schema = content.schema else {
                    continue
                }
                all += 1
                if counts.updateValue((counts[schema.number] ?? 0) + 1, forKey: schema.number) == nil {
                    firsts.append((schema.number, operation, content))
                }
            }
        }
        guard let found = firsts.first(where: { (counts[$0.number] ?? 0) * 2 > all }) else { return nil }
        operation = found.operation
        response = OpenAPIResponse(status: .fallback, summary: "", headers: [], content: [found.content])
    }

    private static func isRefusal(_ response: OpenAPIResponse, of operation: OpenAPIOperation) -> Bool {
        switch response.status {
        case .code(let code): code >= 400
        case .range(let first): first >= 4
        case .fallback:
            operation.responses.contains { other in
                switch other.status {
                case .code(let code): (200..<300).contains(code)
                case .range(let first): first == 2
                case .fallback: false
                }
            }
        }
    }
}
