import JSON
import YAML

/// The files of a document, and the way from a reference to what it means.
struct SourceSet: Sendable {
    /// Reads a file of the folder that a reference names.
    typealias Loader = (_ path: String, _ sources: inout SourceSet) throws(Reference.Problem) -> Int

    private(set) var sources: [DocumentSource] = []
    /// The targets of references that were followed, by the file and the text.
    private var targets: [ExactName: Result<Place, Reference.Problem>] = [:]
    /// The places behind references that nothing stands beside.
    private var ends: [ExactName: Place] = [:]
    /// The names that `$anchor` and `$id` give to schemas, by the file.
    private var names: [Int: [ExactName: [JSONPathElement]]] = [:]

    /// The places of the members of objects that have many, by the objects' own places.
    private var members: [ExactName: [ExactName: Int]] = [:]
    /// Members from which on an object is not searched.
    private static let manyMembers = 64

    /// Adds a file and returns its number.
    mutating func add(_ source: DocumentSource) -> Int {
        sources.append(source)
        return sources.count - 1
    }

    /// The number of a file.
    func index(of name: String) -> Int? { sources.firstIndex { $0.name == name } }

    /// The whole of a file.
    func root(_ source: Int) -> Place { Place(source: source, path: [], value: sources[source].root) }

    /// The value at a path.
    func place(_ source: Int, _ path: [JSONPathElement]) -> Place? {
        var value = sources[source].root
        for element in path {
            let next: JSON? =
                switch element {
                case .key(let name): value[name]
                case .index(let index): value[index]
                }
            guard let next else { return nil }
            value = next
        }
        return Place(source: source, path: path, value: value)
    }

    /// Follows one reference that stands at a place.
    mutating func target(
        of text: String,
        from place: Place,
        load: Loader? = nil
    ) throws(Reference.Problem) -> Place {
        // A schema with an identifier is a root of its own, so that the place counts there.
        let own = identifiedRoot(around: place)
        let key = ExactName(text: "\(place.source) \(own?.formattedJSONPath ?? "") \(text)")
        if let known = targets[key] { return try known.get() }
        let found: Result<Place, Reference.Problem>
        do throws(Reference.Problem) {
            found = .success(try follow(Reference(text), from: place, own, text, load))
        } catch {
            found = .failure(error)
        }
        targets[key] = found
        return try found.get()
    }

    /// Follows references until something else stands there.
    mutating func resolved(_ place: Place, load: Loader? = nil) throws(Reference.Problem) -> Place {
        var place = place
        var passed: Set<ExactName> = []
        while let text = place.value["$ref"]?.stringValue {
            guard passed.insert(place.key).inserted else { throw .leadsInCircle }
            place = try target(of: text, from: place, load: load)
        }
        return place
    }

    /// A place without the references in front of it that have nothing beside them that counts.
    mutating func bare(_ place: Place) -> Place {
        var place = place
        var passed: Set<ExactName> = []
        while sources[place.source].dialect == .openAPI30 || place.value.objectValue?.count == 1,
            let next = following(place)
        {
            let key = place.key
            if let known = ends[key] {
                place = known
                break
            }
            guard passed.insert(key).inserted else { break }
            place = next
        }
        for key in passed { ends[key] = place }
        return place
    }

    /// The text of a number or a truth value, as it is written.
    func text(of place: Place) -> String {
        (sources[place.source].positions as? YAMLPositions)?.text(at: place.path) ?? place.value.text
    }

    /// The target of the reference at a place; nil if there is none.
    mutating func following(_ place: Place) -> Place? {
        place.value["$ref"]?.stringValue.flatMap { try? target(of: $0, from: place) }
    }

