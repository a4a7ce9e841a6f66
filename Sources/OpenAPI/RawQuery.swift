import Basics
import HTTPMessage

/// The pairs of a query or a form, whose values are decoded only after they have been cut at commas and the like.
struct RawQuery {
    struct Pair {
        let name: String
        /// Not decoded.
        let value: ArraySlice<UInt8>
    }

    let pairs: [Pair]

    init(_ bytes: ArraySlice<UInt8>) {
        pairs = bytes.split(separator: UInt8(ascii: "&")).prefix(QueryItems.standardLimit).map { piece in
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            return Pair(
                name: Self.decoded(piece[..<equals]),
                value: piece[min(equals + 1, piece.endIndex)...]
            )
        }
    }

    init(_ text: String?) { self.init(Array((text ?? "").utf8)[...]) }

    /// The values of a name, decoded.
    func values(_ name: String) -> [String] {
        pairs.filter { $0.name == name }.map { Self.decoded($0.value) }
    }

    /// The first value of a name, cut at a delimiter and decoded piece by piece; nil if there is none.
    ///
    /// `%20` and `+` are the same delimiter as a blank, `%7C` as a bar; `%2C` is content unless `cutsEscaped`.
    func pieces(_ name: String, at style: OpenAPIParameter.Style, cutsEscaped: Bool = false) -> [String]? {
        guard let pair = pairs.first(where: { $0.name == name }) else { return nil }
        guard !pair.value.isEmpty else { return [] }
        switch style {
        case .spaceDelimited: return Self.decoded(pair.value).split(" ")
        case .pipeDelimited: return Self.decoded(pair.value).split("|")
        case _ where cutsEscaped: return Self.decoded(pair.value).split(",")
        default:
            return pair.value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                Self.decoded($0)
            }
        }
    }

    /// The texts of `name[member]=value`, and of what lies deeper; nil if there are none.
    func nested(_ name: String) -> NestedTexts? {
        var nested = NestedTexts()
        for pair in pairs where pair.name.hasPrefix(name + "[") && pair.name.hasSuffix("]") {
            nested.add(pair.name.dropFirst(name.count), Self.decoded(pair.value))
        }
        return nested.children.isEmpty && !nested.isTooDeep ? nil : nested
    }

    /// Tells whether a value of a name has a comma that is escaped, and so content by the letter.
    func hasEscapedComma(_ name: String) -> Bool {
        pairs.contains { $0.name == name && String(decoding: $0.value, as: UTF8.self).lowercased().contains("%2c") }
    }

    /// A piece with its escapes undone, as a form's.
    static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) || bytes.contains(UInt8(ascii: "+")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        // Escaped, a separator is content.
        return QueryItems(bytes: ([0x76, 0x3D] + bytes)[...]).first("v") ?? ""
    }
}

extension String {
    /// The pieces between single characters of ASCII, empty ones included.
    func split(_ separator: Unicode.Scalar) -> [String] {
        utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
