/// The targets of a package manifest with what they depend on, read from its text.
///
/// The manifest names the APIs once, in `apis`, and makes their targets of `apiDependencies`.
enum Manifest {
    /// The manifest of this package; empty if it can't be read, in which case every source fails.
    static let own = (try? SourceTree.text(of: "Package.swift")) ?? ""

    /// The manifest of the package for Trendy's app.
    static let onboarding = (try? SourceTree.text(of: "clients/swift/TrendyOnboarding/Package.swift")) ?? ""

    struct Target: Equatable {
        var name: String
        var kind: String
        var dependencies: Set<String>
    }

    /// The targets of the emulated backends.
    static func apis(in text: String) -> [String] { assigned("apis", in: text) }

    /// The targets without I/O and unsafe code.
    static func pureTargets(in text: String) -> Set<String> {
        Set(apis(in: text)).union(assigned("pureTargets", in: text))
    }

    /// The targets of the package's declaration and those of the APIs.
    ///
    /// Targets that are added under a condition are no part of the product.
    static func targets(in text: String) -> [Target] {
        let apis = apis(in: text)
        let shared = Set(assigned("apiDependencies", in: text))
        var found = apis.map { Target(name: $0, kind: "target", dependencies: shared) }
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
                let expression = list(body[start.upperBound...])
                dependencies = Set(literals(expression))
                if expression.contains("apis.map") { dependencies.formUnion(apis) }
            }
            // A target in C has settings for its compiler, and the others have none.
            let isC = body.contains("cSettings:")
            let kindName = isC ? "clangTarget" : String(kind.dropFirst().dropLast())
            found.append(Target(name: name, kind: kindName, dependencies: dependencies))
        }
        return found
    }

    /// The text literals of the list that a top-level constant is made of.
    private static func assigned(_ name: String, in text: String) -> [String] {
        guard let line = text.firstRange(of: "let \(name)"),
            let value = text[line.upperBound...].firstRange(of: "= ")
        else { return [] }
        return literals(list(text[value.upperBound...]))
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
