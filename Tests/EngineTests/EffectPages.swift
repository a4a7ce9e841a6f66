import Backend
import Conditions
import Foundation
import HTTPMessage
import JSON

/// The texts derived from the declarations of the effects; `make effects` writes them, and a test checks them.
enum EffectPages {
    /// A file of the package with the parts of it that are written.
    struct Page {
        var path: String
        /// Texts by the marks that they stand between; a file without marks is written as a whole.
        var parts: [(name: String, text: String)] = []
        var whole: String?

        static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()

        var place: URL { Self.root.appending(path: path) }

        func present() throws -> String { try String(contentsOf: place, encoding: .utf8) }

        /// Returns the file as it has to be; nil if a mark is missing.
        func wanted() throws -> String? {
            if let whole { return whole }
            var text = try present()
            for part in parts {
                guard let start = text.range(of: "<!-- \(part.name) -->"),
                    let end = text.range(of: "<!-- end of \(part.name) -->"), start.upperBound <= end.lowerBound
                else { return nil }
                text.replaceSubrange(start.upperBound..<end.lowerBound, with: part.text)
            }
            return text
        }
    }

    static let all = [
        Page(path: "docs/faults.md", parts: [("effects", table), ("words", words), ("symptoms", symptoms)]),
        Page(path: "docs/testing.md", parts: [("effects in Swift", names)]),
        Page(path: "docs/guides/troubleshooting.md", parts: [("problem types", problems)]),
        Page(path: "Sources/UnderstudyClient/Effect+Builders.generated.swift", whole: builders),
        Page(path: "Sources/Console/Web/pages/effects.js", whole: module),
    ]

    private static var table: String {
        let rows = FaultEffects.declarations.flatMap(\.rows).map { "| \($0.orders) | \($0.meaning) |\n" }
        return "\n\n| effect | what the client sees |\n|---|---|\n\(rows.joined())\n"
    }

    private static var symptoms: String {
        let rows = FaultSymptom.all.map {
            "| \($0.names.joined(separator: ", ")) | `\($0.effect.text)` | \($0.meaning) |\n"
        }
        return "\n\n| looking for | the effect | what the client meets |\n|---|---|---|\n\(rows.joined())\n"
    }

    private static var names: String {
        let rows = FaultEffects.declarations.flatMap(\.builders).map { builder -> String in
            let members = builder.parameters.map { "`\($0.member)`" + ($0.isOptional ? "?" : "") }
            let labels = builder.parameters.map { "\($0.spelling.split(separator: " ").first ?? ""):" }.joined()
            let json = builder.flag.map { "`\($0)`" } ?? members.joined(separator: ", ")
            return "| \(json) | `.\(builder.name)\(labels.isEmpty ? "" : "(\(labels))")` |\n"
        }
        return "\n\n| in JSON | in Swift |\n|---|---|\n\(rows.joined())\n"
    }

    /// The problem types with their meaning, each under its name.
    private static var problems: String {
        let rows = Problem.Slug.allCases.sorted { $0.rawValue < $1.rawValue }
            .map { "| `\($0.rawValue)` | \($0.status.code) | **\($0.title)** \($0.explanation) |\n" }
        return "\n\n| type | status | meaning, and what to do |\n|---|---|---|\n\(rows.joined())\n"
    }

    private static var words: String { FaultEffects.words.map { "`\($0.name)`" }.joined(separator: ", ") }

    // MARK: The console's module

    /// A value in the orders of one form of an effect.
    private struct Value {
        var path: [String]
        var schema: JSONSchema
        var isRequired: Bool

        /// The path, the kind, and of one that is required its value in an example.
        func json(_ example: JSONObject?) -> JSON {
            let value = path.reduce(example.map(JSON.object)) { $0?[$1] }
            // A field for text turns each end of a line into a line feed.
            let isExact = value?.stringValue?.utf8.contains(UInt8(ascii: "\r")) == true
            let kind: JSON =
                switch schema {
                case .string(_, .some(let words), _, _, _): .array(words.map(JSON.string))
                case .string: isExact ? "json" : "text"
                case .boolean: [true, false]
                case .integer, .number, .boundedNumber: "number"
                case .array(.array(.string, _, _), _, _): "lines"
                default: "json"
                }
            return .array([.string(path.joined(separator: ".")), kind] + (isRequired ? [value ?? .null] : []))
        }
    }

    /// The values of each form that a schema allows.
    private static func forms(_ schema: JSONSchema, _ path: [String] = [], isRequired: Bool = true) -> [[Value]] {
        switch schema {
        case .oneOf(let forms): forms.flatMap { self.forms($0, path, isRequired: isRequired) }
        case .object(let object) where !object.properties.isEmpty:
            object.properties.reduce([[]]) { before, property in
                let each = forms(property.schema, path + [property.name], isRequired: isRequired && property.isRequired)
                return before.flatMap { values in each.map { values + $0 } }
            }
        default: [[Value(path: path, schema: schema, isRequired: isRequired)]]
        }
    }

