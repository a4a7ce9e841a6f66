import JSON

/// WireMock's scenarios as named states (own-API contract, section 10).
struct StateNames {
    private struct State {
        let scenario: String
        let name: String
        var values: [String]
    }

    /// The value that every scenario begins with.
    static let first = "Started"

    private var states: [State] = []

    /// The most states of an API, and the most values of a state (own-API contract, section 22).
    static let most = 100

    var isEmpty: Bool { states.isEmpty }

    /// The states with their values.
    var all: [(name: String, values: [String])] { states.map { ($0.name, $0.values) } }

    /// The member `states` of `api.json`.
    var json: JSONObject {
        JSONObject(
            states.map { JSONObject.Member(name: $0.name, value: .array($0.values.map { .string($0) })) }
        )
    }

    /// Returns the name of a scenario's state, and declares it; nil if there are too many.
    mutating func name(of scenario: String) -> String? { place(of: scenario).map { states[$0].name } }

    /// Declares a value of a scenario's state; false if there are too many.
    mutating func declare(_ value: String, of scenario: String) -> Bool {
        guard let place = place(of: scenario) else { return false }
        guard !states[place].values.contains(value) else { return true }
        guard states[place].values.count < Self.most else { return false }
        states[place].values.append(value)
        return true
    }

    private mutating func place(of scenario: String) -> Int? {
        if let place = states.firstIndex(where: { $0.scenario == scenario }) { return place }
        return states.count < Self.most ? declare(scenario) : nil
    }

    private mutating func declare(_ scenario: String) -> Int {
        let letters = scenario.unicodeScalars.map { scalar -> Character in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil) || scalar == "_"
                ? Character(scalar) : "-"
        }
        let plain = letters.isEmpty ? "state" : String(letters.prefix(60))
        var name = plain
        var number = 2
        while states.contains(where: { $0.name == name }) {
            name = "\(plain)-\(number)"
            number += 1
        }
        states.append(State(scenario: scenario, name: name, values: [Self.first]))
        return states.count - 1
    }
}
