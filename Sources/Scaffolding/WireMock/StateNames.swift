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

    var isEmpty: Bool { states.isEmpty }

    /// The member `states` of `api.json`.
    var json: JSONObject {
        JSONObject(
            states.map { JSONObject.Member(name: $0.name, value: .array($0.values.map { .string($0) })) }
        )
    }

    /// Returns the name of a scenario's state, and declares it with a value.
    mutating func name(of scenario: String, having value: String? = nil) -> String {
        let place = states.firstIndex { $0.scenario == scenario } ?? declare(scenario)
        if let value, !states[place].values.contains(value) { states[place].values.append(value) }
        return states[place].name
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
