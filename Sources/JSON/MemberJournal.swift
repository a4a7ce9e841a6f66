/// The state that all parts of one decoding share: the members that a type asked for, what does not fit where decoding
/// goes on after it, and the reading of bytes.
final class MemberJournal {
    private struct Entry {
        var path: [JSONPathElement]
        var object: JSONObject
        var known: [String] = []
    }

    private static let mostIssues = 100
    private let notesMembers: Bool
    let bytes: (@Sendable (String) -> [UInt8]?)?
    /// Tells that decoding goes on, with stand-ins for what does not fit.
    let explains: Bool
    /// Everything that does not fit, in the order in which it was read.
    private(set) var misfits: [JSONIssue] = []
    /// The objects whose reading was given up.
    private var left: Set<[JSONPathElement]> = []
    private var entries: [Entry] = []
    private var places: [[JSONPathElement]: Int] = [:]

    init(notesMembers: Bool, bytes: (@Sendable (String) -> [UInt8]?)?, explains: Bool = false) {
        self.notesMembers = notesMembers
        self.bytes = bytes
        self.explains = explains
    }

    /// Notes what keeps the part at that path from being read.
    ///
    /// A whole that refuses what was put into it has no fault of its own.
    func note(_ issues: [JSONIssue], at path: [JSONPathElement]) {
        for issue in issues {
            // The objects on the way were not read to their end, so that nothing is known of their other members.
            for length in path.count...max(path.count, issue.path.count) {
                left.insert(Array(issue.path.prefix(length)))
            }
            if !misfits.contains(where: { $0.path.starts(with: issue.path) }) { misfits.append(issue) }
        }
    }

    /// Notes an error and returns a value with which decoding goes on; throws the error where it has to stop.
    func standIn<Value: Decodable>(
        _ type: Value.Type,
        at path: [JSONPathElement],
        for error: any Error
    ) throws -> Value {
        guard misfits.count < Self.mostIssues, let found = error as? JSONDecodingError,
            let value = try? SchemaSurvey(additionalProperties: .open).value(of: type, at: []).value
        else { throw error }
        note(found.issues, at: path)
        return value
    }

    /// Notes that a type looks into the object at that path; the number is for `ask`.
    func open(_ object: JSONObject, at path: [JSONPathElement]) -> Int {
        guard notesMembers else { return 0 }
        if let place = places[path] { return place }
        places[path] = entries.count
        entries.append(Entry(path: path, object: object))
        return entries.count - 1
    }

    /// Notes a name that the type declares.
    func ask(_ name: String, in place: Int) {
        guard notesMembers else { return }
        entries[place].known.append(name)
    }

    /// The members that the type did not ask for, in the order in which the objects were read.
    func unknownMembers() -> [JSONIssue] {
        var issues: [JSONIssue] = []
        for entry in entries where !left.contains(entry.path) {
            let known = Set(entry.known.map { ExactName(text: $0) })
            let names = known.map(\.text).sorted()
            for name in JSONObjectIndex(entry.object).names where !known.contains(ExactName(text: name)) {
                issues.append(.unknownMember(name, at: entry.path, known: names))
                if issues.count == Self.mostIssues { return issues }
            }
        }
        return issues
    }
}
