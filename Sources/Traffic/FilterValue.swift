import Basics
import JSON

/// One value of a tag.
enum FilterValue: Sendable, Equatable {
    enum State: String, CaseIterable, Sendable { case unmatched, replay, held, violating }

    /// The reason why a text is no value.
    struct Problem: Error { let reason: String }

    case name(FilterGlob)
    case path(FilterGlob)
    /// A text that a path contains, with ASCII letters in lower case.
    case part(String)
    case statuses(ClosedRange<Int>)
    case number(Comparison)
    case state(State)

    /// A comparison with a number, which is equal to what it rounds.
    struct Comparison: Sendable, Equatable {
        enum Sign: String, CaseIterable, Sendable {
            case atLeast = ">="
            case above = ">"
            case atMost = "<="
            case below = "<"
            case equal = "="
        }

        let sign: Sign
        let limit: Double
        /// Half of the last digit.
        let half: Double

        /// Reads a number with a unit, a sign in front of it or a plus behind it; nil if the text is none.
        init?(_ text: String, units: [String: Double]) {
            let written = Sign.allCases.first { text.hasPrefix($0.rawValue) }
            let isOpen = written == nil && text.utf8.last == 0x2B
            let number = text.dropFirst(written?.rawValue.count ?? 0).dropLast(isOpen ? 1 : 0)
            let digits = number.prefix { ("0"..."9").contains($0) || $0 == "." }
            let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
            guard digits.utf8.count <= 15, parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }),
                let factor = units[FilterGlob.folded(String(number[digits.endIndex...]))],
                let value = Double(String(digits))
            else { return nil }
            sign = written ?? (isOpen ? .atLeast : .equal)
            limit = value * factor
            let scale = parts.dropFirst().reduce(1.0) { scale, part in part.reduce(scale) { scale, _ in scale * 10 } }
            half = factor / scale / 2
        }

        func takes(_ number: Double) -> Bool {
            switch sign {
            case .atLeast: number >= limit
            case .above: number > limit
            case .atMost: number <= limit
            case .below: number < limit
            case .equal: abs(number - limit) <= half
            }
        }
    }

    private static let units: [String: Double] = [
        "": 1, "b": 1, "k": 1_024, "kb": 1_024, "kib": 1_024, "m": 1_048_576, "mb": 1_048_576, "mib": 1_048_576,
    ]

    static func read(_ text: String, _ key: TrafficFilter.Key) throws(Problem) -> FilterValue {
        guard !text.isEmpty else { throw Problem(reason: "\(key.rawValue) needs a value") }
        switch key {
        case .path, .route:
            guard text.hasPrefix("/") || text.contains(where: { $0 == "*" || $0 == "{" }) else {
                return .part(FilterGlob.folded(text))
            }
            return .path(FilterGlob(text, isPath: true))
        case .outcome: return .name(FilterGlob(try choice(text, key)))
        case .state: return .state(State(rawValue: try choice(text, key)) ?? .held)
        case .status: return try status(text)
        case .ms:
            guard let comparison = Comparison(text, units: ["": 1]) else {
                throw Problem(reason: "ms takes a number, such as 12 or 100+")
            }
            return .number(comparison)
        case .size:
            guard let comparison = Comparison(text, units: units) else {
                throw Problem(reason: "size takes a number, such as 165 or 10k+")
            }
            return .number(comparison)
        case .api, .method, .user, .fault, .scenario, .gate, .id: return .name(FilterGlob(text))
        }
    }

    /// One of the values of a key, in either case.
    private static func choice(_ text: String, _ key: TrafficFilter.Key) throws(Problem) -> String {
        let known = TrafficFilter.values(of: key)
        guard let value = known.first(where: { $0 == FilterGlob.folded(text) }) else {
            let verb = key == .state ? "takes" : "is"
            throw Problem(reason: "\(key.rawValue) \(verb) one of \(known.joined(separator: ", "))")
        }
        return value
    }

    private static func status(_ text: String) throws(Problem) -> FilterValue {
        if text == "0" { return .statuses(0...0) }
        let bytes = Array(FilterGlob.folded(text).utf8)
        if bytes.count == 3, (0x31...0x39).contains(bytes[0]), bytes[1...] == [0x78, 0x78] {
            let first = Int(bytes[0] - 0x30) * 100
            return .statuses(first...first + 99)
        }
        guard let comparison = Comparison(text, units: ["": 1]), let code = Int(exactly: comparison.limit),
            (100...999).contains(code),
            text.utf8.drop(while: { (0x3C...0x3E).contains($0) }).prefix(while: { $0 != 0x2B })
                .elementsEqual("\(code)".utf8)
        else {
            throw Problem(
                reason:
                    "status is a number such as 404 or 400+, a class such as 4xx, or 0 for requests without a response"
            )
        }
        return .number(comparison)
    }

    func takes(_ line: TrafficLine, _ key: TrafficFilter.Key) -> Bool {
        switch self {
        case .name(let glob), .path(let glob): Self.text(of: line, key).map(glob.matches) ?? false
        case .part(let text): Self.text(of: line, key).map { FilterGlob.folded($0).contains(text) } ?? false
        case .statuses(let codes): codes.contains(line.status)
        case .number(let comparison): Self.number(of: line, key).map(comparison.takes) ?? false
        case .state(.unmatched): line.isUnmatched
        case .state(.replay): line.replayOf != nil
        case .state(.held): line.outcome == "held"
        case .state(.violating): line.violations > 0
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
        switch key {
        // What was not answered is neither more nor less than a status.
        case .status: line.status == 0 ? nil : Double(line.status)
        case .ms: line.milliseconds
        case .size: Double(line.responseBytes)
        default: nil
        }
    }
}
