package import JSON

/// A world as it was found outside of the process, still to be understood.
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
    /// By name; an API that is missing gets the state of the seed.
    package var apis: [String: API]
    /// What a store held, read before; then there is nothing in the members above.
    var view: LayerView?

    /// What a store held.
    init(_ view: LayerView) {
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

/// Where something is wrong in a world's content.
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

    /// Where it is in a document; the names of members are as a problem quotes them.
    package var documentPath: [JSONPathElement] {
        wholePath.map { element in
            if case .key(let name) = element { .key(name.cut) } else { element }
        }
    }

    private var wholePath: [JSONPathElement] {
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
