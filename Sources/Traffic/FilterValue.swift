import JSON

/// One value of a tag.
enum FilterValue: Sendable, Equatable {
    enum State: String, CaseIterable, Sendable { case unmatched, replay, held }

    /// The reason why a text is no value.
    struct Problem: Error { let reason: String }

    case text(Glob)
    case statuses(ClosedRange<Int>)
    /// Larger, smaller or as large as a number.
    case number(Comparison, Double)
    case state(State)

    enum Comparison: Sendable, Equatable { case above, below, equal }

    static let outcomes = ["delivered", "interrupted", "cut", "held"]

    static func read(_ text: String, _ key: TrafficFilter.Key) -> Result<FilterValue, Problem> {
        switch key {
        case .path, .route: .success(.text(Glob(text, isPath: true)))
        case .api, .method, .user: .success(.text(Glob(text, ignoresCase: true)))
        case .fault, .scenario, .gate, .id: .success(.text(Glob(text)))
        case .outcome: choice(text, of: outcomes, key).map { .text(Glob($0)) }
        case .state: choice(text, of: State.allCases.map(\.rawValue), key).map { .state(State(rawValue: $0) ?? .held) }
        case .status: status(text)
        case .ms: number(text, units: [:], key)
        case .size: number(text, units: ["k": 1_024, "m": 1_048_576], key)
        }
    }

    private static func choice(_ text: String, of known: [String], _ key: TrafficFilter.Key) -> Result<String, Problem>
    {
        guard !known.contains(text) else { return .success(text) }
        let hint = Suggestion.nearest(to: text, among: known).map { "; did you mean \($0)?" } ?? ""
        return .failure(Problem(reason: "\(key.rawValue) is one of \(known.joined(separator: ", "))\(hint)"))
    }

    private static func status(_ text: String) -> Result<FilterValue, Problem> {
        let bytes = Array(text.lowercased().utf8)
        if bytes == [0x30] { return .success(.statuses(0...0)) }
        if bytes.count == 3, (0x31...0x39).contains(bytes[0]) {
            if bytes[1...] == [0x78, 0x78] {
                let first = Int(bytes[0] - 0x30) * 100
                return .success(.statuses(first...first + 99))
            }
            if bytes.allSatisfy({ (0x30...0x39).contains($0) }), let code = Int(text) {
                return .success(.statuses(code...code))
            }
        }
        return .failure(
            Problem(reason: "status is a number such as 404, a class such as 4xx, or 0 for what was not answered")
        )
    }

    private static func number(
        _ text: String,
        units: [Character: Double],
        _ key: TrafficFilter.Key
    ) -> Result<FilterValue, Problem> {
        let comparison: Comparison = text.hasPrefix(">") ? .above : text.hasPrefix("<") ? .below : .equal
        var digits = comparison == .equal ? text[...] : text.dropFirst()
        var unit = 1.0
        if let last = digits.last, let factor = units[Character(last.lowercased())] {
            unit = factor
            digits = digits.dropLast()
        }
        let isPlain = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isPlain, digits.utf8.count <= 15, digits.utf8.first != 0x2E, digits.utf8.last != 0x2E,
            let number = Double(String(digits))
        else {
            let form = units.isEmpty ? ">100 or <5" : ">10k or <1m"
            return .failure(Problem(reason: "\(key.rawValue) takes a number, such as \(form)"))
        }
        return .success(.number(comparison, number * unit))
    }

    func takes(_ line: TrafficLine, _ key: TrafficFilter.Key) -> Bool {
        switch self {
        case .text(let glob): Self.text(of: line, key).map(glob.matches) ?? false
        case .statuses(let codes): codes.contains(line.status)
        case .number(let comparison, let limit):
            Self.number(of: line, key).map { number in
                switch comparison {
                case .above: number > limit
                case .below: number < limit
                case .equal: number == limit
                }
            } ?? false
        case .state(.unmatched): line.isUnmatched
        case .state(.replay): line.replayOf != nil
        case .state(.held): line.outcome == "held"
        }
    }

    private static func text(of line: TrafficLine, _ key: TrafficFilter.Key) -> String? {
        switch key {
        case .api: line.api
        case .method: line.method
        case .path: line.path
        case .route: line.route
        case .user: line.user
        case .fault: line.fault
        case .scenario: line.scenario
        case .gate: line.gate
        case .outcome: line.outcome
        case .id: line.id
        case .status, .ms, .size, .state: nil
        }
    }

    private static func number(of line: TrafficLine, _ key: TrafficFilter.Key) -> Double? {
        key == .ms ? line.milliseconds : key == .size ? Double(line.responseBytes) : nil
    }
}
