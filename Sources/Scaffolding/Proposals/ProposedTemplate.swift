import Basics
import CivilTime
import JSON
import OpenAPI

/// Makes the template of a response from its schema: members whose name and form say what they are become placeholders.
struct ProposedTemplate {
    /// The time at which samples are made, as the seed's rows are held against their schema.
    static let start = Instant(seconds: 1_735_732_800)

    /// Returns the placeholder of a member, or the value that it always has; nil where neither is known.
    let meaning: (_ path: [String], _ schema: Schema) -> JSON?
    /// Is told of each required member that has a value only since it has to be there.
    let guessed: (_ path: [String], _ value: JSON) -> Void

    init(
        _ meaning: @escaping (_ path: [String], _ schema: Schema) -> JSON?,
        guessed: @escaping (_ path: [String], _ value: JSON) -> Void = { _, _ in }
    ) {
        (self.meaning, self.guessed) = (meaning, guessed)
    }

    /// Returns the template of an object; nil if no member of it has a meaning.
    func object(_ schema: Schema, at path: [String] = []) -> JSON? {
        var object = JSONObject()
        var hasMeaning = false
        let required = schema.required
        for name in schema.memberNames {
            guard let member = schema.member(name), object[name] == nil else { continue }
            if let value = meaning(path + [name], member) {
                object.append(name, value)
                hasMeaning = true
            } else if path.count < 3, member.form == .object, let inner = self.object(member, at: path + [name]) {
                object.append(name, inner)
                hasMeaning = true
            } else if required.contains(name), let value = Self.literal(member, name) {
                object.append(name, value)
                if member.choices == nil, [.integer, .number].contains(member.form), !value.isNull {
                    guessed(path + [name], value)
                }
            }
        }
        return hasMeaning ? .object(object) : nil
    }

    /// A value for a member that has to be there and says nothing of the request.
    static func literal(_ schema: Schema, _ name: String) -> JSON? {
        if let first = schema.choices?.first { return first }
        let plain = PlainName.of(name)
        if schema.form == .boolean {
            if ["success", "ok", "successful"].contains(plain) { return true }
            if plain.contains("error") || plain.contains("fail") { return false }
        }
        if let value = schema.keyword("default"), schema.fits(value) { return value }
        if schema.fits(.null) { return .null }
        if schema.form == .array, schema.fits([]) { return [] }
        return schema.sample("literal \(name)", start: start)
    }

    /// Returns what a template becomes with those values, by the text between the braces.
    static func filled(_ template: JSON, _ values: [String: JSON]) -> JSON? {
        switch template {
        case .string(let text):
            guard text.hasPrefix("{{"), text.hasSuffix("}}") else { return template }
            let name = String(text.dropFirst(2).dropLast(2))
            if let value = values[name] { return value }
            return name.hasSuffix(" ?? null") ? values[String(name.dropLast(8))] ?? .null : nil
        case .object(let object):
            var copy = JSONObject()
            for member in object.members {
                if let value = filled(member.value, values) { copy.append(member.name, value) }
            }
            return .object(copy)
        case .array(let elements): return .array(elements.map { filled($0, values) ?? .null })
        default: return template
        }
    }
}
