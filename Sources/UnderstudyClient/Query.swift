import Foundation

/// The query of a call; parameters without a value are left out.
struct Query: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, Sendable {
    private var items: [(name: String, value: String)] = []

    init(arrayLiteral elements: Never...) {}

    init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        for case (let name, let value?) in elements { items.append((name, value.queryText)) }
    }

    /// Adds a parameter for each of several values.
    mutating func add(_ name: String, _ values: [String]) {
        for value in values { items.append((name, value)) }
    }

    /// The query with its question mark; nothing without parameters.
    var text: String {
        guard !items.isEmpty else { return "" }
        return "?" + items.map { "\($0.name)=\(ControlClient.escaped($0.value))" }.joined(separator: "&")
    }
}

/// A value of a query parameter.
protocol QueryValue {
    var queryText: String { get }
}

extension String: QueryValue { var queryText: String { self } }
extension Int: QueryValue { var queryText: String { "\(self)" } }
extension Bool: QueryValue { var queryText: String { "\(self)" } }
extension API: QueryValue { var queryText: String { rawValue } }
extension Date: QueryValue { var queryText: String { Instant.text(self) } }
