import Backend

/// The location of a path relative to the folder of an API.
struct SeedPlace {
    static let scenarios = "scenarios"

    /// The whole path, without dots in it.
    let absolute: String
    /// The last component.
    let name: String
    /// The API whose folder it is, or lies in; nil if it lies in none.
    let api: String?
    /// The folder that holds the API's.
    let root: String
    /// The components below the API's folder.
    let rest: [String]

    init(_ path: String, below workingFolder: String) {
        var components: [String] = []
        for part in (path.hasPrefix("/") ? path : workingFolder + "/" + path).split(separator: "/") where part != "." {
            if part == ".." { _ = components.popLast() } else { components.append(String(part)) }
        }
        absolute = "/" + components.joined(separator: "/")
        name = components.last ?? ""
        guard let place = components.lastIndex(where: APICatalogue.names.contains) else {
            api = nil
            root = absolute
            rest = []
            return
        }
        api = components[place]
        root = "/" + components[..<place].joined(separator: "/")
        rest = Array(components[(place + 1)...])
    }

    /// The problems in places below this one, with paths as the user wrote them.
    func renamed(_ items: [SeedError.Item], to path: String) -> [SeedError.Item] {
        let shown = path.hasSuffix("/") ? String(path.dropLast()) : path
        // A neighbour in the same folder is shown below the folder as the user wrote it.
        let parent = absolute.split(separator: "/").dropLast().joined(separator: "/")
        let shownParent =
            shown.contains("/") ? shown.split(separator: "/", omittingEmptySubsequences: false).dropLast() : []
        return items.map { item in
            var item = item
            if item.place == absolute || item.place.hasPrefix(absolute + "/") {
                item.place = shown + item.place.dropFirst(absolute.count)
            } else if item.place.hasPrefix("/\(parent)/") {
                let rest = String(item.place.dropFirst(parent.count + 2))
                item.place = (shownParent + [rest[...]]).joined(separator: "/")
            }
            return item
        }
    }
}
