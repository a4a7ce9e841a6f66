import Basics

/// A page with placeholders, in the manner of Mustache.
///
/// `{{name}}` is the placeholder of a value. The text between `{{#name}}` and `{{/name}}` is repeated for each element
/// of a list. A tag on a line of its own leaves no empty line. An element can use the values of the page around it too.
package struct PageTemplate: Sendable {
    package enum Value: Sendable {
        /// Text, which is escaped.
        case text(String)
        /// A style or a script of our own, which is inserted unescaped.
        case markup(String)
        case list([[String: Value]])
    }

    private indirect enum Part: Sendable {
        case text(String)
        case value(String)
        case section(String, [Part])
    }

    private let parts: [Part]

    /// Parses a page of ours.
    ///
    /// Tags that do not match are a programming error, which the first use reports.
    package init(_ text: String) {
        var rest = text[...]
        parts = Self.parts(&rest, of: text, upTo: nil)
    }

    private static func parts(_ rest: inout Substring, of text: String, upTo end: String?) -> [Part] {
        var parts: [Part] = []
        while let start = rest.firstRange(of: "{{"), let stop = rest[start.upperBound...].firstRange(of: "}}") {
            parts.append(.text(String(rest[..<start.lowerBound])))
            let tag = rest[start.upperBound..<stop.lowerBound]
            rest = rest[stop.upperBound...]
            let name = String(tag.dropFirst())
            let startsLine =
                start.lowerBound == text.startIndex || text[text.index(before: start.lowerBound)] == "\n"
            switch tag.first {
            case "#":
                if startsLine, rest.first == "\n" { rest.removeFirst() }
                parts.append(.section(name, Self.parts(&rest, of: text, upTo: name)))
            case "/":
                precondition(name == end, "{{/\(name)}} ends no section")
                if startsLine, rest.first == "\n" { rest.removeFirst() }
                return parts
            default: parts.append(.value(String(tag)))
            }
        }
        precondition(end == nil, "the section \(end ?? "") has no end")
        parts.append(.text(String(rest)))
        return parts
    }

    /// Returns the page with its values; each placeholder must have one.
    package func filled(_ values: [String: Value]) -> String {
        var page = ""
        Self.fill(parts, [values], &page)
        return page
    }

    /// Inner values come last, and hide outer ones of the same name.
    private static func fill(_ parts: [Part], _ scopes: [[String: Value]], _ page: inout String) {
        func value(_ name: String) -> Value {
            for scope in scopes.reversed() {
                if let value = scope[name] { return value }
            }
            preconditionFailure("there is no value for {{\(name)}}")
        }
        for part in parts {
            switch part {
            case .text(let text): page += text
            case .value(let name):
                switch value(name) {
                case .text(let text): page += text.escapedForHTML
                case .markup(let text): page += text
                case .list: preconditionFailure("{{\(name)}} is a list")
                }
            case .section(let name, let inside):
                guard case .list(let elements) = value(name) else { preconditionFailure("{{#\(name)}} is no list") }
                for element in elements { fill(inside, scopes + [element], &page) }
            }
        }
    }
}
