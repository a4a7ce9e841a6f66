import JSON

/// A part of a document that shows examples.
struct ExampledPart: Sendable {
    let place: Place
    /// A schema, a parameter or a header.
    let part: DocumentPart
}

/// Walks over all parts of a document, follows every reference, and gathers errors and notes.
struct DocumentSurvey {
    /// A finding before its line is looked up.
    struct Finding: Hashable {
        var source: Int
        var path: [JSONPathElement]
        var reason: String
    }

    var sources: SourceSet
    let load: SourceSet.Loader
    private(set) var errors: [Finding] = []
    private(set) var notes: [Finding] = []
    /// The references that lead nowhere, each with the parts in which it stands.
    private var lost: [(finding: Finding, owners: [ExactName?])] = []
    private var lostPlaces: [Finding: Int] = [:]
    /// The part under way that others refer to by its name; nil for what counts in any case.
    private var owner: ExactName?
    /// The parts that a part refers to.
    private var uses: [ExactName?: [ExactName]] = [:]
    /// Tells whether the API signs in, so that security schemes mean something.
    let signsIn: Bool
    private var seen: Set<Finding> = []
    private var visited: Set<ExactName> = []
    /// The parts from which a chain of references is known to lead elsewhere, and those from which to themselves.
    private var ending: Set<ExactName> = []
    private var circling: Set<ExactName> = []
    private var waiting: [(place: Place, part: DocumentPart)] = []
    /// The first place of each unknown format and how often it occurs, in the order of the document.
    var formats: [(name: String, first: Finding, count: Int)] = []
    var patterns: [ExactName: Bool] = [:]
    /// The parts of all patterns together, repetitions written out.
    var patternParts = 0
    static let mostPatternParts = 2_000_000
    /// The schemas, parameters and headers that show examples, which may break their schemas.
    var exampled: [ExampledPart] = []
    /// The schemas that combine others by `allOf`, or add to one that they refer to.
    private(set) var building: [Place] = []
    /// The one file that is walked over; nil for all of them.
    private let bounds: Int?

    init(_ sources: SourceSet, signsIn: Bool, within bounds: Int? = nil, load: @escaping SourceSet.Loader) {
        self.sources = sources
        self.signsIn = signsIn
        self.bounds = bounds
        self.load = load
    }

    /// Looks at the whole of a file's part and at everything that it refers to.
    mutating func run(_ place: Place, as part: DocumentPart) {
        visit(place.source, place.path, place.value, part)
        while let next = waiting.popLast() {
            owner = Self.name(next.place, next.part)
            visit(next.place.source, next.place.path, next.place.value, next.part)
        }
        owner = nil
        settle()
        for format in formats {
            let places = format.count == 2 ? "place" : "places"
            let others = format.count == 1 ? "" : ", nor at \(format.count - 1) other \(places)"
            note(
                format.first.source,
                format.first.path,
                "the format \(JSON.string(format.name.cut).text) is not checked\(others)"
            )
        }
        formats = []
    }

    mutating func error(_ source: Int, _ path: [JSONPathElement], _ reason: String) {
        let finding = Finding(source: source, path: path, reason: reason)
        if seen.insert(finding).inserted { errors.append(finding) }
    }

    /// Notes something that costs only the part itself; outside of a document it is an error.
    mutating func mistake(_ source: Int, _ path: [JSONPathElement], _ reason: String, hint: String = "") {
        if bounds == nil {
            note(source, path, reason + ": left out" + hint)
        } else {
            error(source, path, reason + hint)
        }
    }

    /// Keeps a reference that leads nowhere, until it is known whether anything needs it.
    private mutating func lose(_ source: Int, _ path: [JSONPathElement], _ reason: String) {
        guard bounds == nil else { return error(source, path, reason) }
        let finding = Finding(source: source, path: path, reason: reason)
        if let place = lostPlaces[finding] { return lost[place].owners.append(owner) }
        lostPlaces[finding] = lost.count
        lost.append((finding, [owner]))
    }

    /// Tells of the references that lead nowhere: as errors where an operation needs them, else as notes.
    private mutating func settle() {
        var needed: Set<ExactName?> = [nil]
        var next: [ExactName?] = [nil]
        while let part = next.popLast() {
            for used in uses[part] ?? [] where needed.insert(used).inserted { next.append(used) }
        }
        for (finding, owners) in lost {
            if owners.contains(where: { needed.contains($0) }) {
                error(finding.source, finding.path, finding.reason)
            } else {
                note(finding.source, finding.path, finding.reason + "; no operation needs it")
            }
        }
        lost = []
    }

    /// The name of a part that others refer to.
    private static func name(_ place: Place, _ part: DocumentPart) -> ExactName {
        ExactName(text: "\(part) \(place.key.text)")
    }

    mutating func note(_ source: Int, _ path: [JSONPathElement], _ reason: String) {
        let finding = Finding(source: source, path: path, reason: reason)
        if seen.insert(finding).inserted { notes.append(finding) }
    }

