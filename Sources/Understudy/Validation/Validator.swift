import APIFolders
package import Backend
import Basics
import Conditions
import CustomAPIs
import JSON
import Proxying
import Recording
import Transport

/// Checks files by their kind: seeds, scenarios, fault files, recordings, configurations (control contract, section 2).
package struct Validator {
    /// The rules by which the kind of a file is recognised.
    package static let rules =
        "a recording ends in .har or has a log; a fault file is a list of objects with an effect; a table or a scenario "
        + "is in a folder named after its API (omnichat/users.json, omnichat/scenarios/NAME.json); a configuration is "
        + "named understudy.json; an API has a folder with an api.json; a folder of seeds is named after an API, or has such folders"

    /// The folder that relative paths begin in.
    private let workingFolder: String
    private let customAPINames: [String]
    private let configurationKeys: [String]
    private let configuration: (_ bytes: [UInt8], _ place: String) -> [SeedError.Item]

    /// Called with the recording in progress, its bytes read and its bytes in all.
    private let progress: (_ path: String, _ done: Int, _ total: Int) -> Void

    /// `configuration` returns the problems of a configuration file that may have these keys; `customAPINames` are
    /// those of the APIs of the user's own, which fault files may name.
    package init(
        workingFolder: String,
        customAPINames: [String] = [],
        configurationKeys: [String],
        configuration: @escaping (_ bytes: [UInt8], _ place: String) -> [SeedError.Item],
        progress: @escaping (_ path: String, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
    ) {
        self.workingFolder = workingFolder
        self.customAPINames = customAPINames
        self.configurationKeys = configurationKeys
        self.configuration = configuration
        self.progress = progress
    }

    /// Checks a file, or the contents of a folder.
    package func check(_ path: String) -> [ValidationReport] {
        if let report = customAPI(path) { return report }
        guard FolderReader.isFolder(path) else { return [file(path)] }
        return folder(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    }

    // MARK: Folders

    private func folder(_ path: String) -> [ValidationReport] {
        let place = SeedPlace(path, below: workingFolder)
        if let api = place.api, place.rest.isEmpty { return [seeds(of: api, place, path)] }
        let names = FolderReader.names(in: [], below: path) ?? []
        if place.api != nil, place.rest.first == SeedPlace.scenarios { return scenarioFolder(names, path) }
        let apis = APICatalogue.names.filter { FolderReader.isFolder("\(path)/\($0)") }
        guard apis.isEmpty else { return allSeeds(apis, path) }
        let own = names.filter { FolderReader.exists("\(path)/\($0)/\(Self.customAPIFile)") }
        guard own.isEmpty else { return own.flatMap { check("\(path)/\($0)") } }
        let files = names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".har") }
        guard files.isEmpty else { return files.map { file("\(path)/\($0)") } }
        return [unknown(path)]
    }

    private func allSeeds(_ apis: [String], _ path: String) -> [ValidationReport] {
        var reports: [ValidationReport] = []
        var foreign: [SeedError.Item] = []
        do throws(SeedError) { _ = try SeedSource.folder(path).files(api: apis[0]) } catch {
            // A problem of a folder that belongs to no API is reported by itself.
            foreign = error.items.filter { item in !apis.contains { (item.place + "/").hasPrefix("\(path)/\($0)/") } }
        }
        if !foreign.isEmpty { reports.append(ValidationReport(path, "seeds", foreign)) }
        for api in apis {
            reports.append(seeds(of: api, SeedPlace("\(path)/\(api)", below: workingFolder), "\(path)/\(api)"))
        }
        return reports
    }

    private func seeds(of api: String, _ place: SeedPlace, _ path: String) -> ValidationReport {
        let kind = "seeds of \(api)"
        var problems: [SeedError.Item]
        do throws(SeedError) {
            problems = APICatalogue.problems(in: try SeedSource.files(api: api, below: place.root), api: api)
        } catch {
            problems = error.items
        }
        let tables = SeedSource.builtIn(api).files.map(\.name).filter { !$0.contains("/") }
        for name in FolderReader.names(in: [api], below: place.root) ?? []
        where name.hasSuffix(".json") && !tables.contains(name) {
            problems.append(noTable("\(place.root)/\(api)/\(name)", name, api, tables))
        }
        return ValidationReport(path, kind, place.renamed(problems, to: path))
    }

    private func scenarioFolder(_ names: [String], _ path: String) -> [ValidationReport] {
        var reports: [ValidationReport] = []
        for name in names {
            let inner = "\(path)/\(name)"
            if name.hasSuffix(".json") {
                reports.append(file(inner))
            } else if FolderReader.isFolder(inner) {
                reports += folder(inner)
            }
        }
        return reports.isEmpty ? [unknown(path)] : reports
    }

    private func noTable(_ place: String, _ name: String, _ api: String, _ tables: [String]) -> SeedError.Item {
        let hint = Suggestion.hint(to: name, among: tables)
        let reason = "\(api) has no table of that name, so nothing would read it\(hint)"
        return SeedError.Item(place: place, line: 1, path: "$", reason: reason)
    }

    // MARK: Custom APIs

    /// The file that makes a folder an API.
    private static let customAPIFile = "api.json"

    /// Checks the folder of a custom API, or a file in it together with the others; nil for a path elsewhere.
    private func customAPI(_ path: String) -> [ValidationReport]? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        while parts.count > 1, parts.last == "" { parts.removeLast() }
        let shown = parts.joined(separator: "/")
        if FolderReader.isFolder(path) {
            guard FolderReader.exists("\(shown)/\(Self.customAPIFile)") else { return nil }
            return [customAPI(in: shown)]
        }
        // A file of a folder lies in it, or in one of its subfolders.
        for depth in 1...2 where parts.count >= depth {
            let rest = parts.dropLast(depth)
            let folder = rest.isEmpty ? "." : rest.joined(separator: "/")
            guard FolderReader.exists("\(folder)/\(Self.customAPIFile)"), !shown.hasSuffix(".har"),
                parts.last != "understudy.json"
            else { continue }
            var report = customAPI(in: folder)
            let places = rest.isEmpty ? ["./\(shown)", shown] : [shown]
            report.problems = report.problems.filter { places.contains($0.place) }
            report.notes = report.notes.filter { places.contains($0.place) }
            report.path = shown
            return [report]
        }
        return nil
    }

    private func customAPI(in folder: String) -> ValidationReport {
        let name = SeedPlace(folder, below: workingFolder).name
        let files = CustomAPIFolderReader.read(folder, name: name)
        let reading = CustomAPIReader.read(files)
        var report = ValidationReport(folder, "API \(name)", reading.errors, notes: reading.notes + reading.examined())
        if let reason = CustomAPICatalogue.refusal(of: name) {
            report.problems.insert(item("\(folder)/\(Self.customAPIFile)", reason), at: 0)
        }
        for file in files.files(in: "recordings", ending: ".har") where file.content == .unread {
            let inner = recording(file.place)
            report.problems += inner.problems
            report.notes += inner.notes
        }
        return report
    }

    // MARK: Files

    private func file(_ path: String) -> ValidationReport {
        let place = SeedPlace(path, below: workingFolder)
        if place.name.hasSuffix(".har") { return recording(path) }
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try FolderReader.contents(ofFile: path)
        } catch {
            return ValidationReport(path, "file", [item(path, error.unreadable)])
        }
        if place.name == "understudy.json" {
            return ValidationReport(path, "configuration", configuration(bytes, path))
        }
        if let api = place.api, place.name.hasSuffix(".json") {
            if place.rest.first == SeedPlace.scenarios, (2...3).contains(place.rest.count) {
                return scenario(path, place, api, bytes)
            }
            let tables = SeedSource.builtIn(api).files.map(\.name)
            if place.rest.count == 1, tables.contains(place.name) { return table(path, place, api) }
        }
        return byContent(path, place, bytes)
    }

    private func byContent(_ path: String, _ place: SeedPlace, _ bytes: [UInt8]) -> ValidationReport {
        let json: JSON
        do throws(JSONSyntaxError) {
            json = try JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 512, allowBOM: true))
        } catch {
            let isYAML = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
            let foreign = isYAML ? Self.document : ForeignFile(bytes)?.refusal
            return ValidationReport(path, "file", [item(path, line: error.line, foreign ?? "\(error)")])
        }
        switch json {
        // In a list that can be nothing else, each problem is reported by its path, even if no entry has an effect.
        case .array(let items) where items.contains(where: Self.isFault) || !Self.isInSeeds(place):
            return ValidationReport(path, "faults", faults(path, bytes))
        case .object(let object) where object["log"] != nil: return recording(path, bytes)
        case .object(let object) where object["openapi"] != nil || object["swagger"] != nil:
            return ValidationReport(path, "file", [item(path, Self.document)])
        case .object(let object) where object["effect"] != nil:
            return ValidationReport(path, "faults", faults(path, bytes))
        case .object(let object) where object["title"] != nil && object["expect"] != nil:
            let reason = "a scenario belongs in the folder of its API, such as omnichat/scenarios/\(place.name)"
            return ValidationReport(path, "scenario", [item(path, reason)])
        case .object(let object) where object.members.contains { configurationKeys.contains($0.name) }:
            return ValidationReport(path, "configuration", configuration(bytes, path))
        default: break
        }
        guard let api = place.api, place.rest.count == 1, place.name.hasSuffix(".json") else { return unknown(path) }
        let tables = SeedSource.builtIn(api).files.map(\.name).filter { !$0.contains("/") }
        return ValidationReport(path, "table of \(api)", [noTable(path, place.name, api, tables)])
    }

    /// The reason against a document by itself.
    private static let document =
        "an OpenAPI document is checked in the folder of its API; understudy new NAME --openapi FILE makes one"

    private static func isInSeeds(_ place: SeedPlace) -> Bool { place.api != nil && place.rest.count == 1 }

    private static func isFault(_ json: JSON) -> Bool {
        guard let object = json.objectValue else { return false }
        return ["effect", "match", "when", "phase"].contains { object[$0] != nil }
    }

    private func faults(_ path: String, _ bytes: [UInt8]) -> [SeedError.Item] {
        do throws(SeedError) {
            _ = try FaultFile.read(bytes, place: path, apis: APICatalogue.names + customAPINames)
            return []
        } catch {
            return error.items
        }
    }

    /// Checks a table together with the others of its folder; problems of the others are reported only if the table has
    /// none.
    private func table(_ path: String, _ place: SeedPlace, _ api: String) -> ValidationReport {
        let problems: [SeedError.Item]
        do throws(SeedError) {
            problems = APICatalogue.problems(in: try SeedSource.files(api: api, below: place.root), api: api)
        } catch {
            problems = error.items
        }
        let own = problems.filter { $0.place == place.absolute }
        let others = problems.filter { !$0.place.contains("/\(SeedPlace.scenarios)/") }
        return ValidationReport(path, "table of \(api)", place.renamed(own.isEmpty ? others : own, to: path))
    }

    /// Checks a scenario against the built-in tables, since it has none of its own.
    private func scenario(_ path: String, _ place: SeedPlace, _ api: String, _ bytes: [UInt8]) -> ValidationReport {
        var files = SeedSource.builtIn(api)
        files.files.removeAll { $0.name.hasPrefix(SeedPlace.scenarios + "/") }
        files.files.append(SeedFiles.File(name: place.rest.joined(separator: "/"), place: path, bytes: bytes))
        let problems = APICatalogue.problems(in: files, api: api).filter { $0.place == path }
        return ValidationReport(path, "scenario of \(api)", problems)
    }

    private static let piece = 256 * 1_024

    /// Checks a recording of any size, one entry at a time.
    private func recording(_ path: String) -> ValidationReport {
        let file: DataFile
        do throws(Errno) {
            file = try .reading(path)
        } catch {
            return ValidationReport(path, "file", [item(path, error.unreadable)])
        }
        // An unreadable piece makes the archive end early, which is then reported.
        return recording(path, file.size, file.attachments()) {
            ((try? file.read(at: $0, count: Self.piece)) ?? [])[...]
        }
    }

    private func recording(_ path: String, _ bytes: [UInt8]) -> ValidationReport {
        let attachments = (try? DataFile.reading(path))?.attachments()
        return recording(path, bytes.count, attachments) { bytes[$0..<min($0 + Self.piece, bytes.count)] }
    }

    private func recording(
        _ path: String,
        _ size: Int,
        _ attachments: HARAttachments?,
        pieces: (Int) -> ArraySlice<UInt8>
    ) -> ValidationReport {
        var reader = HARStreamReader(attachments: attachments)
        var offset = 0
        do throws(HARError) {
            while true {
                let piece = pieces(offset)
                guard !piece.isEmpty else { break }
                _ = try reader.feed(piece)
                offset += piece.count
                progress(path, offset, max(size, offset))
            }
            try reader.finish()
        } catch {
            let problem = SeedError.Item(place: path, line: error.line, path: error.path, reason: error.reason)
            let mistakes = Self.items(reader.oddities.items, areMistakes: true, path)
            let isTold = mistakes.contains { $0.line == problem.line && $0.path == problem.path }
            return ValidationReport(
                path,
                "recording",
                isTold ? mistakes : mistakes + [problem],
                notes: Self.items(reader.oddities.items, areMistakes: false, path)
            )
        }
        return ValidationReport(
            path,
            "recording",
            Self.items(reader.oddities.items, areMistakes: true, path),
            notes: Self.items(reader.oddities.items + reader.cached.notes, areMistakes: false, path)
        )
    }

    /// The mistakes for which entries are left out, or the other deviations.
    private static func items(_ oddities: [HAROddity], areMistakes: Bool, _ path: String) -> [SeedError.Item] {
        oddities.filter { $0.isMistake == areMistakes }.map { oddity in
            SeedError.Item(
                place: path,
                line: oddity.line,
                path: oddity.path,
                reason: oddity.reason,
                severity: areMistakes ? .error : .note
            )
        }
    }

    private func unknown(_ path: String) -> ValidationReport {
        ValidationReport(path, "unknown", [item(path, "can't tell what this is: \(Self.rules)")])
    }

    private func item(_ place: String, line: Int = 1, _ reason: String) -> SeedError.Item {
        SeedError.Item(place: place, line: line, path: "$", reason: reason)
    }
}
