import Backend
import JSON

/// Mappings of WireMock as stubs (own-API contract, section 20).
struct MappingImport {
    private(set) var files: [Scaffold.File] = []
    private(set) var omissions: [SeedError.Item] = []
    private(set) var states = StateNames()
    /// The number of stubs, and of those that are switched off since a part of them was left out.
    private(set) var count = 0
    private(set) var disabled = 0

    /// The bytes of stubs up to which they share a file.
    private static let fullFile = 1_024 * 1_024
    /// The stubs that a world may have (own-API contract, section 22).
    private static let mostStubs = 10_000
    /// The files that the folder of an API may have (own-API contract, section 22).
    private static let mostFiles = 1_000
    /// The number of a mapping without a priority.
    private static let usualPriority: Int64 = 5

    private struct Mapping {
        var source: MappingSource
        var path: [JSONPathElement]
        var object: JSONObject

        /// A smaller number comes first.
        var priority: Int64 { object["priority"]?.coercedInteger ?? usualPriority }
    }

    /// The stubs that stand for a mapping: one, or several of which each takes a part of its requests.
    private struct Made {
        var mapping: Mapping
        var stubs: [JSON]
        var isDisabled: Bool
    }

    /// Reads mapping files, which may name the given bodies; nil makes nothing.
    init(_ sources: [ScaffoldOrder.Source]?, bodies: [ScaffoldOrder.Source]) {
        guard let sources else { return }
        var mappings: [Mapping] = []
        var refused: [SeedError.Item] = []
        for source in sources { mappings += Self.mappings(in: source, &refused) }
        // Beside the copies there are `api.json` and the files of stubs, whose number is known at the end.
        var others = 2
        repeat {
            self = MappingImport(mappings, BodyFiles(bodies, atMost: Self.mostFiles - others))
            others = 1 + files.count { $0.path.hasPrefix("stubs/") }
        } while files.count >= Self.mostFiles && others < Self.mostFiles
        omissions = refused + omissions
    }

    private init(_ mappings: [Mapping], _ bodies: BodyFiles) {
        var library = bodies
        var made: [Made] = []
        for mapping in mappings {
            var conversion = StubConversion(mapping.source, at: mapping.path)
            let stubs = conversion.stubs(mapping.object, &states, &library)
            made.append(Made(mapping: mapping, stubs: stubs, isDisabled: !conversion.isComplete))
            omissions += conversion.items
        }
        omissions += library.unnamed
        files = library.files
        // Of equal priorities the mapping that WireMock reads last answers.
        let sorted = made.enumerated().sorted {
            ($0.element.mapping.priority, $1.offset) < ($1.element.mapping.priority, $0.offset)
        }
        var stubs: [JSON] = []
        for (_, made) in sorted {
            guard stubs.count + made.stubs.count <= Self.mostStubs else {
                let reason = "is one stub too many: an API has at most \(Self.mostStubs); left out"
                omissions.append(made.mapping.source.item(at: made.mapping.path, reason))
                continue
            }
            stubs += made.stubs
            if made.isDisabled { disabled += made.stubs.count }
        }
        count = stubs.count
        write(stubs)
    }

    /// The mappings of a file; what is none is listed.
    private static func mappings(in source: ScaffoldOrder.Source, _ refused: inout [SeedError.Item]) -> [Mapping] {
        let document: RelaxedJSON.Document
        do throws(JSONSyntaxError) {
            document = try RelaxedJSON.read(source.bytes)
        } catch {
            let reason = "is not JSON: \(error.message); left out"
            refused.append(SeedError.Item(place: source.place, line: error.line, path: "$", reason: reason))
            return []
        }
        let place = MappingSource(place: source.place, positions: document.positions)
        if let line = document.rest {
            let reason = "only the first value of a file is read; what follows it is left out"
            refused.append(SeedError.Item(place: source.place, line: line, path: "$", reason: reason))
        }
        var paths: [[JSONPathElement]] = [[]]
        if let list = document.json.arrayValue { paths = list.indices.map { [.index($0)] } }
        if let member = document.json["mappings"] {
            guard let list = member.arrayValue else {
                let reason = "expected a list of mappings, found \(member.typeName); left out"
                refused.append(place.item(at: ["mappings"], reason))
                return []
            }
            paths = list.indices.map { [.key("mappings"), .index($0)] }
        }
        return paths.compactMap { path in
            let value = document.json.value(at: path)
            guard let object = value?.objectValue else {
                let reason = "expected a mapping, found \(value?.typeName ?? "nothing"); left out"
                refused.append(place.item(at: path, reason))
                return nil
            }
            return Mapping(source: place, path: path, object: object)
        }
    }

    /// Writes the stubs in their order, in as few files as are still pleasant to read.
    private mutating func write(_ stubs: [JSON]) {
        var groups: [[JSON]] = []
        var bytes = Self.fullFile
        for stub in stubs {
            // As it will be indented, which may be many times as long.
            let size = Scaffold.File(path: "", json: [stub]).bytes.count
            if bytes + size > Self.fullFile {
                groups.append([])
                bytes = 0
            }
            groups[groups.count - 1].append(stub)
            bytes += size
        }
        let digits = "\(groups.count)".count
        for (place, group) in groups.enumerated() {
            let number = "\(place + 1)"
            let padding = String(repeating: "0", count: digits - number.count)
            let name = groups.count == 1 ? "wiremock" : "wiremock-\(padding)\(number)"
            files.append(Scaffold.File(path: "stubs/\(name).json", json: .array(group)))
        }
    }
}

/// A mapping file for the places of what is listed.
struct MappingSource {
    let place: String
    let positions: JSONPositions

    /// A line of the list.
    func item(at path: [JSONPathElement], _ reason: String) -> SeedError.Item {
        let line = positions.closestLine(to: path).line
        return SeedError.Item(place: place, line: line, path: path.formattedJSONPath, reason: reason)
    }
}

extension JSON {
    /// The value that a path leads to.
    fileprivate func value(at path: [JSONPathElement]) -> JSON? {
        path.reduce(self) { value, step in
            switch step {
            case .key(let name): value?[name]
            case .index(let place): value?[place]
            }
        }
    }
}