    private mutating func visit(_ source: Int, _ path: [JSONPathElement], _ value: JSON, _ part: DocumentPart) {
        guard case .object(let object) = value else {
            if part == .schema, case .bool = value { return }
            let reason = "expected an object, found \(value.typeName)"
            // Without paths there is no document.
            return part == .paths ? error(source, path, reason) : mistake(source, path, reason)
        }
        if part.isReferable, let reference = object["$ref"] {
            follow(reference, source, path, object, part)
            // In 3.0 nothing beside a reference counts, in 3.1 it does for schemas and path items.
            guard sources.sources[source].dialect == .jsonSchema202012, part == .schema || part == .pathItem else {
                return
            }
        }
        if !part.isReferable, object["$ref"]?.stringValue != nil {
            note(source, path + ["$ref"], "a reference is ignored here")
        }
        note(object, source, path, part)
        if part == .schema {
            followMapping(object, source, path)
            // A part of `allOf` belongs to the schema around it.
            let combines = object["allOf"] != nil || object["$ref"] != nil && object.count > 1
            if combines, path.dropLast().last != "allOf" {
                building.append(Place(source: source, path: path, value: value))
            }
        }
        for member in object.members {
            guard let form = part.form(of: member.name) else { continue }
            // What nothing answers by is not needed.
            let outer = owner
            if part.isUnused(member.name) { owner = ExactName(text: member.name) }
            descend(source, path + [.key(member.name)], member.value, form, isNaming: part == .components)
            owner = outer
        }
    }

    private mutating func descend(
        _ source: Int,
        _ path: [JSONPathElement],
        _ value: JSON,
        _ form: DocumentPart.Form,
        isNaming: Bool = false
    ) {
        switch (form, value) {
        case (.one(let part), _): visit(source, path, value, part)
        case (.list(let part), .array(let elements)):
            for (index, element) in elements.enumerated() { visit(source, path + [.index(index)], element, part) }
        case (.list, _): mistake(source, path, "expected an array, found \(value.typeName)")
        case (.map(let part), .object(let object)):
            for member in object.members where !(part != .schema && member.name.hasPrefix("x-") && part != .header) {
                let inner = path + [.key(member.name)]
                if isNaming { owner = Self.name(Place(source: source, path: inner, value: member.value), part) }
                visit(source, inner, member.value, part)
                if isNaming { owner = nil }
            }
        case (.map, _): mistake(source, path, "expected an object, found \(value.typeName)")
        }
    }

    private mutating func follow(
        _ reference: JSON,
        _ source: Int,
        _ path: [JSONPathElement],
        _ object: JSONObject,
        _ part: DocumentPart
    ) {
        let place = path + [.key("$ref")]
        guard case .string(let text) = reference else {
            return lose(source, place, "expected a string, found \(reference.typeName)")
        }
        do throws(Reference.Problem) {
            let here = Place(source: source, path: path, value: .object(object))
            let target = try sources.target(of: text, from: here, load: load)
            visitLater(target, part)
            if leadsToItself(here, target) { throw .leadsInCircle }
        } catch {
            // What leads out of the folder, or to itself, is refused wherever it stands.
            if case .leadsNowhere = error {
                lose(source, place, error.reason)
            } else {
                self.error(source, place, error.reason)
            }
        }
        guard sources.sources[source].dialect == .openAPI30 else { return }
        let words = ["$ref", "summary", "description", "title"]
        let siblings = object.members.map(\.name).filter { !words.contains($0) && !$0.hasPrefix("x-") }
        guard !siblings.isEmpty else { return }
        note(source, path, "ignored beside $ref in OpenAPI 3.0: \(siblings.joined(separator: ", ").cut)")
    }

    /// Visits the target of a reference once, unless the walk comes to it anyway.
    private mutating func visitLater(_ target: Place, _ part: DocumentPart) {
        let name = Self.name(target, part)
        uses[owner, default: []].append(name)
        // Named components of the document are walked over anyway.
        let isComponent =
            target.source == 0 && target.path.count == 3 && target.path[0] == "components"
            && target.path[1] == part.componentsMember.map { .key($0) }
        let isInside = bounds == nil || bounds == target.source
        if !isComponent, isInside, visited.insert(name).inserted { waiting.append((target, part)) }
    }

    /// Follows the values of a discriminator's mapping.
    private mutating func followMapping(_ object: JSONObject, _ source: Int, _ path: [JSONPathElement]) {
        guard let mapping = object["discriminator"]?["mapping"]?.objectValue else { return }
        let place = Place(source: source, path: path, value: .object(object))
        for member in mapping.members {
            let text = member.value.stringValue ?? ""
            guard let target = DiscriminatorReading.target(text, place, &sources, load: load) else {
                let inner = path + ["discriminator", "mapping", .key(member.name)]
                note(source, inner, "leads to no schema: ignored")
                continue
            }
            visitLater(target, .schema)
        }
    }

    /// Tells whether a chain of references and nothing else leads back to where it began.
    private mutating func leadsToItself(_ start: Place, _ target: Place) -> Bool {
        var place = start
        var next: Place? = target
        var chain: [ExactName] = []
        var passed: Set<ExactName> = []
        while !ending.contains(place.key), !circling.contains(place.key) {
            guard passed.insert(place.key).inserted else {
                circling.formUnion(chain[(chain.firstIndex(of: place.key) ?? 0)...])
                break
            }
            chain.append(place.key)
            guard let following = next else { break }
            place = following
            next = place.value["$ref"]?.stringValue.flatMap { try? sources.target(of: $0, from: place, load: load) }
        }
        ending.formUnion(chain.filter { !circling.contains($0) })
        return circling.contains(start.key)
    }
}
