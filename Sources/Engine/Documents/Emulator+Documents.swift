package import Backend
import CivilTime
package import JSON
package import Worlds

extension Emulator {
    /// Returns a copy of a world that can be written as a document elsewhere.
    package func dump(_ hosted: HostedWorld, at hostTime: HostTime) -> WorldDump {
        WorldDump(hosted.world, apis, journal: journal(of: hosted), at: hostTime)
    }

    /// Replaces a world's content by that of a document; the world keeps its name.
    ///
    /// Nothing changes if anything does not fit.
    ///
    /// The caller cuts the exchanges in progress.
    package func load(_ document: JSONObject, into hosted: HostedWorld, at hostTime: HostTime) throws(Problem) {
        replace(try documentReader(at: hostTime).world(document, named: hosted.world.name), in: hosted)
    }

    /// Replaces a world by one that was read from a document, with its clock running since the reading began.
    ///
    /// The caller cuts the exchanges in progress.
    package func install(_ world: World, in hosted: HostedWorld, readAt then: HostTime, at hostTime: HostTime) {
        var world = world
        world.withCore { $0.clock.resume(from: then, at: hostTime) }
        replace(world, in: hosted)
    }

    /// Returns a reader that can read a document elsewhere.
    package func documentReader(at hostTime: HostTime) -> DocumentReader {
        DocumentReader(
            apis: apis,
            configuration: configuration,
            scenarioNames: scenarioNames,
            hostTime: hostTime,
            discardedStates: discardedStates
        )
    }
}