    private mutating func follow(
        _ reference: Reference,
        from place: Place,
        _ own: [JSONPathElement]?,
        _ text: String,
        _ load: Loader?
    ) throws(Reference.Problem) -> Place {
        if let own, reference.base.isEmpty, let root = self.place(place.source, own),
            let found = self.find(reference, in: root)
        {
            return found
        }
        if reference.base.isEmpty {
            if let found = find(reference, in: root(place.source)) { return found }
            if let fallback = sources[place.source].fallback, let found = find(reference, in: root(fallback)) {
                return found
            }
            throw .leadsNowhere("the reference \(JSON.string(text.cut).text) can't be resolved")
        }
        if let path = names(in: place.source)[ExactName(text: reference.base)],
            let root = self.place(place.source, path), let found = find(reference, in: root)
        {
            return found
        }
        let path = try Reference.path(reference.base, from: sources[place.source].name)
        let source: Int
        if let known = index(of: path) {
            source = known
        } else if let load {
            source = try load(path, &self)
        } else {
            throw .leadsNowhere("the reference leads to \(path.cut), which does not exist")
        }
        guard let found = find(reference, in: root(source)) else {
            throw .leadsNowhere("the reference \(JSON.string(text.cut).text) can't be resolved in \(path.cut)")
        }
        return found
    }

    /// The part of a root that a fragment names: by a pointer or by an anchor.
    private mutating func find(_ reference: Reference, in root: Place) -> Place? {
        guard let pointer = reference.pointer else {
            guard let path = names(in: root.source)[ExactName(text: "#" + (reference.fragment ?? ""))] else {
                return nil
            }
            return place(root.source, path)
        }
        var found = root
        var path = root.path
        var value = root.value
        for step in pointer {
            switch value {
            case .object(let object):
                guard let next = member(step, of: object, at: Place(source: root.source, path: path, value: value))
                else {
                    return nil
                }
                path.append(.key(step))
                value = next
            case .array(let elements):
                guard let index = Int(step), elements.indices.contains(index) else { return nil }
                path.append(.index(index))
                value = elements[index]
            default: return nil
            }
        }
        found = Place(source: root.source, path: path, value: value)
        return found
    }

    private mutating func member(_ name: String, of object: JSONObject, at place: Place) -> JSON? {
        guard object.count > Self.manyMembers else { return object[name] }
        let key = place.key
        if members[key] == nil {
            members[key] = Dictionary(
                object.members.enumerated().map { (ExactName(text: $1.name), $0) },
                uniquingKeysWith: { $1 }
            )
        }
        return members[key]?[ExactName(text: name)].map { object.members[$0].value }
    }

    /// The path of the nearest schema around a place, other than the file's root, that has an `$id`.
    private mutating func identifiedRoot(around place: Place) -> [JSONPathElement]? {
        guard sources[place.source].dialect == .jsonSchema202012 else { return nil }
        let identified = names(in: place.source).filter { $0.key.text.utf8.first != UInt8(ascii: "#") }.values
        guard !identified.isEmpty else { return nil }
        return identified.filter { !$0.isEmpty && place.path.starts(with: $0) }.max { $0.count < $1.count }
    }

    /// Every `$id` of a file, and every `$anchor` with `#` in front of it, with their paths.
    private mutating func names(in source: Int) -> [ExactName: [JSONPathElement]] {
        if let known = names[source] { return known }
        var found: [ExactName: [JSONPathElement]] = [:]
        if sources[source].dialect == .jsonSchema202012 {
            var path: [JSONPathElement] = []
            Self.collectNames(sources[source].root, &path, &found)
        }
        names[source] = found
        return found
    }

    private static func collectNames(
        _ value: JSON,
        _ path: inout [JSONPathElement],
        _ found: inout [ExactName: [JSONPathElement]]
    ) {
        switch value {
        case .object(let object):
            for member in object.members {
                switch (member.name, member.value) {
                case ("$id", .string(let text)): found[ExactName(text: text)] = path
                case ("$anchor", .string(let text)): found[ExactName(text: "#" + text)] = path
                case (_, .object), (_, .array):
                    path.append(.key(member.name))
                    collectNames(member.value, &path, &found)
                    path.removeLast()
                default: break
                }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                path.append(.index(index))
                collectNames(element, &path, &found)
                path.removeLast()
            }
        default: break
        }
    }
}
