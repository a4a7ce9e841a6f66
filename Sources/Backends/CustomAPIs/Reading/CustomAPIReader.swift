package import APIFolders
import Backend
import JSON

/// Reads the folder of a custom API (own-API contract, section 2).
package struct CustomAPIReader {
    let folder: CustomAPIFolder
    var definition: CustomAPIDefinition
    private var findings: [SeedError.Item] = []
    /// The names of the files that the document has asked for, and so has told of if they can't be read.
    var referenced: Set<String> = []

    private init(_ folder: CustomAPIFolder) {
        self.folder = folder
        definition = CustomAPIDefinition(name: folder.name)
    }

    /// Reads an API, and tells everything that is wrong with its files.
    package static func read(_ folder: CustomAPIFolder) -> CustomAPIReading {
        var reader = CustomAPIReader(folder)
        reader.readAll()
        let isSound = !reader.findings.contains { $0.severity == .error }
        return CustomAPIReading(definition: isSound ? reader.definition : nil, findings: reader.findings)
    }

    private mutating func readAll() {
        checkFiles()
        defer { noteUnreadFiles() }
        guard let (object, report) = object(of: "api.json") else { return }
        readDeclaration(object, report)
        findings += report.items
        readStubs()
        readScenarios()
    }

    /// Notes files that could not be opened, and those that no part of an API is in, unless the document has asked for
    /// them.
    private mutating func noteUnreadFiles() {
        for file in folder.files where !referenced.contains(file.name) {
            if case .refused(let reason) = file.content {
                note(file.place, reason)
                continue
            }
            let isTop = !file.name.utf8.contains(UInt8(ascii: "/"))
            if isTop, file.name.hasSuffix(".json"), !CustomAPIFolder.isRead(file.name) {
                note(file.place, "is not read: an API has no such file", .note)
            }
        }
    }

    /// Notes too many files, and those of another ending than the others.
    private mutating func checkFiles() {
        if folder.files.count > CustomAPILimits.files {
            note(folder.place, "has \(folder.files.count) files; an API has at most \(CustomAPILimits.files)")
        }
        for file in folder.files {
            let isForeign = ["stubs", "tables", "scenarios"].contains { CustomAPIFolder.isFile(file.name, in: $0) }
            if isForeign, !file.name.hasSuffix(".json") {
                note(file.place, "is not read: files here end with .json", .note)
            }
        }
    }

    /// Adds a finding that is located already.
    mutating func add(_ item: SeedError.Item) { findings.append(item) }

    /// Notes a finding about a file as a whole.
    mutating func note(_ place: String, _ reason: String, _ severity: SeedError.Severity = .error) {
        findings.append(SeedError.Item(place: place, line: 1, path: "$", reason: reason, severity: severity))
    }

    /// Returns the object in a file; nil, with the findings noted, if there is none.
    private mutating func object(of name: String) -> (JSONObject, FileReport)? {
        guard let file = folder.file(name) else {
            note("\(folder.place)/\(name)", "the file is missing")
            return nil
        }
        guard let (json, report) = json(of: file) else { return nil }
        guard let object = json.objectValue else {
            note(file.place, "must be an object, found \(json.typeName)")
            return nil
        }
        return (object, report)
    }

    /// Returns the content of a JSON file; nil, with the findings noted, if it can't be read.
    mutating func json(of file: CustomAPIFolder.File) -> (JSON, FileReport)? {
        guard case .bytes(let bytes) = file.content else { return nil }
        guard bytes.count <= CustomAPILimits.fileBytes else {
            note(file.place, "has \(bytes.count) bytes; a JSON file has at most \(CustomAPILimits.fileBytes)")
            return nil
        }
        do throws(JSONSyntaxError) {
            let (json, positions) = try JSONReader.readWithPositions(
                bytes,
                options: JSONReader.Options(maxDepth: CustomAPILimits.depth, allowDuplicateNames: false)
            )
            return (json, FileReport(place: file.place, positions: positions))
        } catch {
            findings.append(SeedError.Item(place: file.place, line: error.line, path: "$", reason: "\(error)"))
            return nil
        }
    }

    /// Adds the findings in a file.
    mutating func close(_ report: FileReport) { findings += report.items }
}