/// Makes a world from a document alone, on any thread: reading a large one takes longer than the event loop can spare.
package struct DocumentReader: Sendable {
    let apis: [AnyAPI]
    let configuration: EmulatorConfiguration
    let scenarioNames: [String]
    let hostTime: HostTime
    let discardedStates: DiscardedStates

    /// Returns the world under that name, or throws everything that does not fit.
    package func world(_ document: JSONObject, named name: String) throws(Problem) -> World {
        var issues: [JSONIssue] = []
        var reading = WorldReading(
            apis: apis,
            journalBytes: configuration.journalBytes,
            outboxMessages: configuration.outboxMessages,
            issued: configuration.issued,
            hostTime: hostTime,
            source: document["overrun"]?.boolValue == true ? .overrunDocument : .document
        )
        let content = content(document, &issues)
        let world = content.flatMap { reading.world($0, named: name) }
        issues += reading.faults.map { JSONIssue(path: $0.wholePath, reason: $0.reason) }
        issues += unknownScenarios(in: document)
        let items = JSONIssue.inOrder(issues, of: .object(document)).map {
            Problem.Item(path: ContentFault.shown($0.path).formattedJSONPath, reason: $0.reason)
        }
        guard items.isEmpty, var world else {
            let first = items.first.map { "\($0.path) \($0.reason)" } ?? "Invalid document"
            let more = items.count > 1 ? " (and \(items.count - 1) more)" : ""
            throw Problem(.invalidBody, "\(first)\(more). Nothing was changed.", items: items)
        }
        for place in apis.indices where world.weigh(place, discardedStates) {
            // In a large world the first use would take long to compute these values.
            if let box = world.parts[place].box { apis[place].begin(box, world.parts[place].epoch) }
        }
        apis.noteSecrets(of: world, in: configuration.issued)
        if document["name"]?.stringValue != name { world.noteForeignCredentials() }
        return world
    }

    /// Returns the number of rows in all lists of a document.
    private func rowCount(of document: JSONObject) -> Int {
        func count(_ json: JSON?) -> Int { json?.arrayValue?.count ?? 0 }
        let own = ["scenarios", "counters", "randomness", "outbox", "journal"].map { count(document[$0]) }
        let lists = [("faults", "faults"), ("latency", "entries"), ("gates", "gates"), ("stubs", "stubs")]
        let books = lists.map { count(document[$0]?[$1]) }
        let states = document["apis"]?.objectValue?.members ?? []
        let parts = states.flatMap { $0.value.objectValue?.members ?? [] }.map { count($0.value) }
        return (own + books + parts).reduce(0, +)
    }

    private func unknownScenarios(in document: JSONObject) -> [JSONIssue] {
        let known = scenarioNames
        return (document["scenarios"]?.arrayValue ?? []).prefix(Problem.mostItems).enumerated().compactMap {
            place,
            scenario in
            guard let name = scenario["name"]?.stringValue, !known.contains(name) else { return nil }
            let hint = Suggestion.hint(to: name, among: known)
            return JSONIssue(path: ["scenarios", .index(place), "name"], reason: "there is no such scenario\(hint)")
        }
    }

    /// Splits a document into the parts of a world.
    private func content(_ document: JSONObject, _ issues: inout [JSONIssue]) -> WorldContent? {
        func fault(_ path: JSONPathElement..., reason: String) { issues.append(JSONIssue(path: path, reason: reason)) }
        if document["format"]?.stringValue != WorldDump.format {
            fault("format", reason: "must be \"\(WorldDump.format)\", as GET /__admin/state writes it")
        }
        if document["version"]?.intValue != Int64(WorldDump.version) {
            fault("version", reason: "must be \(WorldDump.version); another Understudy may have written it")
        }
        guard issues.isEmpty else { return nil }
        guard rowCount(of: document) <= WorldReading.mostRows else {
            // Checked before any row is read.
            fault(reason: "must have at most 1,000,000 rows")
            return nil
        }
        if let overrun = document["overrun"], overrun.boolValue == nil {
            fault("overrun", reason: "must be true or false")
        }
        var record = document
        let others = ["format", "version", "outbox", "apis", "journal", "overrun", "epochs", JSONObject.schemaAddress]
        for name in others { record[name] = nil }
        func rows(_ json: JSON?, _ path: [JSONPathElement]) -> [JSON] {
            guard let rows = json?.arrayValue else {
                let reason = json.map { "expected an array, found \($0.typeName)" } ?? "missing"
                issues.append(JSONIssue(path: path, reason: reason))
                return []
            }
            return rows
        }
        var content = WorldContent(
            record: .object(record),
            outbox: rows(document["outbox"], ["outbox"]).map { LoadedRow(content: $0) },
            journal: rows(document["journal"], ["journal"]),
            apis: [:]
        )
        guard let states = document["apis"]?.objectValue else {
            fault("apis", reason: "must be an object with the state of each API")
            return content
        }
        let known = apis.map(\.identity.name)
        for member in states.members where !known.contains(member.name) {
            let names = known.joined(separator: ", ")
            fault("apis", .key(member.name), reason: "this server has no such API; it has \(names)")
        }
        for api in apis {
            let name = api.identity.name
            guard let state = states[name]?.objectValue else {
                fault("apis", .key(name), reason: states[name] == nil ? "missing" : "must be an object")
                continue
            }
            let parts = api.stateForm.parts
            for member in state.members
            where member.name != "epoch" && !parts.contains(where: { $0.name == member.name }) {
                let names = ["epoch"] + parts.map(\.name)
                let hint = Suggestion.hint(to: member.name, among: names)
                fault("apis", .key(name), .key(member.name), reason: "unknown member\(hint)")
            }
            var found = WorldContent.API(epoch: state["epoch"] ?? .null, parts: [:])
            for part in parts {
                guard let json = state[part.name] else {
                    fault("apis", .key(name), .key(part.name), reason: "missing")
                    continue
                }
                let path: [JSONPathElement] = ["apis", .key(name), .key(part.name)]
                found.parts[part.name] =
                    part.isRows ? rows(json, path).map { LoadedRow(content: $0) } : [LoadedRow(content: json)]
            }
            content.apis[name] = found
        }
        return content
    }
}
