/// The targets of a package manifest with what they depend on, read from its text.
enum Manifest {
    struct Target: Equatable {
        var name: String
        var kind: String
        var dependencies: Set<String>
    }

    /// Those of the package's declaration; what is added to it under a condition is no part of the product.
    static func targets(in text: String) -> [Target] {
        var found: [Target] = []
        let kinds = [".target(", ".executableTarget(", ".testTarget(", ".systemLibrary("]
        var rest = text[..<(text.firstRange(of: "\n)\n")?.lowerBound ?? text.endIndex)]
        // The products name targets too, but not with these words.
        while let (kind, range) = kinds.compactMap({ kind in rest.firstRange(of: kind).map { (kind, $0) } })
            .min(by: { $0.1.lowerBound < $1.1.lowerBound })
        {
            let body = arguments(rest[range.upperBound...])
            rest = rest[body.endIndex...]
            guard let name = literals(body).first else { continue }
            var dependencies: Set<String> = []
            if let start = body.firstRange(of: "dependencies:") {
                dependencies = Set(literals(list(body[start.upperBound...])))
            }
            found.append(Target(name: name, kind: String(kind.dropFirst().dropLast()), dependencies: dependencies))
        }
        return found
    }

    /// Up to the parenthesis that closes the call.
    private static func arguments(_ text: Substring) -> Substring {
        var depth = 1
        let end = text.firstIndex { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth == 0
        }
        return text[..<(end ?? text.endIndex)]
    }

    /// Up to the bracket that closes the list.
    private static func list(_ text: Substring) -> Substring {
        var depth = 0
        let end = text.firstIndex { character in
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            return character == "]" && depth == 0
        }
        return text[..<(end ?? text.endIndex)]
    }

    private static func literals(_ text: Substring) -> [String] {
        text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
