/// The files of a custom API's folder, read by the shell (own-API contract, section 2).
package struct CustomAPIFolder: Sendable {
    /// A file below the folder.
    package struct File: Sendable {
        /// The state in which the shell found a file.
        package enum Content: Sendable, Equatable {
            case bytes([UInt8])
            /// A file that nothing reads: only its name counts.
            case unread
            /// A file that must not be opened or that can't be read, such as a link out of the folder, and the reason.
            case refused(String)
        }

        /// The name inside the folder: `tables/products.json`.
        package let name: String
        /// The path that an error names, as the user gave it.
        package let place: String
        package let content: Content

        package init(name: String, place: String, content: Content) {
            self.name = name
            self.place = place
            self.content = content
        }

        package init(name: String, place: String, bytes: [UInt8]) {
            self.init(name: name, place: place, content: .bytes(bytes))
        }
    }

    /// The name of the folder, which is the API's.
    package let name: String
    /// The path of the folder as the user gave it.
    package let place: String
    /// The files in the order of their names.
    package let files: [File]
    /// Opens a file that lies anywhere in the folder, by its name; nil if there is none.
    package let open: Opener

    /// Opens a file by its name inside the folder; nil if there is none.
    package typealias Opener = @Sendable (String) -> File.Content?

    /// `open` gives the files that the document refers to, which may lie anywhere in the folder.
    package init(name: String, place: String, files: [File], open: @escaping Opener = { _ in nil }) {
        self.name = name
        self.place = place
        self.open = open
        self.files = files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Returns the file of that name; nil if there is none.
    package func file(_ name: String) -> File? { files.first { $0.name == name } }

    /// Returns the files directly in a subfolder that have that ending, in the order of their names.
    package func files(in folder: String, ending: String) -> [File] {
        files.filter { Self.isFile($0.name, in: folder) && $0.name.hasSuffix(ending) }
    }

    /// Returns the folder with files in place of those of their names, or beside them.
    package func with(_ changed: [File]) -> CustomAPIFolder {
        let names = Set(changed.map(\.name))
        return CustomAPIFolder(
            name: name,
            place: place,
            files: files.filter { !names.contains($0.name) } + changed,
            open: open
        )
    }

    package static func isFile(_ name: String, in folder: String) -> Bool {
        name.hasPrefix(folder + "/") && !name.dropFirst(folder.utf8.count + 1).utf8.contains(UInt8(ascii: "/"))
    }
}

extension CustomAPIFolder {
    /// The names under which the description of the whole API can stand.
    package static let documents = ["openapi.yaml", "openapi.yml", "openapi.json"]

    /// Tells whether the content of a file is needed as well as its name.
    ///
    /// The files that a document refers to are opened besides, wherever they lie.
    package static func isRead(_ name: String) -> Bool {
        if name == "api.json" || documents.contains(name) || name.hasPrefix("files/") { return true }
        if ["stubs", "tables", "scenarios"].contains(where: { isFile(name, in: $0) }) {
            return name.hasSuffix(".json")
        }
        return isFile(name, in: "recordings") && name.hasSuffix(".har")
    }
}
