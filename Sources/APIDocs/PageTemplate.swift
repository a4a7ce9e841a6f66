/// A page with places for values, in the manner of Mustache.
///
/// `{{name}}` is the place of a value. The text between `{{#name}}` and `{{/name}}` is repeated for each element of a list; a
/// tag that has a line for itself leaves no empty line. An element sees the values of the page around it too.
struct PageTemplate: Sendable {
    enum Value: Sendable {
        /// Text, which is escaped.
        case text(String)
        /// A style or a script of our own, which is put in as it is.
        case markup(String)
        case list([[String: Value]])
    }

    private indirect enum Part: Sendable {
        case text(String)
        case value(String)
        case section(String, [Part])
    }

    private let parts: [Part]

    /// Reads a page of this target; one whose tags don't fit together is a mistake that the first use shows.
    init(_ text: String) {
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

    /// Returns the page with its values; each place has to have one.
    func filled(_ values: [String: Value]) -> String {
        var page = ""
        Self.fill(parts, [values], &page)
        return page
    }

    /// Values further inside come last, and hide those of the same name around them.
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
                case .text(let text): page += DocumentationPage.escaped(text)
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
