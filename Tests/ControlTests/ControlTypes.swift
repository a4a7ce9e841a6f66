import Foundation
import JSON

/// The type declarations of the control API's answers for the console's modules, made from its OpenAPI document.
struct ControlTypes {
    static let place = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Console/Web/control.d.ts")

    private let schemas: [(name: String, schema: JSON)]
    private let answers: [(call: String, type: String)]
    /// Schemas that occur more than once, by their text.
    private var shared: [String: String] = [:]
    private var sharedOrder: [(name: String, schema: JSON)] = []

    init(_ document: JSON) {
        var answers: [(call: String, type: String, segments: Int)] = []
        for path in document["paths"]?.objectValue?.members ?? [] {
            for method in path.value.objectValue?.members ?? [] {
                guard let type = Self.answer(method.value) else { continue }
                let bare = path.name.hasPrefix("/__admin") ? String(path.name.dropFirst("/__admin".count)) : path.name
                answers.append((method.name.uppercased() + " " + bare, type, bare.split(separator: "/").count))
            }
        }
        // A path with more segments first: a part of a pattern may hold slashes.
        self.answers = answers.enumerated().sorted { left, right in
            let (leftOpen, rightOpen) = (left.element.call.contains("{"), right.element.call.contains("{"))
            if leftOpen != rightOpen { return rightOpen }
            if left.element.segments != right.element.segments { return left.element.segments > right.element.segments }
            return left.offset < right.offset
        }.map { ($0.element.call, $0.element.type) }
        let used = Set(answers.map(\.type))
        let all = document["components"]?["schemas"]
        schemas = (all?.objectValue?.members ?? []).filter { used.contains($0.name) }
            .map { ($0.name, Self.whole($0.value, all)) }
        share()
    }

    /// A choice with its objects in place of the references to them.
    private static func whole(_ schema: JSON, _ components: JSON?) -> JSON {
        guard case .object(var object) = schema, let choices = object["oneOf"]?.arrayValue else { return schema }
        object["oneOf"] = .array(
            choices.map { choice in
                let name = choice["$ref"]?.stringValue?.split(separator: "/").last.map(String.init)
                return name.flatMap { components?[$0] } ?? choice
            }
        )
        return .object(object)
    }

    /// The name of what an operation answers; nil if that is no JSON.
    private static func answer(_ operation: JSON) -> String? {
        for status in ["200", "201"] {
            for content in operation["responses"]?[status]?["content"]?.objectValue?.members ?? []
            where content.name.hasPrefix("application/json") {
                return content.value["schema"]?["$ref"]?.stringValue?.split(separator: "/").last.map(String.init)
            }
        }
        return nil
    }

    // MARK: Schemas that occur more than once

    private static let leastShared = 160

    private mutating func share() {
        var counts: [String: Int] = [:]
        var found: [(member: String, schema: JSON)] = []
        func walk(_ schema: JSON, _ member: String) {
            if Self.isLong(schema) {
                counts[schema.text, default: 0] += 1
                if counts[schema.text] == 1 { found.append((member, schema)) }
            }
            for inner in schema["properties"]?.objectValue?.members ?? [] { walk(inner.value, inner.name) }
            for inner in schema["oneOf"]?.arrayValue ?? [] { walk(inner, member) }
            if let items = schema["items"] { walk(items, member) }
            if let more = schema["additionalProperties"], more.objectValue != nil { walk(more, member) }
        }
        var names = Set(schemas.map(\.name))
        for (name, schema) in schemas {
            if Self.isLong(schema) {
                shared[schema.text] = shared[schema.text] ?? name
                counts[schema.text, default: 0] += 1
            }
            for inner in schema["properties"]?.objectValue?.members ?? [] { walk(inner.value, inner.name) }
            for inner in schema["oneOf"]?.arrayValue ?? [] { walk(inner, name) }
        }
        for (member, schema) in found where counts[schema.text] ?? 0 > 1 && shared[schema.text] == nil {
            let base = member.prefix(1).uppercased() + member.dropFirst()
            var name = base
            var number = 2
            while !names.insert(name).inserted {
                name = "\(base)\(number)"
                number += 1
            }
            shared[schema.text] = name
            sharedOrder.append((name, schema))
        }
    }

    private static func isLong(_ schema: JSON) -> Bool {
        (schema["properties"] != nil || schema["oneOf"] != nil) && schema.text.utf8.count >= leastShared
    }

    // MARK: Text

    var text: String {
        var text = """
            // Made from the OpenAPI document of the control API by `make console-types`; do not edit.
            // What each call answers, for the modules' type checks; nothing of it is served.


            """
        for (name, schema) in schemas + sharedOrder {
            let own = shared[schema.text] == name || shared[schema.text] == nil
            text += "export type \(name) = \(own ? written(schema) : shared[schema.text] ?? "any");\n"
        }
        text += "\ntype Bare<P extends string> = P extends `${infer B}?${string}` ? B : P;\n"
        text += "\n/** What a call answers; any where the path is not known. */\n"
        text += "export type Answer<M extends string, P extends string> = Answered<`${M} ${Bare<P>}`>;\n"
        text += "/** The items of a list. */\n"
        text += "export type Items<P extends string> =\n"
        text += "  Answer<\"GET\", P> extends { items: infer I } ? (I extends any[] ? I : any[]) : any[];\n"
        text += "type Answered<K extends string> =\n"
        for (call, type) in answers {
            let pattern = call.contains("{") ? "`\(Self.pattern(call))`" : "\"\(call)\""
            text += "  K extends \(pattern) ? \(type) :\n"
        }
        return text + "  any;\n"
    }

    private static func pattern(_ call: String) -> String {
        call.split(separator: "/", omittingEmptySubsequences: false).map { $0.hasPrefix("{") ? "${string}" : $0 }
            .joined(separator: "/")
    }

    private func type(_ schema: JSON) -> String { shared[schema.text] ?? written(schema) }

    private func written(_ schema: JSON) -> String {
        if let choices = schema["oneOf"]?.arrayValue {
            var types: [String] = []
            for choice in choices.map({ type($0) }) where !types.contains(choice) { types.append(choice) }
            return types.joined(separator: " | ")
        }
        if let values = schema["enum"]?.arrayValue { return values.map(\.text).joined(separator: " | ") }
        if let kinds = schema["type"]?.arrayValue?.compactMap(\.stringValue) {
            return kinds.map { plain($0, schema) }.joined(separator: " | ")
        }
        return schema["type"]?.stringValue.map { plain($0, schema) } ?? "any"
    }

    private func plain(_ kind: String, _ schema: JSON) -> String {
        switch kind {
        case "string", "boolean", "null": return kind
        case "integer", "number": return "number"
        case "array":
            let item = schema["items"].map { type($0) } ?? "any"
            return item.contains("|") && !item.hasPrefix("{") ? "(\(item))[]" : "\(item)[]"
        default: break
        }
        let members = schema["properties"]?.objectValue?.members ?? []
        guard !members.isEmpty else {
            let more = schema["additionalProperties"]
            return "Record<string, \(more?.objectValue == nil ? "any" : more.map { type($0) } ?? "any")>"
        }
        let required = Set(schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        let list = members.map { member in
            let isName = member.name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x5F
            }
            let name = isName ? member.name : "\"\(member.name)\""
            return "\(name)\(required.contains(member.name) ? "" : "?"): \(type(member.value))"
        }
        return "{ " + list.joined(separator: "; ") + " }"
    }
}
