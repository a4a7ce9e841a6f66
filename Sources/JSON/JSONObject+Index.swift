/// A name as a key that keeps normalisation forms apart.
struct ExactName: Hashable {
    var text: String

    static func == (left: ExactName, right: ExactName) -> Bool { left.text.hasSameCodePoints(as: right.text) }
}

/// Look-up by name for many questions to one object, so that hostile objects of many members cost little.
struct JSONObjectIndex {
    let object: JSONObject
    /// Last place of each name; empty for small objects, where a search from the end is faster.
    private let places: [ExactName: Int]

    init(_ object: JSONObject) {
        self.object = object
        var places: [ExactName: Int] = [:]
        if object.count > 16 {
            places.reserveCapacity(object.count)
            for (place, member) in object.members.enumerated() { places[ExactName(text: member.name)] = place }
        }
        self.places = places
    }

    subscript(name: String) -> JSON? {
        guard !places.isEmpty else { return object[name] }
        guard let place = places[ExactName(text: name)] else { return nil }
        return object.members[place].value
    }

    /// Every name once, in order of first appearance.
    var names: [String] {
        var seen = Set<ExactName>()
        return object.members.map(\.name).filter { seen.insert(ExactName(text: $0)).inserted }
    }
}
