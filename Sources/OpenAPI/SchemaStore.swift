import Basics
import JSON

/// The schemas of a document: each is read when it is first needed, and kept.
final class SchemaStore: Sendable {
    private struct State: Sendable {
        var links: SchemaLinks
        /// By the schemas' numbers, which may be more.
        var rules: [SchemaRules?] = []
        var heights: [Int: Int] = [:]
        var kept: [Schema.Direction: [Int: KeptBackMembers]] = [:]

        func known(_ number: Int) -> SchemaRules? { number < rules.count ? rules[number] : nil }

        mutating func read(_ number: Int) -> SchemaRules {
            if let known = known(number) { return known }
            let place = links.places[number]
            let read = SchemaRules(place, links.sources.sources[place.source].dialect, &links)
            while rules.count <= number { rules.append(nil) }
            rules[number] = read
            return read
        }
    }

    private let state: Locked<State>
    /// The samples that were made for requests, by all that they depend on.
    let samples = BoundedCache<ExactName, [UInt8]?>(mostBytes: 4 << 20)
    /// The pages that lists among them are.
    let facts = BoundedCache<ExactName, SampleAnswer.Facts>(mostBytes: 1 << 20)
    /// The answers that no request changes, such as examples.
    let answers = BoundedCache<KeptAnswerKey, OpenAPIAnswer>(mostBytes: 4 << 20)
    /// The content that was last held against each schema, with what did not fit.
    let verdicts = BoundedCache<Int, (content: [UInt8], issues: [JSONIssue])>(mostBytes: 4 << 20)
    /// The places among the examples of contents of the first that fits; nil where none does.
    let validExamples = Locked<[ExactName: Int?]>([:])
    /// The schemas of which a sample takes long.
    let slow = Locked<Set<Int>>([])

    /// Creates the store of a document; `inPlace` are its schemas without names that build on others.
    init(_ sources: SourceSet, inPlace: [Place] = []) {
        state = Locked(State(links: SchemaLinks(sources, inPlace: inPlace)))
    }

    /// The number of the schema at a place.
    func number(of place: Place) -> Int {
        state.withLock { $0.links.number(of: place) }
    }

    /// Adds a schema that lies in no file of the document; references that lead nowhere in it lead into a file.
    func add(_ value: JSON, dialect: Dialect, fallback: Int?) -> Int {
        state.withLock { state in
            var source = DocumentSource(name: "", root: value, positions: NoPositions(), dialect: dialect)
            source.fallback = fallback
            return state.links.number(of: state.links.add(source))
        }
    }

    /// The place of a schema.
    func place(of number: Int) -> Place {
        state.withLock { $0.links.places[number] }
    }

    /// The keywords of a schema.
    func rules(_ number: Int) -> SchemaRules {
        state.withLock { $0.read(number) }
    }

    /// Returns the keywords of a schema, and adds the work of reading it, which is done once; nil if that is more than
    /// `most`.
    func rules(_ number: Int, outlay: inout Int, most: Int) -> SchemaRules? {
        state.withLock { state in
            if let known = state.known(number) { return known }
            let place = state.links.places[number]
            let isFar = state.links.leadsFar(place)
            let price =
                SchemaRules.price(of: place.value) + (isFar ? Self.priceOfChain : 0)
                + state.links.heirs.count(of: place) * Self.priceOfHeir
            guard price <= most else { return nil }
            outlay += price
            return state.read(number)
        }
    }

    /// The work of following a long chain of references, or of reading many values, in steps of comparisons.
    private static let priceOfChain = 10_000
    /// The work of looking at a schema that builds on another one, in steps of comparisons.
    private static let priceOfHeir = 4

    /// Work on heights for one schema at most; one that needs more counts as low.
    private static let mostHeightWork = 2_000_000

    /// Returns the least number of containers inside one another that a value has (`SchemaHeights`), and adds the work
    /// of finding it, which is done once; nil if that is more than `most`.
    func height(of schema: Int, outlay: inout Int, most: Int) -> Int? {
        if let known = state.withLock({ $0.heights[schema] }) { return known }
        var heights = SchemaHeights(self, mostWork: min(most, Self.mostHeightWork))
        let found = heights.find(schema) { number in state.withLock { $0.heights[number] } }
        outlay += heights.work
        guard found != nil || most >= Self.mostHeightWork else { return nil }
        let known = found ?? [schema: 0]
        state.withLock { $0.heights.merge(known) { former, _ in former } }
        return known[schema]
    }

    /// Returns the members that a schema may keep back in a direction, and adds the work of finding them, which is done
    /// once; nil if that is more than `most`.
    func keptBack(
        _ schema: Int,
        _ direction: Schema.Direction,
        outlay: inout Int,
        most: Int
    ) -> KeptBackMembers? {
        if let known = state.withLock({ $0.kept[direction]?[schema] }) { return known }
        var work = 0
        let found = KeptBackMembers(of: schema, self, direction, work: &work, most: most)
        outlay += work
        if let found { state.withLock { $0.kept[direction, default: [:]][schema] = found } }
        return found
    }

