import Basics
import JSON

/// The schemas of a document: each is read when it is first needed, and kept.
final class SchemaStore: Sendable {
    private struct State: Sendable {
        var links: SchemaLinks
        /// By the schemas' numbers, which may be more.
        var rules: [SchemaRules?] = []
    }

    private let state: Locked<State>

    init(_ sources: SourceSet) { state = Locked(State(links: SchemaLinks(sources: sources))) }

    /// The number of the schema at a place.
    func number(of place: Place) -> Int {
        state.withLock { $0.links.number(of: place) }
    }

    /// Adds a schema that lies in no file of the document; references that lead nowhere in it lead into a file.
    func add(_ value: JSON, dialect: Dialect, fallback: Int?) -> Int {
        state.withLock { state in
            var source = DocumentSource(name: "", root: value, positions: NoPositions(), dialect: dialect)
            source.fallback = fallback
            let number = state.links.sources.add(source)
            return state.links.number(of: state.links.sources.root(number))
        }
    }

    /// The place of a schema.
    func place(of number: Int) -> Place {
        state.withLock { $0.links.places[number] }
    }

    /// The keywords of a schema.
    func rules(_ number: Int) -> SchemaRules {
        state.withLock { state in
            if number < state.rules.count, let rules = state.rules[number] { return rules }
            let place = state.links.places[number]
            let rules = SchemaRules(place, state.links.sources.sources[place.source].dialect, &state.links)
            while state.rules.count <= number { state.rules.append(nil) }
            state.rules[number] = rules
            return rules
        }
    }

    /// Does something with the files.
    func withSources<Result>(_ body: (inout SourceSet) -> Result) -> Result {
        state.withLock { body(&$0.links.sources) }
    }
}

/// The numbers of schemas, by their places.
struct SchemaLinks: Sendable {
    var sources: SourceSet
    private(set) var places: [Place] = []
    private var numbers: [ExactName: Int] = [:]
    /// The schemas that build on others, once they were asked for.
    private var heirs: SchemaHeirs?
    /// The values of discriminators by the places of their schemas.
    private var mappings: [ExactName: [(value: String, schema: Int)]] = [:]
    /// The same values by the places of the schemas that they mean.
    private var names: [ExactName: [ExactName: [String]]] = [:]

    init(sources: SourceSet) { self.sources = sources }

    /// The number of the schema at a place.
    mutating func number(of place: Place) -> Int {
        let key = place.key
        if let known = numbers[key] { return known }
        places.append(place)
        numbers[key] = places.count - 1
        return places.count - 1
    }

    /// The schemas that build on one by `allOf`, directly or not.
    mutating func heirs(of place: Place) -> [(name: String, place: Place)] {
        let heirs = knownHeirs()
        return heirs.of(place, &sources)
    }

    private mutating func knownHeirs() -> SchemaHeirs {
        let known = heirs ?? SchemaHeirs(&sources)
        heirs = known
        return known
    }

    /// The values of the member of a discriminator with the schemas that they mean.
    mutating func mapping(of discriminator: DiscriminatorReading, at place: Place) -> [(value: String, schema: Int)] {
        if let known = mappings[place.key] { return known }
        let found = discriminator.mapping(&self)
        mappings[place.key] = found
        return found
    }

    /// The values of the member of a discriminator by the places of the schemas that they mean.
    private mutating func names(
        of discriminator: DiscriminatorReading,
        at place: Place
    ) -> [ExactName: [String]] {
        if let known = names[place.key] { return known }
        var found: [ExactName: [String]] = [:]
        for (value, schema) in mapping(of: discriminator, at: place) {
            found[sources.bare(places[schema]).key, default: []].append(value)
        }
        names[place.key] = found
        return found
    }

    /// The values that discriminators of the schemas on which one builds give to their members in it: its own first,
    /// then those of schemas that build on it in turn.
    mutating func kinds(of place: Place) -> [(member: String, values: [String])] {
        let heirs = knownHeirs()
        let ancestors = heirs.ancestors(of: place).compactMap { ancestor in
            DiscriminatorReading(ancestor).map { (place: ancestor, discriminator: $0) }
        }
        guard !ancestors.isEmpty else { return [] }
        let family = [place.key] + heirs.of(place, &sources).map { sources.bare($0.place).key }
        var kinds: [(member: String, values: [String])] = []
        for (ancestor, discriminator) in ancestors {
            let names = names(of: discriminator, at: ancestor)
            let values = family.flatMap { names[$0] ?? [] }
            if !values.isEmpty { kinds.append((discriminator.property, values)) }
        }
        return kinds
    }

    /// The number of the schema that a reference at a place leads to; nil if it leads nowhere.
    mutating func number(of reference: String, from place: Place) -> Int? {
        guard let target = try? sources.target(of: reference, from: place) else { return nil }
        return number(of: target)
    }
}

/// The positions of a value that was made, not read.
struct NoPositions: SourcePositions {
    func line(at path: [JSONPathElement]) -> (line: Int, column: Int)? { nil }

    func closestLine(to path: [JSONPathElement]) -> (line: Int, column: Int) { (1, 1) }
}