    /// The module from which the console makes the fields of effects.
    private static var module: String {
        let effects = FaultEffects.declarations.map { effect -> String in
            let lines = effect.forms.flatMap { forms($0) }.map { form -> String in
                let example = effect.examples.first { order in
                    form.allSatisfy { value in
                        let found = value.path.reduce(.object(order)) { $0?[$1] } as JSON?
                        return found.map { JSONSchemaValidator.validate($0, against: value.schema).isEmpty }
                            ?? !value.isRequired
                    }
                }
                return "    \(JSON.array(form.map { $0.json(example) }).text),\n"
            }
            return "  \(effect.name): [\n\(lines.joined())  ],\n"
        }
        return """
            // @ts-check
            // Made by `make effects` from the declarations in Sources/Conditions/Faults/Effects; do not edit.

            /** The forms of each effect's orders: values by their paths, with their kinds, and an example of those that are required. @type {Record<string, EffectValue[][]>} */
            export const EFFECTS = {
            \(effects.joined())};

            """
    }

    // MARK: Builders

    private static var builders: String {
        var choices: [String] = []
        var members: [String] = []
        for builder in FaultEffects.declarations.flatMap(\.builders) {
            for case .choice(let choice) in builder.parameters.map(\.kind) where !choices.contains(choice.name) {
                choices.append(choice.name)
                members.append(source(of: choice))
            }
            members.append(source(of: builder))
        }
        return """
            // Made by `make effects` from the declarations in Sources/Conditions/Faults/Effects.

            extension Effect {
            \(members.joined(separator: "\n\n"))
            }

            """
    }

    private static func source(of choice: EffectBuilder.Choice) -> String {
        let cases = choice.cases.map { item in
            item.name == item.word ? "        case \(item.name)" : "        case \(item.name) = \"\(item.word)\""
        }
        return """
                /// \(choice.summary)
                public enum \(choice.name): String, Sendable {
            \(cases.joined(separator: "\n"))
                }
            """
    }

    private static func source(of builder: EffectBuilder) -> String {
        let summary = "    /// \(builder.summary)\n    ///\n    ///     try await world.fail(\(example(of: builder)))\n"
        if let flag = builder.flag {
            return summary + "    public static let \(builder.name) = Effect(members: [\"\(flag)\": true])"
        }
        let parameters = builder.parameters.map { parameter in
            "\(parameter.spelling): \(type(of: parameter))" + (parameter.isOptional ? "? = nil" : "")
        }
        var head = "    public static func \(builder.name)(\(parameters.joined(separator: ", "))) -> Effect {"
        if head.count > 120 {
            let lines = parameters.map { "        \($0)" }.joined(separator: ",\n")
            head = "    public static func \(builder.name)(\n\(lines)\n    ) -> Effect {"
        }
        let members = builder.parameters.map { "\"\($0.member)\": \(value(of: $0))" }
        var body = "        Effect(members: [\(members.joined(separator: ", "))])"
        if body.count > 120 {
            let lines = members.map { "            \($0)," }.joined(separator: "\n")
            body = "        Effect(members: [\n\(lines)\n        ])"
        }
        return summary + head + "\n\(body)\n    }"
    }

    /// A call of a builder, which the examples of the documentation compile.
    private static func example(of builder: EffectBuilder) -> String {
        if builder.flag != nil { return ".\(builder.name)" }
        let values = builder.parameters.filter { !$0.isOptional }.map { parameter -> String in
            let label = parameter.spelling.split(separator: " ").first ?? ""
            return label == "_" ? sample(of: parameter) : "\(label): \(sample(of: parameter))"
        }
        return ".\(builder.name)(\(values.joined(separator: ", ")))"
    }

    private static func sample(of parameter: EffectBuilder.Parameter) -> String {
        let known = [
            "status": "503", "upload.rejectEarly": "413", "respond.status": "200", "respond.text": "\"Back soon\"",
            "respond.base64": "\"AAE=\"", "drift.as": "\"string\"", "retryAfter": "\"PT30S\"",
            "drift": #"[["remove": "data.user"]]"#,
        ]
        if let text = known[parameter.member] { return text }
        return switch parameter.kind {
        case .integer: "3"
        case .boolean: "true"
        case .delay: ".milliseconds(800)"
        case .interims: "[.init(103)]"
        case .choice(let choice): choice.cases.first.map { ".\($0.name)" } ?? ""
        case .json: #"["tier": "platinum"]"#
        default: "\"data.user\""
        }
    }

    private static func type(of parameter: EffectBuilder.Parameter) -> String {
        switch parameter.kind {
        case .integer: "Int"
        case .string: "String"
        case .boolean: "Bool"
        case .json: "JSONValue"
        case .pairs: "KeyValuePairs<String, String>"
        case .delay: "Latency.Delay"
        case .interims: "[Interim]"
        case .choice(let choice): choice.name
        }
    }

    private static func value(of parameter: EffectBuilder.Parameter) -> String {
        let name = String(parameter.spelling.split(separator: " ").last ?? "")
        let optional = parameter.isOptional ? "?" : ""
        return switch parameter.kind {
        case .choice: "\(name)\(optional).rawValue"
        case .pairs: "\(name)\(optional).map { [$0.key, $0.value] }"
        case .interims: "JSONValue.array(\(name).map(\\.json))"
        default: name
        }
    }
}
