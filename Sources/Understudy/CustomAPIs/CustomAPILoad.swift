package import Backend
import Conditions
import CustomAPIs
package import Worlds

/// Custom APIs that were read from their folders.
package struct CustomAPILoad: Sendable {
    /// The APIs in the order of their names.
    package private(set) var apis: [AnyAPI] = []
    /// The parts of the folders that are understood and not supported.
    package private(set) var notes: [SeedError.Item] = []
    /// The recordings of each API.
    package private(set) var recordings: [CustomAPIRecordings] = []

    package init() {}

    /// Reads the folders, and tells the problems of all of them.
    ///
    /// - Parameters:
    ///   - places: The APIs in the order of their names.
    ///   - ports: The names of those whose ports the user has set.
    /// - Throws: The problems of all folders.
    package init(_ places: [CustomAPIPlace], ports: Set<String> = []) throws(SeedError) {
        var problems: [SeedError.Item] = []
        var next = CustomAPICatalogue.firstOffset
        var stubs = 0
        for place in places {
            guard let folder = place.folder else {
                apis.append(AnyAPI(named: place.name, portOffset: next))
                if !ports.contains(place.name) { next += 1 }
                continue
            }
            let files = CustomAPIFolderReader.read(folder, name: place.name)
            let reading = CustomAPIReader.read(files)
            notes += reading.notes
            problems += reading.errors
            guard let definition = reading.definition else { continue }
            stubs += definition.stubs.count
            if stubs > StubRegistry.most, definition.stubs.count <= StubRegistry.most, !definition.stubs.isEmpty {
                let reason =
                    "with the stubs of the APIs before it there are \(stubs); a world has at most \(StubRegistry.most)"
                problems.append(SeedError.Item(place: "\(folder)/stubs", line: 1, path: "$", reason: reason))
            }
            apis.append(AnyAPI(definition, portOffset: next))
            recordings.append(CustomAPIRecordings(files, definition))
            if definition.port == nil, !ports.contains(place.name) { next += 1 }
        }
        guard problems.isEmpty else { throw SeedError(problems) }
    }
}
