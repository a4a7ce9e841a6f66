/// The extensions of a type outside its module's folder, of which it may have one.
///
/// A module that adds to the type of another does so in one place. Types of the system are not counted.
enum Extensions {
    /// The types that have more than one today, each behind the module that declares it.
    static let exceptions: Set<String> = [
        "Backend.APIError", "Backend.BodyCheck", "Backend.Call", "Backend.FieldIssue",
        "Backend.RequestValue", "Backend.ResponseSchema.Member", "Backend.SeededStream", "CivilTime.Instant",
        "Engine.Exchange", "HTTPMessage.Fields", "HTTPMessage.HTTPRequest",
        "HTTPMessage.Response", "HTTPMessage.Response.Body", "HTTPMessage.RouteTemplate", "JSON.JSON",
        "JSON.JSONSchema", "Journal.JournalLine", "Understudy.Configuration",
        "Worlds.AnyAPI", "Worlds.World",
    ]

    /// Each extension of a type that has several outside its module, as `file:line: what`.
    ///
    /// `reach` returns the modules that a target may use: a name that two modules declare belongs to the one within reach.
    static func breaches(
        in files: [SourceFile],
        except exceptions: Set<String> = exceptions,
        reach: (String) -> Set<String> = Imports.reach(of:)
    ) -> [String] {
        var owners: [String: Set<String>] = [:]
        for file in files {
            for line in file.lines {
                if let type = declared(in: line.code) { owners[type, default: []].insert(file.target) }
            }
        }
        var places: [String: [String]] = [:]
        for file in files {
            for line in file.lines {
                guard let type = name(after: ["extension"], in: line.code),
                    let root = type.split(separator: ".").first, let known = owners[String(root)],
                    !known.contains(file.target), let owner = known.intersection(reach(file.target)).min()
                else { continue }
                places["\(owner).\(type)", default: []].append(line.place)
            }
        }
        let found = places.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.flatMap { type, places in
            places.map {
                Exceptions.Found(name: type, text: "\($0): \(type) is extended outside its module more than once")
            }
        }
        return Exceptions.breaches(found, except: exceptions)
    }

    private static func declared(in code: String) -> String? {
        name(after: ["actor", "class", "enum", "protocol", "struct", "typealias"], in: code)
    }

    /// The name behind one of the words, in a line that begins a declaration of the file itself.
    private static func name(after kinds: Set<Substring>, in code: String) -> String? {
        guard let first = code.first, first.isLetter || first == "@" else { return nil }
        let words = code.prefix { !"{:<".contains($0) }.split(separator: " ")
        guard let kind = words.firstIndex(where: { kinds.contains($0) }), kind + 1 < words.count else { return nil }
        return String(words[kind + 1])
    }
}
