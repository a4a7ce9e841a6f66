package import Backend
package import JSON

/// The content of a world from a document or a store, not yet checked.
package struct WorldContent {
    /// One API's part of it.
    package struct API: Sendable {
        package var epoch: JSON
        package var parts: [String: [LoadedRow]]

        package init(epoch: JSON, parts: [String: [LoadedRow]]) {
            self.epoch = epoch
            self.parts = parts
        }
    }

    package var record: JSON
    package var outbox: [LoadedRow]
    package var journal: [JSON]
    /// The APIs by name; an API that is missing gets the state of the seed.
    package var apis: [String: API]
    /// The content that was read from a store; the members above are empty then.
    var view: LayerView?

    /// Creates the content from a store.
    package init(_ view: LayerView) {
        self.init(record: view.record, outbox: [], journal: [], apis: [:])
        self.view = view
    }

    package init(record: JSON, outbox: [LoadedRow], journal: [JSON], apis: [String: API]) {
        self.record = record
        self.outbox = outbox
        self.journal = journal
        self.apis = apis
    }
}

/// A problem in a world's content, with its place.
package struct ContentFault: Error, Sendable {
    package enum Place: Sendable, Equatable {
        case record
        case outbox(row: Int?)
        case journal(row: Int)
        case epoch(api: String)
        case part(api: String, name: String, row: Int?)
    }

    package var place: Place
    package var path: [JSONPathElement]
    package var reason: String

    init(_ place: Place, _ path: [JSONPathElement], _ reason: String) {
        self.place = place
        self.path = path
        self.reason = reason
    }

    /// The path in a document; the names of members are shortened as in a problem.
    package var documentPath: [JSONPathElement] { Self.shown(wholePath) }

    /// Returns a path with the names of members shortened as in a problem.
    package static func shown(_ path: [JSONPathElement]) -> [JSONPathElement] {
        path.map { element in
            if case .key(let name) = element { .key(name.cut) } else { element }
        }
    }

    /// The path in a document.
    package var wholePath: [JSONPathElement] {
        switch place {
        case .record: path
        case .outbox(let row): ["outbox"] + (row.map { [.index($0)] } ?? []) + path
        case .journal(let row): ["journal", .index(row)] + path
        case .epoch(let api): ["apis", .key(api), "epoch"] + path
        case .part(let api, let name, let row):
            ["apis", .key(api), .key(name)] + (row.map { [.index($0)] } ?? []) + path
        }
    }
}
