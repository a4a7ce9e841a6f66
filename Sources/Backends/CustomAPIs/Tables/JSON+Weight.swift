import JSON

extension JSON {
    /// The approximate length of the text.
    var weight: Int {
        switch self {
        case .null, .bool, .integer: 4
        case .number(let number): number.text.utf8.count
        case .string(let text): text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.weight + 1 }
        case .object(let object): object.members.reduce(2) { $0 + $1.name.utf8.count + $1.value.weight + 4 }
        }
    }
}
