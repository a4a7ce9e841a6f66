import JSON

/// A value within the files of a document.
struct Place: Sendable {
    let source: Int
    let path: [JSONPathElement]
    let value: JSON

    /// The place of a member.
    func member(_ name: String) -> Place? {
        value[name].map { Place(source: source, path: path + [.key(name)], value: $0) }
    }

    /// The places of the members, in order; none if this is no object.
    var members: [(name: String, place: Place)] {
        (value.objectValue?.members ?? []).map { member in
            (member.name, Place(source: source, path: path + [.key(member.name)], value: member.value))
        }
    }

    /// The places of the elements; none if this is no array.
    var elements: [Place] {
        (value.arrayValue ?? []).enumerated().map { index, element in
            Place(source: source, path: path + [.index(index)], value: element)
        }
    }

    /// A text that no other place has.
    var key: ExactName { ExactName(text: "\(source)\(path.formattedJSONPath)") }
}
