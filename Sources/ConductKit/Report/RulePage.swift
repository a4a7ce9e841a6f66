import Basics
package import JSON

/// The pages of rules (conduct contract, sections 6 and 9).
package struct RulePage: Sendable {
    package let declaration: RuleDeclaration
    /// The name of the instance by which it was asked for.
    package let instance: String?
    private let rules: RuleRegistry

    /// Finds the page of a rule or of an instance.
    package init(_ id: String, in rules: RuleRegistry) throws(UnknownRule) {
        self.rules = rules
        if let declaration = rules.declaration(id) {
            self.declaration = declaration
            instance = nil
        } else if let named = rules.instance(id), let part = named.parts.first,
            let declaration = rules.declaration(part.rule)
        {
            self.declaration = declaration
            instance = id
        } else {
            throw rules.unknown(id)
        }
    }

    /// The list of all rules, generic ones first.
    package static func list(_ rules: RuleRegistry) -> [JSON] {
        rules.declarations.map { .object($0.summary(in: rules)) }
    }

    package var json: JSON {
        var object = declaration.summary(in: rules)
        if let instance { object.append("as", .string(instance)) }
        object.append("what", .string(declaration.what))
        object.append("why", .string(declaration.why))
        object.append(
            "fix",
            ["urlsession": .string(declaration.urlsession), "fetch": .string(declaration.fetch)]
        )
        return .object(object)
    }

    /// The page as Markdown.
    package var markdown: String {
        let rule = declaration
        var lines = ["# \(rule.id)", "", "\(rule.title) (\(rule.severity.rawValue))."]
        if let instance { lines += ["", "On its API it is also called `\(instance)`."] }
        lines += ["", "## What", "", rule.what, "", "Situation: \(rule.situation).", "", "Breach: \(rule.breach)."]
        if !rule.excused.isEmpty { lines += ["", "Excused: \(rule.excused.joined(separator: "; "))."] }
        lines += ["", "## Why", "", rule.why, "", "## Mend", "", rule.expected]
        lines += ["", "### URLSession", "", rule.urlsession, "", "### fetch", "", rule.fetch]
        if !rule.settings.isEmpty {
            lines += ["", "## Settings", "", "| name | default | unit |", "|---|---|---|"]
            lines += rule.settings.map { "| `\($0.name.rawValue)` | \($0.value) | \($0.name.unit) |" }
        }
        lines += ["", "## Shown by", ""] + rule.exercisedBy.map { "* \($0)" }
        if !rule.source.isEmpty {
            lines += ["", "## Sources", ""]
            lines += rule.source.map { source in source.url.map { "* [\(source.title)](\($0))" } ?? "* \(source.title)"
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The page as HTML that needs nothing else.
    package var html: String {
        let rule = declaration
        func text(_ text: String) -> String { text.escapedForHTML }
        func code(_ body: String) -> String {
            let parts = body.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let rest = parts.count > 1 ? parts[1].drop { $0 == "\n" } : ""
            let lines = rest.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0)
            }
            return "<p>\(text(parts[0]))</p><pre><code>\(text(lines.joined(separator: "\n")))</code></pre>"
        }
        var page = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark"><title>\(text(rule.id))</title>
            <style>body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}\
            pre{overflow:auto;padding:1rem;border:1px solid #8886;border-radius:6px}\
            td,th{text-align:left;padding:.2rem 1rem .2rem 0}</style></head><body>
            <h1>\(text(rule.id))</h1><p>\(text(rule.title)) (\(rule.severity.rawValue)).</p>

            """
        if let instance { page += "<p>On its API it is also called <code>\(text(instance))</code>.</p>\n" }
        page += "<h2>What</h2><p>\(text(rule.what))</p><p>Situation: \(text(rule.situation)).</p>"
        page += "<p>Breach: \(text(rule.breach)).</p>"
        if !rule.excused.isEmpty { page += "<p>Excused: \(text(rule.excused.joined(separator: "; "))).</p>" }
        page += "\n<h2>Why</h2><p>\(text(rule.why))</p>\n<h2>Mend</h2><p>\(text(rule.expected))</p>"
        page += "<h3>URLSession</h3>\(code(rule.urlsession))<h3>fetch</h3>\(code(rule.fetch))\n"
        if !rule.settings.isEmpty {
            page += "<h2>Settings</h2><table><tr><th>name<th>default<th>unit</tr>"
            for (name, value) in rule.settings {
                page += "<tr><td><code>\(name.rawValue)</code><td>\(value)<td>\(name.unit)</tr>"
            }
            page += "</table>\n"
        }
        page += "<h2>Shown by</h2><ul>" + rule.exercisedBy.map { "<li>\(text($0))</li>" }.joined() + "</ul>\n"
        if !rule.source.isEmpty {
            page += "<h2>Sources</h2><ul>"
            for source in rule.source {
                let title = text(source.title)
                page += "<li>" + (source.url.map { "<a href=\"\(text($0))\">\(title)</a>" } ?? title) + "</li>"
            }
            page += "</ul>\n"
        }
        return page + "</body></html>\n"
    }
}

extension RuleDeclaration {
    /// The rule as the list of rules shows it.
    package func summary(in rules: RuleRegistry) -> JSONObject {
        var object: JSONObject = [
            "id": .string(id), "title": .string(title), "severity": .string(severity.rawValue),
        ]
        if let api { object.append("api", .string(api)) }
        object.append("situation", .string(situation))
        object.append("breach", .string(breach))
        object.append("excused", .array(excused.map { .string($0) }))
        object.append("settings", .object(Self.members(settings)))
        object.append("source", .array(source.map(\.json)))
        object.append("exercisedBy", .array(exercisedBy.map { .string($0) }))
        object.append("marks", .array((needsContract ? ["c"] : []) + (needsWholeJournal ? ["†"] : [])))
        object.append("instances", .array(rules.instances(of: id).map { Self.instance($0.id, $0.part) }))
        object.append("help", .string(help))
        return object
    }

    private static func members(_ settings: [(name: SettingName, value: Int64)]) -> JSONObject {
        var object = JSONObject()
        for (name, value) in settings {
            object.append(name.rawValue, ["default": .integer(value), "unit": .string(name.unit)])
        }
        return object
    }

    private static func instance(_ id: String, _ part: RuleInstance.Part) -> JSON {
        var object: JSONObject = ["id": .string(id), "api": .string(String(id.prefix { $0 != "/" }))]
        if let severity = part.severity { object.append("severity", .string(severity.rawValue)) }
        if !part.settings.isEmpty {
            var settings = JSONObject()
            for (name, value) in part.settings { settings.append(name.rawValue, .integer(value)) }
            object.append("settings", .object(settings))
        }
        return .object(object)
    }
}
