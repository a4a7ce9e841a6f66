package import HTTPMessage

/// The preferences that Understudy itself obeys; proxies in between do not forward them (control contract, sections 8
/// and 13).
package enum ServerPreferences {
    package static let field = Preference.field
    package static let appliedField = Preference.appliedField

    /// Returns the fields without our own preferences in those of that name; other members of a list stay.
    package static func removed(_ name: FieldName, from fields: Fields) -> Fields {
        guard fields.contains(name) else { return fields }
        var kept = Fields()
        for place in 0..<fields.count {
            let bytes = fields.nameBytes(at: place)
            guard let field = FieldName(String(decoding: bytes, as: UTF8.self)) else { continue }
            guard field.lowercased == name.lowercased else {
                kept.append(field, fields.valueBytes(at: place))
                continue
            }
            let value = String(decoding: fields.valueBytes(at: place), as: UTF8.self)
            if let rest = Preference.othersIn(value) { kept.append(field, rest) }
        }
        return kept
    }
}
