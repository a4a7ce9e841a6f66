import Basics
import JSON

/// Reads which schemas the values of a discriminator's member mean.
///
/// They are the branches of `oneOf` and `anyOf` beside it, or, without any, the schemas that build on its own by
/// `allOf`.
struct DiscriminatorReading {
    let property: String
    /// The schema that has the discriminator.
    private let place: Place
    private let keywords: JSONObject

    /// Nil if a schema has no discriminator.
    ///
    /// One without branches that stands in a part of `allOf` is that of the schema around it, on which others build.
    init?(_ place: Place) {
        guard let keywords = Self.keywords(place, steps: 0),
            let property = keywords["discriminator"]?["propertyName"]?.stringValue
        else { return nil }
        self.property = property
        self.place = place
        self.keywords = keywords
        guard isInherited, case .index? = place.path.last, place.path.dropLast().last == "allOf" else { return }
        return nil
    }

    /// The keywords beside the discriminator of a schema.
    private static func keywords(_ place: Place, steps: Int) -> JSONObject? {
        guard let own = place.value.objectValue, steps < 8 else { return nil }
        if own["discriminator"] != nil { return steps == 0 || branches(own).isEmpty ? own : nil }
        for part in place.member("allOf")?.elements ?? [] where part.value["$ref"] == nil {
            if let found = keywords(part, steps: steps + 1) { return found }
        }
        return nil
    }

    /// Tells whether other schemas build on this one in place of branches.
    var isInherited: Bool { Self.branches(keywords).isEmpty }

    private static func branches(_ keywords: JSONObject) -> [JSON] {
        (keywords["oneOf"]?.arrayValue ?? []) + (keywords["anyOf"]?.arrayValue ?? [])
    }

    /// Reads the values: those of `mapping`, then those that the schemas themselves allow for the member, then their
    /// names.
    ///
    /// Many documents leave `mapping` out although the values are not the names of the schemas.
    func mapping(_ links: inout SchemaLinks) -> [(value: String, schema: Int)] {
        var mapping: [(value: String, schema: Int)] = []
        var lost: [String] = []
        for member in keywords["discriminator"]?["mapping"]?.objectValue?.members ?? [] {
            guard let text = member.value.stringValue, let target = Self.target(text, place, &links.sources) else {
                lost.append(member.name)
                continue
            }
            mapping.append((member.name, links.number(of: target)))
        }
        let mapped = Set(mapping.map { links.sources.bare(links.places[$0.schema]).key })
        let others = candidates(&links).filter { !mapped.contains(links.sources.bare($0.place).key) }
        let allowed = others.map { values(in: $0.place, &links, steps: 0) }
        // What several of them allow is what their common ground allows, and does not tell them apart.
        let counts = Dictionary(allowed.flatMap { Set($0) }.map { (ExactName(text: $0), 1) }, uniquingKeysWith: +)
        var taken = Set(mapping.map { ExactName(text: $0.value) })
        func add(_ values: [String], _ place: Place) {
            for value in values where taken.insert(ExactName(text: value)).inserted {
                mapping.append((value, links.number(of: place)))
            }
        }
        let own = isInherited ? values(in: place, &links, steps: 0) : []
        // The schema itself comes last.
        let rest = others.firstIndex { $0.place.key == place.key } ?? others.count
        func add(_ range: Range<Int>) {
            for (other, allowed) in zip(others[range], allowed[range]) {
                let isTold = allowed.contains { counts[ExactName(text: $0)] == 1 }
                add(isTold ? allowed : Self.name(other.name, among: allowed), other.place)
            }
        }
        add(0..<rest)
        for heir in isInherited ? links.heirs.inPlace(on: place) : [] {
            let values = values(in: heir, &links, steps: 0)
            // Those of the parent are no word of its own.
            if own.isEmpty || values.count < own.count { add(values, heir) }
        }
        add(rest..<others.count)
        guard !mapping.isEmpty else { return [] }
        // Values that the schema itself allows are its own where none that builds on it has them.
        add(own, place)
        // A value that leads nowhere says nothing, so that the schema itself is left.
        add(lost, place)
        return mapping
    }

    /// The schema that a value of `mapping` means: a reference, or the name of a component or of a schema beside.
    static func target(
        _ text: String,
        _ place: Place,
        _ sources: inout SourceSet,
        load: SourceSet.Loader? = nil
    ) -> Place? {
        if let named = sources.place(0, ["components", "schemas", .key(text)]) { return named }
        if case .key? = place.path.last, let beside = sources.place(place.source, place.path.dropLast() + [.key(text)])
        {
            return beside
        }
        // Without these a text is no reference to a file.
        guard text.utf8.contains(where: { $0 == 0x2F || $0 == 0x23 || $0 == 0x2E }) else { return nil }
        return try? sources.target(of: text, from: place, load: load)
    }

    /// The schemas that the member may mean, with their names; its own comes last.
    private func candidates(_ links: inout SchemaLinks) -> [(name: String, place: Place)] {
        guard isInherited else {
            let branches = ["oneOf", "anyOf"].flatMap { place.member($0)?.elements ?? [] }
            return branches.compactMap { branch in
                // What stands there itself has no name, but may have a value.
                guard let text = branch.value["$ref"]?.stringValue else { return ("", branch) }
                guard let target = try? links.sources.target(of: text, from: place) else { return nil }
                return (String(text.split(separator: "/").last ?? ""), target)
            }
        }
        let heirs = links.heirs(of: place)
        guard !heirs.isEmpty, case .key(let name)? = place.path.last else { return heirs }
        return heirs.filter { !$0.name.isEmpty } + [(name, place)]
    }

    /// The name of a schema as a value: as it is written, or as the values that are allowed spell it; none if they
    /// allow no such value, or if it has no name.
    private static func name(_ name: String, among allowed: [String]) -> [String] {
        guard !name.isEmpty else { return [] }
        guard !allowed.isEmpty, !allowed.contains(where: { $0.hasSameCodePoints(as: name) }) else { return [name] }
        func letters(_ text: String) -> String {
            String(decoding: text.lowercased().utf8.filter { $0 != 0x5F && $0 != 0x2D && $0 != 0x2E }, as: UTF8.self)
        }
        let near = allowed.filter { letters($0) == letters(name) }
        return near.count == 1 ? near : []
    }

    /// The texts that a schema allows for the member by `const` or `enum`; none if it does not say.
    ///
    /// Of several that it combines the fewest count, since all have to fit.
    private func values(in place: Place, _ links: inout SchemaLinks, steps: Int) -> [String] {
        guard steps < 8, let place = try? links.sources.resolved(place) else { return [] }
        var found: [[String]] = []
        if let member = place.member("properties")?.member(property) {
            let value = (try? links.sources.resolved(member))?.value ?? member.value
            if let constant = value["const"]?.stringValue { return [constant] }
            found.append(value["enum"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        }
        for part in place.member("allOf")?.elements ?? [] { found.append(values(in: part, &links, steps: steps + 1)) }
        return found.filter { !$0.isEmpty }.min { $0.count < $1.count } ?? []
    }
}
