import JSON

/// The change of a row by a merge patch (RFC 7396).
enum MergePatch {
    /// Returns an object with the members of a patch: null removes a member, but is kept where the schema takes it.
    static func merged(
        _ target: JSONObject,
        _ patch: JSONObject,
        at path: [String] = [],
        takesNull: ([String]) -> Bool
    ) -> JSONObject {
        var result = target
        for member in patch.members {
            let inner = path + [member.name]
            switch member.value {
            case .null: result[member.name] = takesNull(inner) ? .null : nil
            case .object(let object):
                let former = result[member.name]?.objectValue ?? JSONObject()
                result[member.name] = .object(merged(former, object, at: inner, takesNull: takesNull))
            default: result[member.name] = member.value
            }
        }
        return result
    }
}

extension JSONObject {
    /// The object with each name once: of two members of a name the later one counts.
    var withoutDuplicates: JSONObject {
        var result = firstDuplicateName() == nil ? self : JSONObject()
        if result.isEmpty { for member in members { result[member.name] = member.value } }
        for member in result.members {
            switch member.value {
            case .object(let object): result[member.name] = .object(object.withoutDuplicates)
            case .array(let elements): result[member.name] = .array(elements.map(\.withoutDuplicates))
            default: break
            }
        }
        return result
    }
}

extension JSON {
    fileprivate var withoutDuplicates: JSON {
        switch self {
        case .object(let object): .object(object.withoutDuplicates)
        case .array(let elements): .array(elements.map(\.withoutDuplicates))
        default: self
        }
    }

    /// The text of a scalar as an address has it; nil for null, a list or an object.
    var addressText: String? {
        switch self {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): intValue.map { String($0) } ?? number.text
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
