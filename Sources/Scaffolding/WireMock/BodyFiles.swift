import Emulation

/// The files below `__files`, and which of them mappings name.
struct BodyFiles {
    private let sources: [ScaffoldOrder.Source]
    private var places: [String: Int] = [:]
    private var named: Set<Int> = []
    private var copied: Set<Int> = []

    init(_ sources: [ScaffoldOrder.Source]) {
        self.sources = sources
        for (place, source) in sources.enumerated() { places[source.name] = place }
    }

    /// Returns the content of a file that a mapping names; nil if there is none.
    mutating func content(of name: String) -> [UInt8]? {
        guard let place = places[name] else { return nil }
        named.insert(place)
        return sources[place].bytes
    }

    /// Has a file copied to the folder.
    mutating func copy(_ name: String) {
        if let place = places[name] { copied.insert(place) }
    }

    /// The copies, in the order of their names.
    var files: [Scaffold.File] {
        copied.sorted().map { Scaffold.File(path: "files/\(sources[$0].name)", bytes: sources[$0].bytes) }
    }

    /// The files that no mapping names, which WireMock serves at their paths.
    var unnamed: [SeedError.Item] {
        sources.indices.filter { !named.contains($0) }.map {
            let reason = "no mapping names this file; left out"
            return SeedError.Item(place: sources[$0].place, line: 1, path: "$", reason: reason)
        }
    }
}
