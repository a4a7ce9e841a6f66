import Emulation
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

    private struct Mapping {
        var source: MappingSource
        var path: [JSONPathElement]
        var object: JSONObject
        /// A smaller number comes first; 5 where the mapping names none.
        var priority: Int64
    }

    /// Reads mapping files, which may name the given bodies; nil makes nothing.
    init(_ sources: [ScaffoldOrder.Source]?, bodies: [ScaffoldOrder.Source]) throws(SeedError) {
        guard let sources else { return }
        var problems: [SeedError.Item] = []
        var mappings: [Mapping] = []
        for source in sources {
            do throws(SeedError) {
                mappings += try Self.mappings(in: source)
            } catch {
                problems += error.items
            }
        }
        if mappings.count > Self.mostStubs {
            let reason = "has \(mappings.count) mappings with those before it; an API may have \(Self.mostStubs) stubs"
            problems.append(SeedError.Item(place: sources.last?.place ?? "", line: 1, path: "$", reason: reason))
        }
        guard problems.isEmpty else { throw SeedError(problems) }
        var library = BodyFiles(bodies)
        var stubs: [(priority: Int64, stub: JSON)] = []
        for mapping in mappings {
            var conversion = StubConversion(mapping.source, at: mapping.path)
            stubs.append((mapping.priority, conversion.stub(mapping.object, &states, &library)))
            omissions += conversion.items
            if !conversion.isComplete { disabled += 1 }
        }
        count = stubs.count
        omissions += library.unnamed
        files = library.files
        // A stable order: the place in the files decides among equal priorities.
        let sorted = stubs.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
        write(sorted.map(\.element.stub))
    }

    private static func mappings(in source: ScaffoldOrder.Source) throws(SeedError) -> [Mapping] {
        func refuse(_ line: Int, _ path: [JSONPathElement], _ reason: String) -> SeedError {
            SeedError([
                SeedError.Item(place: source.place, line: line, path: path.formattedJSONPath, reason: reason)
            ])
        }
        let json: JSON
        let positions: JSONPositions
        do throws(JSONSyntaxError) {
            (json, positions) = try JSONReader.readWithPositions(
                source.bytes,
                options: JSONReader.Options(maxDepth: 64, allowBOM: true)
            )
        } catch {
            throw refuse(error.line, [], "\(error)")
        }
        let place = MappingSource(place: source.place, positions: positions)
        var paths: [[JSONPathElement]] = [[]]
        if let list = json.arrayValue { paths = list.indices.map { [.index($0)] } }
        if let list = json["mappings"]?.arrayValue { paths = list.indices.map { [.key("mappings"), .index($0)] } }
        return try paths.map { (path) throws(SeedError) in
            let value = json.value(at: path)
            guard let object = value?.objectValue else {
                let found = value?.typeName ?? "nothing"
                throw refuse(positions.closestLine(to: path).line, path, "expected a mapping, found \(found)")
            }
            let priority = object["priority"]?.intValue ?? 5
            return Mapping(source: place, path: path, object: object, priority: priority)
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
