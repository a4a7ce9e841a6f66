import Basics
package import JSON

/// A defect of a template with its place.
package struct TemplateProblem: Hashable, Sendable {
    package let path: [JSONPathElement]
    /// The defect; has no full stop.
    package let reason: String
}

/// The defects of a template, in the order of their places.
package struct TemplateProblems: Error, Hashable, Sendable {
    package let problems: [TemplateProblem]
}

/// Reads the templates of one response, which share a limit on their placeholders.
package struct TemplateReader {
    private let names: TemplateNames
    /// The defects so far.
    package private(set) var problems: [TemplateProblem] = []
    /// The number of placeholders so far.
    package private(set) var count = 0
    private var isOverfull = false

    package init(names: TemplateNames) { self.names = names }

    /// Throws the defects, if there are any.
    package func finish() throws(TemplateProblems) {
        guard problems.isEmpty else { throw TemplateProblems(problems: problems) }
    }

    /// Reads a value that stands at a place.
    package mutating func read(_ json: JSON, at path: [JSONPathElement]) -> Template {
        let before = count
        let node = node(json, path)
        return Template(node, count - before)
    }

    /// Reads a text that stands at a place.
    package mutating func read(text: String, at path: [JSONPathElement]) -> Template { read(.string(text), at: path) }

    private mutating func node(_ json: JSON, _ path: [JSONPathElement]) -> Template.Node {
        switch json {
        case .null, .bool, .integer, .number: return .constant(json)
        case .string(let text): return self.text(text, path)
        case .array(let elements):
            let nodes = elements.indices.map { node(elements[$0], path + [.index($0)]) }
            return nodes.allSatisfy(\.isConstant) ? .constant(json) : .array(nodes)
        case .object(let object):
            let members = object.members.map { member in
                Template.Member(name: member.name, node: node(member.value, path + [.key(member.name)]))
            }
            return members.allSatisfy(\.node.isConstant) ? .constant(json) : .object(members)
        }
    }

    private mutating func text(_ text: String, _ path: [JSONPathElement]) -> Template.Node {
        var segments: [Template.Segment] = []
        var rest = text[...]
        while let open = rest.firstRange(of: "{{") {
            if open.lowerBound > rest.startIndex { segments.append(.plain(String(rest[..<open.lowerBound]))) }
            let inner = rest[open.upperBound...]
            guard let close = Self.end(of: inner) else {
                problems.append(TemplateProblem(path: path, reason: "a placeholder is not closed with }}"))
                return .constant(.string(text))
            }
            note(path)
            do throws(TemplateFormError) {
                segments.append(.piece(try TemplatePiece(inner[..<close], names: names)))
            } catch {
                problems.append(TemplateProblem(path: path, reason: error.reason(inner[..<close])))
            }
            rest = inner[inner.unicodeScalars.index(close, offsetBy: 2)...]
        }
        if segments.isEmpty { return .constant(.string(text)) }
        if !rest.isEmpty { segments.append(.plain(String(rest))) }
        if segments.count == 1, case .piece(let piece) = segments[0] { return .single(piece) }
        return .text(segments)
    }

    /// Counts a placeholder, and tells of the first one that is too many.
    private mutating func note(_ path: [JSONPathElement]) {
        count += 1
        guard count > Template.mostPlaceholders, !isOverfull else { return }
        isOverfull = true
        problems.append(
            TemplateProblem(path: path, reason: "a response has at most \(Template.mostPlaceholders) placeholders")
        )
    }

    /// The place of the `}}` that ends a placeholder; braces in quotes don't count.
    private static func end(of text: Substring) -> Substring.Index? {
        var isQuoted = false
        var isEscaped = false
        var index = text.startIndex
        let scalars = text.unicodeScalars
        while index < scalars.endIndex {
            let next = scalars.index(after: index)
            switch scalars[index] {
            case "\"" where !isEscaped: isQuoted.toggle()
            case "}" where !isQuoted && next < scalars.endIndex && scalars[next] == "}": return index
            default: break
            }
            isEscaped = isQuoted && scalars[index] == "\\" && !isEscaped
            index = next
        }
        return nil
    }
}

extension Template.Node {
    fileprivate var isConstant: Bool {
        guard case .constant = self else { return false }
        return true
    }
}
