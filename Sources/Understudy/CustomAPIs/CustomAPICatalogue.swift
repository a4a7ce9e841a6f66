import APIFolders
package import Backend
import CustomAPIs
import Transport

/// The custom APIs that folders declare (own-API contract, section 1).
package struct CustomAPICatalogue: Sendable {
    /// The folder that is looked at where none is named.
    package static let usualFolder = "apis"
    /// The distance of the first custom API's port from the hub's.
    package static let firstOffset = 20

    /// The APIs in the order of their names.
    package private(set) var places: [CustomAPIPlace] = []
    /// The folders that were looked at.
    package private(set) var roots: [String] = []
    /// Subfolders that are no API.
    package private(set) var warnings: [String] = []

    package init() {}

    package var names: [String] { places.map(\.name) }

    /// Returns the API of that name; nil if there is none.
    package func place(of name: String) -> CustomAPIPlace? { places.first { $0.name == name } }

    /// Finds the APIs in folders.
    ///
    /// - Parameter folders: The named folders, which have to exist; nil for the usual one, which need not.
    /// - Throws: The problems of all folders.
    package init(in folders: [String]?) throws(SeedError) {
        var problems: [SeedError.Item] = []
        func refuse(_ place: String, _ reason: String) {
            problems.append(SeedError.Item(place: place, line: 1, path: "$", reason: reason))
        }
        var found: [CustomAPIPlace] = []
        for folder in folders ?? [Self.usualFolder] {
            let root = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
            guard !roots.contains(root) else { continue }
            // A start without custom APIs costs this look.
            if folders == nil, !FolderReader.isFolder(root) { continue }
            guard let names = FolderReader.names(in: [], below: root) else {
                let isMissing = !FolderReader.exists(root)
                refuse(root, isMissing ? "there is no such folder" : "is not a readable folder")
                continue
            }
            roots.append(root)
            for name in names where !name.hasPrefix(".") && !name.hasPrefix("_") {
                let place = "\(root)/\(name)"
                guard FolderReader.isFolder(place) else { continue }
                guard FolderReader.exists("\(place)/api.json") else {
                    warnings.append("\(place) has no api.json and is skipped")
                    continue
                }
                if let reason = Self.refusal(of: name) {
                    refuse(place, reason)
                } else if let other = found.first(where: { $0.name == name }) {
                    refuse(place, "\(other.folder ?? "") has the same name")
                } else {
                    found.append(CustomAPIPlace(name: name, folder: place))
                }
            }
        }
        if found.count > CustomAPILimits.apis {
            refuse(
                roots.last ?? "",
                "there are \(found.count) custom APIs; a process has at most \(CustomAPILimits.apis)"
            )
        }
        guard problems.isEmpty else { throw SeedError(problems) }
        places = found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Returns why a text can't be the name of a custom API; nil if it can.
    package static func refusal(of name: String) -> String? {
        if let reason = CustomAPIName.refusal(of: name) { return reason }
        return APICatalogue.names.contains(name) ? "a built-in API has the name \(name)" : nil
    }
}
