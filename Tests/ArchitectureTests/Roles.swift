/// The folders of an API that hold what goes in and out (docs/contributing.md, "Adding an API").
enum Roles {
    /// The protocols whose conformers lie in one folder.
    static let folders = [("RequestModel", "Requests"), ("ResponseModel", "Responses")]

    /// Each conformer of an API that lies in another folder, as `file:line: what`.
    static func breaches(in files: [SourceFile], apis: Set<String>) -> [String] {
        files.filter { apis.contains($0.target) }.flatMap { file in
            folders.flatMap { conformance, folder -> [String] in
                guard !file.path.hasPrefix("Sources/Backends/\(file.target)/\(folder)/") else { return [] }
                return file.lines.filter { declares(conformance, $0.code) }
                    .map { "\($0.place): a \(conformance) lies in \(folder)" }
            }
        }
    }

    /// True for a line that declares a type, or extends one, with that conformance.
    private static func declares(_ conformance: String, _ code: String) -> Bool {
        guard let colon = code.firstIndex(of: ":"), !code[..<colon].contains(" where ") else { return false }
        let words = code[..<colon].split(whereSeparator: { !$0.isLetter })
        guard words.contains(where: { ["struct", "enum", "class", "extension"].contains($0) }),
            !words.contains("func")
        else { return false }
        let clause = code[colon...].prefix { $0 != "{" }
        let inherited = clause.firstRange(of: " where ").map { clause[..<$0.lowerBound] } ?? clause
        return inherited.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains { $0 == conformance }
    }
}
