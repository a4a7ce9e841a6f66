/// A text as a key that keeps normalisation forms apart.
///
/// Its bytes are what is hashed: a text's own hash is the same for all its forms, of which hostile names can have
/// thousands.
package struct ExactName: Hashable, Sendable {
    package var text: String

    package init(text: String) { self.text = text }

    package static func == (left: ExactName, right: ExactName) -> Bool {
        left.text.hasSameCodePoints(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var word: UInt64 = 0
        var count = 0
        func add(_ byte: UInt8) {
            word = word << 8 | UInt64(byte)
            count += 1
            if count.isMultiple(of: 8) { hasher.combine(word) }
        }
        if #available(macOS 26, iOS 26, *) {
            let bytes = text.utf8Span.span
            for place in bytes.indices { add(bytes[place]) }
        } else {
            for byte in text.utf8 { add(byte) }
        }
        hasher.combine(word)
        hasher.combine(count)
    }
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

    subscript(name: String) -> JSON? { place(of: name).map { object.members[$0].value } }

    /// The place of the last member of that name.
    func place(of name: String) -> Int? {
        places.isEmpty ? object.lastIndex(of: name) : places[ExactName(text: name)]
    }

    /// Every name once, in order of first appearance.
    var names: [String] {
        var seen = Set<ExactName>()
        return object.members.map(\.name).filter { seen.insert(ExactName(text: $0)).inserted }
    }
}
