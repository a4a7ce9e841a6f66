package import Backend
import JSON
import Recording

/// The files of a new API's folder, and what an import could not carry over (own-API contract, section 19).
package struct Scaffold: Sendable {
    /// A file to be written.
    package struct File: Sendable, Equatable {
        /// The path below the API's folder: `stubs/hello.json`.
        package var path: String
        package var bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }

        /// Creates a file that holds a JSON value, indented for people.
        init(path: String, json: JSON) {
            self.path = path
            bytes = json.serialized(options: JSONWriter.Options(pretty: true)) + [0x0A]
        }

        /// Creates a file that holds the rows of a table, one a line.
        init(path: String, rows: [JSON]) {
            self.path = path
            let lines = rows.map { row in "  " + Self.line(row) }
            bytes = Array((lines.isEmpty ? "[]\n" : "[\n" + lines.joined(separator: ",\n") + "\n]\n").utf8)
        }

        /// A value on one line, with blanks after colons and commas.
        private static func line(_ json: JSON) -> String {
            switch json {
            case .object(let object):
                "{" + object.members.map { JSON.string($0.name).text + ": " + line($0.value) }.joined(separator: ", ")
                    + "}"
            case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
            default: json.text
            }
        }
    }

    /// The files in the order of their paths, `api.json` first.
    package private(set) var files: [File] = []
    /// The parts of the sources that were not carried over, or not exactly, in the order of the sources.
    package private(set) var omissions: [SeedError.Item] = []
    /// The parts made of the document, in words; nil without one.
    package private(set) var proposal: ProposalReport?
    /// The number of stubs made of mappings, and of those that are switched off since a part of them was left out.
    package private(set) var mappings = (count: 0, disabled: 0)

    /// Makes the files that an order asks for.
    ///
    /// - Parameters:
    ///   - order: The sources; without any the folder gets an example of each kind of file.
    ///   - version: The version of Understudy, which recordings name.
    /// - Throws: The problems of all sources.
    package init(_ order: ScaffoldOrder, version: String) throws(SeedError) {
        var api = order.present?.api ?? JSONObject()
        var resources: [JSON] = []
        var parts: [File] = []
        var problems: [SeedError.Item] = []
        func collect<Part>(_ read: () throws(SeedError) -> Part) -> Part? {
            do throws(SeedError) {
                return try read()
            } catch {
                problems += error.items
                return nil
            }
        }
        if order.isEmpty {
            parts += StarterFiles.files
            resources.append(TableFiles.resource("items"))
        }
        for table in order.tables {
            parts.append(TableFiles.file(table))
            resources.append(TableFiles.resource(table))
        }
        if let document = collect({ () throws(SeedError) in try DocumentImport.files(order.document) }) {
            if order.present == nil { parts += document }
        }
        if let archives = collect({ () throws(SeedError) in
            try ArchiveImport(order.archives, HostFilter(order.hosts), redacts: order.redacts, version: version)
        }) {
            parts += archives.files
            omissions += archives.omissions
        }
        let mappings = MappingImport(order.mappings, bodies: order.bodies)
        parts += mappings.files
        omissions += mappings.omissions + order.ignored
        self.mappings = (mappings.count, mappings.disabled)
        if !mappings.states.isEmpty { api.append("states", .object(mappings.states.json)) }
        if let database = collect({ () throws(SeedError) in try order.database.map(DatabaseImport.init) }), let database
        {
            parts += database.files
            omissions += database.omissions
            if !database.tables.isEmpty { api.append("tables", .object(database.tables)) }
            resources += database.resources
        }
        if !resources.isEmpty { api.append("resources", .array(resources)) }
        let basePath = api["basePath"]?.stringValue
        if order.proposes, let document = DocumentImport.read(order.document, basePath: basePath) {
            let proposal = DocumentProposal(
                document,
                beside: api,
                tables: order.present?.tables ?? order.tables,
                refused: order.refusedRows
            )
            api = proposal.api
            parts += proposal.files
            self.proposal = proposal.report
        }
        problems += Self.clashes(of: parts)
        guard problems.isEmpty else { throw SeedError(problems) }
        // What a folder has already is left as it is written.
        let declaration = order.present?.api == api ? [] : [File(path: "api.json", json: .object(api))]
        files =
            declaration + parts.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The problems of files that would have one path, or take that of a folder.
    private static func clashes(of files: [File]) -> [SeedError.Item] {
        var seen: Set<String> = ["api.json"]
        var folders: Set<String> = []
        var problems: [SeedError.Item] = []
        for file in files {
            var parts = file.path.split(separator: "/")
            while parts.count > 1 {
                parts.removeLast()
                folders.insert(parts.joined(separator: "/"))
            }
        }
        for file in files where !seen.insert(file.path).inserted || folders.contains(file.path) {
            let reason = "another part of the new API has this path; import it into an API of its own"
            problems.append(SeedError.Item(place: file.path, line: 1, path: "$", reason: reason))
        }
        return problems
    }
}
