import Backend

/// The files below `__files`, and which of them mappings name.
struct BodyFiles {
    private let sources: [ScaffoldOrder.Source]
    private var places: [String: Int] = [:]
    private var named: Set<Int> = []
    private var copied: Set<Int> = []
    /// The number of files that there is room for.
    private let most: Int

    init(_ sources: [ScaffoldOrder.Source], atMost most: Int) {
        self.sources = sources
        self.most = most
        for (place, source) in sources.enumerated() { places[source.name] = place }
    }

    /// Returns the content of a file that a mapping names; nil if there is none.
    mutating func content(of name: String) -> [UInt8]? {
        guard let place = places[name] else { return nil }
        named.insert(place)
        return sources[place].bytes
    }

    /// Has a file copied to the folder; false if it has no room for another one.
    mutating func copy(_ name: String) -> Bool {
        guard let place = places[name] else { return false }
        guard copied.count < most || copied.contains(place) else { return false }
        copied.insert(place)
        return true
    }

    /// The path below `__files` that a mapping means, as a file system reads it; nil for one that leads out.
    static func path(_ name: String) -> String? {
        var parts: [Substring] = []
        for part in name.split(separator: "/") where part != "." {
            guard part == ".." else {
                parts.append(part)
                continue
            }
            guard parts.popLast() != nil else { return nil }
        }
        return parts.joined(separator: "/")
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
