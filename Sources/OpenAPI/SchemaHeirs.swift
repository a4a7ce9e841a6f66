import JSON

/// The schemas of a document that build on others by `allOf`.
struct SchemaHeirs: Sendable {
    /// The schemas on which others build, in the order in which they are met.
    private(set) var bases: [Place] = []
    /// The schemas that build on another one directly, by that one, in the order of the document.
    private var children: [ExactName: [(name: String, place: Place)]] = [:]
    /// The schemas on which another one builds directly.
    private var parents: [ExactName: [Place]] = [:]
    private var seen: Set<ExactName> = []

    /// Looks through the components of the document, the schemas of its other files, and those that stand in place.
    init(_ sources: inout SourceSet, inPlace: [Place]) {
        for source in sources.sources.indices { add(source, &sources) }
        for place in inPlace { add("", place, &sources) }
    }

    /// Looks through the schemas of a file that have names.
    mutating func add(_ source: Int, _ sources: inout SourceSet) {
        let file = sources.sources[source].name
        add(String((file.split(separator: "/").last ?? "").prefix { $0 != "." }), sources.root(source), &sources)
        for path: [JSONPathElement] in [[], ["definitions"], ["$defs"], ["schemas"], ["components", "schemas"]] {
            for member in sources.place(source, path)?.members ?? [] { add(member.name, member.place, &sources) }
        }
    }

    private mutating func add(_ name: String, _ place: Place, _ sources: inout SourceSet) {
        let bare = sources.bare(place)
        guard bare.value.objectValue != nil, seen.insert(bare.key).inserted else { return }
        for parent in Self.parents(of: bare, &sources, steps: 0) where parent.key != bare.key {
            if children[parent.key] == nil { bases.append(parent) }
            children[parent.key, default: []].append((name, place))
            parents[bare.key, default: []].append(parent)
        }
    }

    /// The schemas without names that build on one directly.
    func inPlace(on place: Place) -> [Place] { (children[place.key] ?? []).filter(\.name.isEmpty).map(\.place) }

    /// The number of schemas that build on one directly.
    func count(of place: Place) -> Int { children[place.key]?.count ?? 0 }

    /// The schemas that a schema combines by `allOf`, or refers to and adds to.
    private static func parents(of place: Place, _ sources: inout SourceSet, steps: Int) -> [Place] {
        guard steps < 8 else { return [] }
        var found: [Place] = []
        if place.value["$ref"] != nil, sources.sources[place.source].dialect == .jsonSchema202012,
            let target = sources.following(place)
        {
            found.append(sources.bare(target))
        }
        for part in place.member("allOf")?.elements ?? [] {
            let bare = sources.bare(part)
            // A part that stands there itself may combine others in turn.
            if bare.key == part.key {
                found += parents(of: part, &sources, steps: steps + 1)
            } else {
                found.append(bare)
            }
        }
        return found
    }

    /// The steps from a schema to one that builds on it that are followed.
    private static let mostSteps = 16

    /// The schemas that build on one, directly or not, those that do so directly first.
    func of(_ place: Place, _ sources: inout SourceSet) -> [(name: String, place: Place)] {
        var found: [(name: String, place: Place)] = []
        var seen: Set<ExactName> = [place.key]
        var level = [place.key]
        for _ in 0..<Self.mostSteps where !level.isEmpty {
            var next: [ExactName] = []
            for child in level.flatMap({ children[$0] ?? [] }) {
                let key = sources.bare(child.place).key
                guard seen.insert(key).inserted else { continue }
                found.append(child)
                next.append(key)
            }
            level = next
        }
        return found
    }

    /// The schemas on which one builds, directly or not, the nearest first.
    func ancestors(of place: Place) -> [Place] {
        var found: [Place] = []
        var seen: Set<ExactName> = [place.key]
        var level = [place.key]
        for _ in 0..<Self.mostSteps where !level.isEmpty && found.count < Self.mostSteps {
            let next = level.flatMap { parents[$0] ?? [] }.filter { seen.insert($0.key).inserted }
            found += next
            level = next.map(\.key)
        }
        return found
    }
}
