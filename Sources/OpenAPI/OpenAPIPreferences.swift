package import HTTPMessage

/// The wishes of a client about the response: `Prefer: code=404, example=cat, dynamic=true`, or the query forms
/// `__code`, `__example` and `__dynamic`.
package struct OpenAPIPreferences: Sendable, Hashable {
    package var status: Int?
    package var example: String?
    package var isDynamic: Bool

    package init(status: Int? = nil, example: String? = nil, isDynamic: Bool = false) {
        self.status = status
        self.example = example
        self.isDynamic = isDynamic
    }

    /// Reads the fields and the query; of two values of a name the first counts, and the field before the query.
    ///
    /// A status that is none, 200 to 599, is no wish.
    package init(fields: Fields, query: String?) {
        self.init()
        let isInQuery =
            query?.utf8.contains(UInt8(ascii: "_")) == true || query?.utf8.contains(UInt8(ascii: "%")) == true
        guard isInQuery || fields.contains(Self.prefer) else { return }
        var isDynamic: Bool?
        for pair in fields.values(Self.prefer).flatMap(Self.pairs) {
            switch pair.name {
            case "code": status = status ?? Self.status(pair.value)
            case "example": example = example ?? (pair.value.isEmpty ? nil : pair.value)
            case "dynamic": isDynamic = isDynamic ?? Self.truth(pair.value)
            default: break
            }
        }
        let items = QueryItems(query)
        status = status ?? items.first("__code").flatMap(Self.status)
        example = example ?? items.first("__example").flatMap { $0.isEmpty ? nil : $0 }
        self.isDynamic = isDynamic ?? items.first("__dynamic").flatMap(Self.truth) ?? false
    }

    private static let prefer: FieldName = "Prefer"

    /// Tells whether there is no wish.
    var isEmpty: Bool { status == nil && example == nil && !isDynamic }

    private static func status(_ text: String) -> Int? {
        guard text.utf8.count == 3, let status = Int(text), (200...599).contains(status) else { return nil }
        return status
    }

    private static func truth(_ text: String) -> Bool? {
        switch text {
        case "true", "": true
        case "false": false
        default: nil
        }
    }

    /// The preferences of a field (RFC 7240, section 2), without their parameters.
    private static func pairs(_ text: String) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        var pieces: [[UInt8]] = [[]]
        var isQuoted = false
        var isEscaped = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: ","), !isQuoted {
                pieces.append([])
                continue
            }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && isQuoted && !isEscaped
            pieces[pieces.count - 1].append(byte)
        }
        for piece in pieces.prefix(50) {
            // A parser of parameters reads `; name=value`, quotes taken off.
            let text = String(decoding: piece, as: UTF8.self).trimmingBlanks
            guard !text.isEmpty else { continue }
            let head = text.utf8.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            let name = String(decoding: head, as: UTF8.self).trimmingBlanks.lowercased()
            let value = MediaType("a/b; " + text)?.parameters.first { $0.name == name }?.value
            pairs.append((name, value ?? ""))
        }
        return pairs
    }

    /// The wishes that were followed, for `Preference-Applied`; nil if there are none.
    var applied: String? {
        var texts: [String] = []
        if let status { texts.append("code=\(status)") }
        if let example {
            let isToken = FieldName(example) != nil
            let escaped = example.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
            texts.append("example=" + (isToken ? example : "\"\(String(escaped))\""))
        }
        if isDynamic { texts.append("dynamic=true") }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
}