    /// The text of a number or a truth value, as it is written in the document.
    func text(of place: Place) -> String { withSources { $0.text(of: place) } }

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
    /// The schemas that build on others.
    private(set) var heirs: SchemaHeirs
    /// The places of the schemas with discriminators whose values are only read when they are needed.
    private var unread: Set<ExactName> = []
    /// The values of discriminators that are read with the document.
    private static let mostRead = 100_000
    /// The values of discriminators by the places of their schemas.
    private var mappings: [ExactName: [(value: String, schema: Int)]] = [:]
    /// The same values by the places of the schemas that they mean.
    private var names: [ExactName: [ExactName: [String]]] = [:]
    /// The ends of long chains of references, by the places on the way.
    private var ends: [ExactName: Place] = [:]
    /// The patterns by their sources: many schemas may have the same one.
    private var patterns: [ExactName: SchemaPattern?] = [:]
    /// References one behind the other from which on they are passed over.
    private static let longChain = 32

    /// Looks through all schemas for those that build on others, so that no request has to.
    init(_ sources: SourceSet, inPlace: [Place]) {
        self.sources = sources
        heirs = SchemaHeirs(&self.sources, inPlace: inPlace)
        var left = Self.mostRead
        for base in heirs.bases {
            guard let discriminator = DiscriminatorReading(base) else { continue }
            guard left > 0 else {
                unread.insert(base.key)
                continue
            }
            _ = names(of: discriminator, at: base)
            left -= mapping(of: discriminator, at: base).count
        }
    }

    /// Adds a file.
    mutating func add(_ source: DocumentSource) -> Place {
        let number = sources.add(source)
        heirs.add(number, &sources)
        return sources.root(number)
    }

    /// The number of the schema at a place.
    mutating func number(of place: Place) -> Int {
        let key = place.key
        if let known = numbers[key] { return known }
        places.append(place)
        numbers[key] = places.count - 1
        return places.count - 1
    }

    /// The schemas that build on one by `allOf`, directly or not.
    mutating func heirs(of place: Place) -> [(name: String, place: Place)] { heirs.of(place, &sources) }

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

    /// The pattern of a source; nil if it is outside of the dialect.
    mutating func pattern(_ source: String) -> SchemaPattern? {
        let key = ExactName(text: source)
        if let known = patterns[key] { return known }
        let pattern = SchemaPattern(source)
        patterns.updateValue(pattern, forKey: key)
        return pattern
    }

    /// The number of the schema that a reference at a place leads to; nil if it leads nowhere.
    mutating func number(of reference: String, from place: Place) -> Int? {
        guard let target = try? sources.target(of: reference, from: place) else { return nil }
        return number(of: end(of: target))
    }

    /// Tells whether a long chain of references has to be followed to read a schema, or many build on it.
    mutating func leadsFar(_ place: Place) -> Bool {
        if !unread.isEmpty, ([place] + heirs.ancestors(of: place)).contains(where: { unread.contains($0.key) }) {
            return true
        }
        var place = place
        for _ in 0...Self.longChain {
            guard ends[place.key] == nil, let next = next(place) else { return false }
            place = next
        }
        return true
    }

    /// The place to which a long chain of references leads; that of its beginning for a short one.
    private mutating func end(of beginning: Place) -> Place {
        var place = beginning
        var passed: Set<ExactName> = []
        while true {
            let key = place.key
            if let known = ends[key] {
                place = known
                break
            }
            // Schemas that build on one another in a circle say nothing.
            guard let next = next(place), passed.insert(key).inserted else { break }
            place = next
        }
        guard passed.count > Self.longChain || ends[beginning.key] != nil else { return beginning }
        for key in passed { ends[key] = place }
        return place
    }

    private static let combining = ["allOf", "anyOf", "oneOf"]

    /// The schema that stands for one that says nothing else: by `$ref`, or alone in `allOf`, `anyOf` or `oneOf`.
    private mutating func next(_ place: Place) -> Place? {
        let object = place.value.objectValue
        if let text = object?["$ref"]?.stringValue {
            guard object?.count == 1 || sources.sources[place.source].dialect == .openAPI30 else { return nil }
            return try? sources.target(of: text, from: place)
        }
        guard object?.count == 1, let word = object?.members.first?.name, Self.combining.contains(word),
            let parts = place.member(word)?.elements, parts.count == 1
        else { return nil }
        return parts[0]
    }
}

/// The positions of a value that was made, not read.
struct NoPositions: SourcePositions {
    func line(at path: [JSONPathElement]) -> (line: Int, column: Int)? { nil }

    func closestLine(to path: [JSONPathElement]) -> (line: Int, column: Int) { (1, 1) }
}
