import RegularExpressions
import TestSupport
import Testing

/// Random expressions over a small alphabet, held against a matcher that tries one way after the other.
@Suite struct ReferenceTests {
    indirect enum Node {
        case scalar(Unicode.Scalar)
        case set([Unicode.Scalar], isNegated: Bool)
        case any
        case sequence([Node])
        case choice([Node])
        case repeated(Node, Int, Int?, isLazy: Bool)
        case start, end, boundary, noBoundary

        var text: String {
            switch self {
            case .scalar(let scalar): String(scalar)
            case .set(let scalars, let isNegated): "[\(isNegated ? "^" : "")\(scalars.map { String($0) }.joined())]"
            case .any: "."
            case .sequence(let nodes): nodes.map(\.text).joined()
            case .choice(let nodes): "(?:\(nodes.map(\.text).joined(separator: "|")))"
            case .repeated(let node, let least, let most, let isLazy):
                "(\(node.text))" + Self.quantifier(least, most) + (isLazy ? "?" : "")
            case .start: "^"
            case .end: "$"
            case .boundary: "\\b"
            case .noBoundary: "\\B"
            }
        }

        private static func quantifier(_ least: Int, _ most: Int?) -> String {
            switch (least, most) {
            case (0, nil): "*"
            case (1, nil): "+"
            case (0, 1): "?"
            case (_, nil): "{\(least),}"
            case (_, .some(let most)): most == least ? "{\(least)}" : "{\(least),\(most)}"
            }
        }
    }

    /// The matcher that goes back: it calls `rest` for each end that a part can have.
    private struct Reference {
        let text: [Unicode.Scalar]

        private func isWord(_ place: Int) -> Bool {
            text.indices.contains(place) && (("a"..."z").contains(text[place]) || text[place] == "_")
        }

        func run(_ node: Node, _ place: Int, _ rest: (Int) -> Bool) -> Bool {
            switch node {
            case .scalar(let scalar): return place < text.count && text[place] == scalar && rest(place + 1)
            case .any: return place < text.count && text[place] != "\n" && rest(place + 1)
            case .set(let scalars, let isNegated):
                return place < text.count && scalars.contains(text[place]) != isNegated && rest(place + 1)
            case .sequence(let nodes):
                guard let first = nodes.first else { return rest(place) }
                return run(first, place) { run(.sequence(Array(nodes.dropFirst())), $0, rest) }
            case .choice(let nodes): return nodes.contains { run($0, place, rest) }
            case .repeated(let node, let least, let most, _):
                if least > 0 {
                    return run(node, place) {
                        run(.repeated(node, least - 1, most.map { $0 - 1 }, isLazy: false), $0, rest)
                    }
                }
                if rest(place) { return true }
                guard most != 0 else { return false }
                return run(node, place) { next in
                    next != place && run(.repeated(node, 0, most.map { $0 - 1 }, isLazy: false), next, rest)
                }
            case .start: return place == 0 && rest(place)
            case .end: return place == text.count && rest(place)
            case .boundary: return isWord(place - 1) != isWord(place) && rest(place)
            case .noBoundary: return isWord(place - 1) == isWord(place) && rest(place)
            }
        }
    }

    private static let alphabet: [Unicode.Scalar] = ["a", "b", "-", "é", "\n"]

    private static func node(_ chance: inout SeededGenerator, depth: Int) -> Node {
        switch chance.below(depth > 0 ? 12 : 7) {
        case 0, 1: return .scalar(["a", "b"][chance.below(2)])
        case 2: return .scalar(["-", "é"][chance.below(2)])
        case 3: return .set([alphabet[chance.below(2)], alphabet[3]], isNegated: chance.below(2) == 0)
        case 4: return .any
        case 5: return [.boundary, .noBoundary][chance.below(2)]
        case 6: return [.start, .end, .scalar("a"), .scalar("b")][chance.below(4)]
        case 7, 8:
            return .sequence((0..<chance.below(4)).map { _ in node(&chance, depth: depth - 1) })
        case 9: return .choice((0...chance.below(3)).map { _ in node(&chance, depth: depth - 1) })
        default:
            let least = chance.below(3)
            let most = chance.below(2) == 0 ? nil : least + chance.below(3)
            return .repeated(node(&chance, depth: depth - 1), least, most, isLazy: chance.below(2) == 0)
        }
    }

    @Test func `6 every text fits as one way after the other finds it`() throws {
        var chance = SeededGenerator.announced()
        var fits = 0
        for _ in 0..<4_000 {
            let node = Self.node(&chance, depth: 3)
            let expression = try RegularExpression(node.text)
            for _ in 0..<12 {
                let scalars = (0..<chance.below(7)).map { _ in Self.alphabet[chance.below(Self.alphabet.count)] }
                var text = ""
                text.unicodeScalars.append(contentsOf: scalars)
                let reference = Reference(text: scalars)
                let whole = reference.run(node, 0) { $0 == scalars.count }
                let found = (0...scalars.count).contains { reference.run(node, $0) { _ in true } }
                expectEqual(expression.matchesWhole(text), whole, "\(node.text) and \(text.debugDescription)")
                expectEqual(expression.isFound(in: text), found, "\(node.text) within \(text.debugDescription)")
                fits += whole ? 1 : 0
            }
        }
        #expect(fits > 1_000)
    }

    @Test func `6 a long text takes the same steps as a short one`() throws {
        var chance = SeededGenerator.announced()
        for _ in 0..<400 {
            let node = Self.node(&chance, depth: 3)
            // Blocks that only one expression of the two kinds sees: the second is as long as to be remembered.
            let scalars = (0..<6).map { _ in Self.alphabet[chance.below(Self.alphabet.count)] }
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            let filling = String(repeating: "xy ", count: 300)
            let short = try RegularExpression("(?:xy )*(?:\(node.text))")
            let long = short.matchesWhole(filling + text)
            expectEqual(long, short.matchesWhole("xy " + text), "\(node.text) and \(text.debugDescription)")
        }
    }
}
