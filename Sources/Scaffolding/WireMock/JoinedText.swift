import Basics
import JSON
import RegularExpressions

/// Several conditions on the text of a body as one (own-API contract, sections 6 and 20).
///
/// It fits every text that all of them fit. For that two pieces of the expression may not need the same characters of
/// the text: a piece that another one holds is dropped, texts are written with their overlaps, and where a text and a
/// member might overlap, they are not joined.
struct JoinedText {
    /// A condition on the text of a body.
    enum Condition {
        case equals(String)
        case contains(String)
        case regex(String)
        case member(TextMember)
    }

    /// The reason why conditions can't be joined.
    struct Refusal: Error {
        let reason: String
    }

    /// A part of the expression.
    private enum Piece {
        case text(String)
        case member(TextMember)

        var expression: String {
            switch self {
            case .text(let text): StubConversion.escaped(text)
            case .member(let member): member.last
            }
        }
    }

    /// The most conditions that are compared with one another.
    private static let mostConditions = 64
    /// The most bytes of texts that are compared with one another, since a search takes the product of two lengths.
    private static let mostText = 16 * 1_024
    private static let anything = #"[\s\S]*"#
    private static let tooMany = Refusal(reason: "are too many for one regular expression")

    /// Returns the condition `bodyText` that stands for all; nil without any.
    static func condition(_ conditions: [Condition]) throws(Refusal) -> JSONObject? {
        guard conditions.count <= mostConditions else { throw tooMany }
        var texts: [String] = []
        var members: [TextMember] = []
        for condition in conditions {
            switch condition {
            case .equals(let text) where conditions.count == 1: return ["equals": .string(text)]
            case .regex(let text) where conditions.count == 1: return ["regex": .string(text)]
            case .equals, .regex: throw Refusal(reason: "can't be joined into one condition on the text")
            case .contains(let text): texts.append(text)
            case .member(let member): members.append(member)
            }
        }
        let bytes = texts.reduce(0) { $0 + $1.utf8.count }
        guard conditions.count == 1 || bytes <= mostText else { throw tooMany }
        let pieces = independent(texts, members)
        guard let first = pieces.first else { return nil }
        switch first {
        case .text(let text) where pieces.count == 1: return ["contains": .string(text)]
        case .member(let member) where pieces.count == 1: return try regex(member.whole, orEscapes: true)
        default: return try regex(try inAnyOrder(pieces), orEscapes: !members.isEmpty)
        }
    }

    private static func regex(_ source: String, orEscapes: Bool) throws(Refusal) -> JSONObject {
        let either = orEscapes ? "(?:\(source)|\(TextMember.escapes))" : source
        let all = anything + either + anything
        guard all.unicodeScalars.count <= RegularExpression.longestSource else { throw tooMany }
        return ["regex": .string(all)]
    }

    // MARK: Pieces

    /// The conditions without those that others imply.
    private static func independent(_ texts: [String], _ members: [TextMember]) -> [Piece] {
        let members = members.enumerated().filter { place, member in
            !texts.contains { member.isFound(in: $0) }
                && !members.enumerated().contains { other, holder in
                    other != place && member.isImplied(by: holder) && (member != holder || other < place)
                }
        }
        .map(\.element)
        let texts = texts.enumerated().filter { place, text in
            !members.contains { $0.holds(text) }
                && !texts.enumerated().contains { other, holder in
                    other != place && holder.contains(text) && (!text.contains(holder) || other < place)
                }
        }
        .map(\.element)
        return texts.map(Piece.text) + members.map(Piece.member)
    }

    /// An expression that the pieces fit together, in any order.
    private static func inAnyOrder(_ pieces: [Piece]) throws(Refusal) -> String {
        let length = pieces.reduce(0) { $0 + $1.expression.unicodeScalars.count }
        guard pieces.count <= 4, length <= RegularExpression.longestSource else { throw tooMany }
        for case .text(let text) in pieces {
            for case .member(let member) in pieces where member.mayLie(upon: text) {
                throw Refusal(reason: "may overlap, which one condition on the text can't express")
            }
        }
        var orders: [String] = []
        for order in StubConversion.permutations(pieces) {
            var source = order[0].expression
            for (former, next) in zip(order, order.dropFirst()) {
                source += continuation(former, next)
                guard source.unicodeScalars.count <= RegularExpression.longestSource else { throw tooMany }
            }
            orders.append(source)
        }
        return orders.count == 1 ? orders[0] : "(?:\(orders.joined(separator: "|")))"
    }

    /// The expression of a piece behind another one, upon whose end it may lie.
    private static func continuation(_ first: Piece, _ second: Piece) -> String {
        let apart = anything + second.expression
        guard case .text(let left) = first, case .text(let right) = second else { return apart }
        let scalars = Array(right.unicodeScalars)
        let overlaps = Overlaps.lengths(Array(left.unicodeScalars), scalars).map { length in
            StubConversion.escaped(String(String.UnicodeScalarView(scalars[length...])))
        }
        return overlaps.isEmpty ? apart : "(?:\(([apart] + overlaps).joined(separator: "|")))"
    }
}
