import APIFolders
package import Backend
import Basics
import CustomAPIs
import Proxying
package import Scaffolding
import Transport

/// Reads the files that a new API is made from (own-API contract, sections 19 and 20).
package enum ScaffoldSources {
    /// The largest archive that is read.
    private static let mostArchive = 256 * 1_024 * 1_024
    /// The largest mapping file, which may hold more than one file of stubs.
    private static let mostMapping = 64 * 1_024 * 1_024
    /// The most files below a folder of WireMock.
    private static let mostFiles = 20_000
    private static let mostDepth = 32

    // MARK: Archives

    /// Reads archives.
    package static func archives(_ paths: [String]) throws(SeedError) -> [ScaffoldOrder.Source] {
        try collect(paths) { (path) throws(SeedError) in
            let bytes = try contents(of: path)
            let attachments = (try? DataFile.reading(path))?.attachments()
            return [ScaffoldOrder.Source(place: path, name: path, bytes: bytes, attachments: attachments)]
        }
    }

    /// Reads the file of json-server.
    package static func database(_ path: String) throws(SeedError) -> ScaffoldOrder.Source {
        guard !path.contains("://") else { throw address(path) }
        return ScaffoldOrder.Source(place: path, name: path, bytes: try contents(of: path))
    }

    // MARK: Documents

    /// Reads a document and all files that it refers to, directly or not, as a folder's are read.
    package static func document(_ path: String) throws(SeedError) -> [ScaffoldOrder.Source] {
        guard !path.contains("://") else { throw address(path) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let folder = parts.count == 2 && parts[0].isEmpty ? "/" : parts.dropLast().joined(separator: "/")
        let tree = FolderTree(folder.isEmpty ? "." : folder)
        let bytes = try contents(of: path)
        let document = ScaffoldOrder.Source(place: path, name: parts.last ?? path, bytes: bytes)
        // It is read under the name of its copy, so that a file which refers to it by its own name asks for it.
        let copy = DocumentImport.name(of: document)
        let (files, errors) = DocumentFiles.find(copy, in: folder) { name in
            name == copy
                ? .bytes(bytes) : CustomAPIFolderReader.content(name.split(separator: "/").map(String.init), in: tree)
        }
        let place = folder.isEmpty || folder == "/" ? folder + copy : "\(folder)/\(copy)"
        guard errors.isEmpty else {
            throw SeedError(
                errors.map { error in
                    var error = error
                    if error.place == place { error.place = path }
                    error.reason += conversion(path, after: error.reason)
                    return error
                }
            )
        }
        return [document]
            + files.dropFirst().map { file in
                let place = tree.place(file.name.split(separator: "/").map(String.init))
                return ScaffoldOrder.Source(place: place, name: file.name, bytes: file.bytes)
            }
    }

    /// The command that converts a file of a kind that is named for it; empty for others.
    private static func conversion(_ path: String, after reason: String) -> String {
        let file = quoted(path)
        if reason.hasSuffix("swagger2openapi") { return ": npx swagger2openapi -o openapi.json \(file)" }
        if reason.hasSuffix("postman-to-openapi") { return ": npx -p postman-to-openapi p2o \(file) -f openapi.yaml" }
        return ""
    }

    /// A word in single quotes where a shell would read it otherwise.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2D, 0x2E, 0x2F, 0x5F].contains(byte)
        }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    // MARK: WireMock

    /// Reads the mappings and the files of a folder of WireMock into an order; a file that can't be read is left out.
    package static func wireMock(_ path: String, into order: inout ScaffoldOrder) throws(SeedError) {
        guard FolderReader.isFolder(path) else { throw refusal(path, "there is no such folder") }
        let tree = FolderTree(path)
        guard case .folder = tree.look(at: ["mappings"]) else {
            throw refusal(path, "has no folder named mappings")
        }
        let all = try files(in: ["mappings"], of: tree, &order)
        let isMapping = { (components: [String]) in components.last?.hasSuffix(".json") == true }
        order.mappings = all.filter(isMapping).compactMap { source($0, tree, limit: mostMapping, &order) }
        for components in all where !isMapping(components) {
            ignore(tree.place(components), "is not a mapping file", &order)
        }
        guard tree.look(at: ["__files"]) != .missing else { return }
        order.bodies = try files(in: ["__files"], of: tree, &order).compactMap {
            source($0, tree, limit: mostArchive, &order)
        }
    }

    private static func source(
        _ components: [String],
        _ tree: FolderTree,
        limit: Int,
        _ order: inout ScaffoldOrder
    ) -> ScaffoldOrder.Source? {
        guard let bytes = tree.contents(of: components, limit: limit) else {
            ignore(tree.place(components), "can't be read, or has over \(limit) bytes", &order)
            return nil
        }
        let name = components.dropFirst().joined(separator: "/")
        return ScaffoldOrder.Source(place: tree.place(components), name: name, bytes: bytes)
    }

    /// The files below a folder, in the order of their paths.
    private static func files(
        in folder: [String],
        of tree: FolderTree,
        _ order: inout ScaffoldOrder
    ) throws(SeedError) -> [[String]] {
        var found: [[String]] = []
        var waiting = [folder]
        while let next = waiting.popLast() {
            for name in tree.names(in: next) ?? [] {
                let inner = next + [name]
                switch tree.look(at: inner) {
                case .file: found.append(inner)
                case .folder where inner.count <= mostDepth: waiting.append(inner)
                case .folder: ignore(tree.place(inner), "is nested too deeply", &order)
                case .refused(let reason): ignore(tree.place(inner), reason, &order)
                case .missing: break
                }
            }
            guard found.count <= mostFiles else { throw problem(tree.place(folder), "has over \(mostFiles) files") }
        }
        return found.sorted { $0.lexicographicallyPrecedes($1) { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    }

    /// Lists a file that is left out.
    private static func ignore(_ place: String, _ reason: String, _ order: inout ScaffoldOrder) {
        order.ignored += problem(place, reason + "; left out").items
    }

    // MARK: Problems

    /// Makes all parts, or throws the problems of all.
    private static func collect<Item>(
        _ items: [Item],
        _ make: (Item) throws(SeedError) -> [ScaffoldOrder.Source]
    ) throws(SeedError) -> [ScaffoldOrder.Source] {
        var made: [ScaffoldOrder.Source] = []
        var problems: [SeedError.Item] = []
        for item in items {
            do throws(SeedError) {
                made += try make(item)
            } catch {
                problems += error.items
            }
        }
        guard problems.isEmpty else { throw SeedError(problems) }
        return made
    }

    private static func contents(of path: String) throws(SeedError) -> [UInt8] {
        do throws(Errno) {
            return try FolderReader.contents(ofFile: path)
        } catch {
            throw refusal(path, error.unreadable)
        }
    }

    /// The refusal of an address: what is there has to be fetched first.
    private static func address(_ path: String) -> SeedError {
        let file = path.split(separator: "/").last.map { $0.prefix { $0 != "?" && $0 != "#" } } ?? ""
        let isPlain = file.utf8.allSatisfy { byte in
            (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        let isNamed = isPlain && file.contains(".") && path.hasSuffix(file) && path.split(separator: "/").count > 2
        let quoted = "'" + path.replacing("'", with: "'\\''") + "'"
        let command = isNamed ? "curl -O \(quoted)" : "curl -o openapi.yaml \(quoted)"
        let name = isNamed ? String(file) : "openapi.yaml"
        return refusal(path, "is a URL, and nothing is downloaded: run \(command), and pass \(name)")
    }

    /// The refusal of a place that the command line names, of which no line is known.
    private static func refusal(_ place: String, _ reason: String) -> SeedError {
        SeedError([SeedError.Item(flag: place, reason: reason)])
    }

    private static func problem(_ place: String, _ reason: String) -> SeedError {
        SeedError([SeedError.Item(place: place, line: 1, path: "$", reason: reason)])
    }
}
