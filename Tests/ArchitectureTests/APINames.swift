/// The names of the emulated APIs as texts: what an API knows lies in its folder, and no other module asks for it by name.
enum APINames {
    /// The files outside that name one today.
    static let exceptions: Set<String> = [
        "Sources/Control/Operations/ModeOperations.swift", "Sources/Control/Operations/ScenarioOperations.swift",
        "Sources/Control/Operations/StubOperations.swift",
        // The names that tests write `.trendy` for.
        "Sources/UnderstudyClient/API.swift",
    ]

    /// The list of the APIs.
    private static let catalogue = "Sources/Understudy/APICatalogue.swift"

    /// Each line of code that has an API's name in quotes, outside the APIs and the catalogue, as `file:line: what`.
    static func breaches(
        in files: [SourceFile],
        apis: Set<String> = Imports.apis,
        except exceptions: Set<String> = exceptions
    ) -> [String] {
        let names = apis.map { "\"\($0.lowercased())\"" }.sorted()
        let found = files.filter { !apis.contains($0.target) && $0.path != catalogue }.flatMap { file in
            file.lines.flatMap { line -> [Exceptions.Found] in
                guard line.text.contains("\""), !line.text.drop(while: { $0 == " " }).hasPrefix("//") else { return [] }
                return names.filter { line.text.contains($0) }.map {
                    Exceptions.Found(name: file.path, text: "\(line.place): \($0) is named outside its folder")
                }
            }
        }
        return Exceptions.breaches(found, except: exceptions)
    }
}
