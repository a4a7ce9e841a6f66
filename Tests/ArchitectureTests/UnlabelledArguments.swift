/// Functions with more than three arguments without a label, which a reader of a call can't tell apart.
///
/// Most modules have some. Each has a ceiling, which is written down again when the number falls.
enum UnlabelledArguments {
    /// The number that a function may have.
    static let most = 3

    /// The number of functions with more, by module; none in those that are not listed.
    static let ceilings = [
        "Backend": 11, "CarbScan": 5, "ClientCommands": 1, "Conditions": 8, "Conduct": 2, "ConductKit": 7, "Control": 9,
        "Engine": 5, "Formats": 2, "HTTPMessage": 2,
        "HTTPWire": 3, "JSON": 3, "OmniChat": 12, "OpenAPI": 27, "CustomAPIs": 48, "Persistence": 3, "Proxying": 9,
        "Recording": 5, "RegularExpressions": 1, "Sawaed": 12, "Secrets": 1, "Serving": 7, "Trafikskola": 11,
        "Transport": 3,
        "Trendy": 15, "TrendyOnboarding": 1, "Understudy": 2, "UnderstudyClient": 1, "Worlds": 4, "YAML": 1,
    ]

    /// Each module whose number differs from its ceiling; one above it with the places of its functions.
    static func breaches(in files: [SourceFile], ceilings: [String: Int] = ceilings) -> [String] {
        var places: [String: [String]] = [:]
        for file in files { places[file.target, default: []] += self.places(in: file) }
        return Set(places.keys).union(ceilings.keys).sorted().compactMap { target in
            let (found, ceiling) = (places[target] ?? [], ceilings[target] ?? 0)
            guard found.count != ceiling else { return nil }
            let count = "\(target): \(found.count) functions have more than \(most) arguments without a label"
            guard found.count > ceiling else { return "\(count); write that down in place of \(ceiling)" }
            return "\(count), at most \(ceiling) may: \(found.joined(separator: ", "))"
        }
    }

    private static func places(in file: SourceFile) -> [String] {
        file.lines.indices.filter { index in
            let line = file.lines[index]
            let starts = ["func ", "init(", "init?(", "init<"].compactMap { line.code.firstRange(of: $0)?.lowerBound }
            guard let start = starts.min() else { return false }
            let code = Array(line.code[start...])
            let rest = file.lines[(index + 1)...].lazy.flatMap { " " + $0.code }
            return (count(in: code) ?? count(in: code + rest.prefix(5_000)) ?? 0) > most
        }.map { file.lines[$0].place }
    }

    /// The number of parameters without a label in the first list in parentheses; nil if the list does not end.
    private static func count(in code: [Character]) -> Int? {
        var (depth, count, beginsParameter) = (0, 0, false)
        for character in code.drop(while: { $0 != "(" }) {
            switch character {
            case "(", "[", "{":
                depth += 1
                beginsParameter = depth == 1
            case ")", "]", "}":
                depth -= 1
                if depth == 0 { return count }
            case ",": beginsParameter = depth == 1
            case " ": break
            default:
                if character == "_", beginsParameter { count += 1 }
                beginsParameter = false
            }
        }
        return nil
    }
}
