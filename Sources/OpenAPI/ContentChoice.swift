import HTTPMessage

/// The choice among media types.
enum ContentChoice {
    /// A content of a response, and the media type with which it is sent.
    typealias Choice = (content: OpenAPIContent, type: String)

    /// The declared content that takes a media type, the most specific if there are several.
    ///
    /// Parameters are part of a media type: one that both have must have the same value, and the more they share the
    /// better. One that only one side has keeps nobody out, as `charset` never does.
    static func content(of type: MediaType, in contents: [OpenAPIContent]) -> OpenAPIContent? {
        func rank(_ content: OpenAPIContent) -> Int? {
            let essence = content.essence
            let level: Int
            if essence.type == type.type, essence.subtype == type.subtype {
                level = 3
            } else if essence.type == type.type, essence.subtype == "*" {
                level = 2
            } else if essence.type == "*", essence.subtype == "*" {
                level = 1
            } else {
                return nil
            }
            return closeness(content.parameters, type.parameters).map { level * 10_000 + $0 }
        }
        var best: (content: OpenAPIContent, rank: Int)?
        for content in contents {
            guard let rank = rank(content), rank > best?.rank ?? 0 else { continue }
            best = (content, rank)
        }
        return best?.content
    }

    /// The closeness of the parameters of a declared media type to others; nil if they contradict these.
    fileprivate static func closeness(_ declared: [Parameter], _ others: [Parameter]) -> Int? {
        var closeness = 0
        for parameter in declared where parameter.name != "q" {
            guard let other = others.first(where: { $0.name == parameter.name }) else {
                closeness -= 1
                continue
            }
            if other.value.lowercased() == parameter.value.lowercased() {
                closeness += 100
            } else if parameter.name != "charset" {
                return nil
            }
        }
        return closeness
    }

    /// A parameter of a media type.
    fileprivate typealias Parameter = (name: String, value: String)

    /// The content that a client would rather have; JSON, and then the first, where that leaves a choice.
    ///
    /// Nil if the client takes none of them.
    static func preferred(by accept: [String], in contents: [OpenAPIContent]) -> Choice? {
        let ordered = contents.filter(\.isJSON) + contents.filter { !$0.isJSON }
        let ranges = accept.flatMap { $0.split(",") }.prefix(100).compactMap(AcceptedRange.init)
        guard !ranges.isEmpty else { return ordered.first.map { ($0, sent(for: $0, ranges).type) } }
        var best: (choice: Choice, weight: Int, closeness: Int)?
        for content in ordered {
            let (type, weight) = sent(for: content, ranges)
            let closeness = ranges.compactMap { $0.isOneType ? $0.closeness(to: content) : nil }.max() ?? 0
            // Among the variants of one type the one that was asked for counts.
            let isCloser = best.map {
                weight == $0.weight && content.essence == $0.choice.content.essence && closeness > $0.closeness
            }
            if weight > best?.weight ?? 0 || isCloser == true { best = ((content, type), weight, closeness) }
        }
        return best?.choice
    }

    /// The media type that is sent for a declared one, and its weight.
    ///
    /// For a declared range that is what is usual for it, unless the client would rather have another type.
    private static func sent(for content: OpenAPIContent, _ ranges: [AcceptedRange]) -> (type: String, weight: Int) {
        let essence = content.essence
        guard essence.type == "*" || essence.subtype == "*" else {
            return (content.name, weight(of: essence, content.parameters, in: ranges) ?? 0)
        }
        let usual = usual(for: essence.type)
        let told = weight(of: usual, [], in: ranges)
        var best = (type: "\(usual.type)/\(usual.subtype)", weight: told ?? 0)
        // Of all types only JSON shows more than a text.
        let isBound = content.isJSON && !content.isOfTexts
        for range in ranges where range.isOneType && (essence.type == "*" || essence.type == range.type) {
            let type = "\(range.type)/\(range.subtype)"
            if range.weight > best.weight, !isBound || isJSON(type) { best = (type, range.weight) }
        }
        guard best.weight == 0, told == nil else { return best }
        // Of two ranges that meet, such as `*/*` and `image/*`, no type follows; the client still takes some of it.
        best.weight = ranges.filter { $0.meets(essence) }.map(\.weight).max() ?? 0
        return best
    }

    /// The weight of a media type by the most precise range that it is in; nil if it is in none.
    private static func weight(
        of essence: (type: String, subtype: String),
        _ parameters: [Parameter],
        in ranges: [AcceptedRange]
    ) -> Int? {
        let held = ranges.compactMap { range in
            range.closeness(to: essence, parameters).map { (range: range, rank: range.precision * 10_000 + $0) }
        }
        return held.max { $0.rank < $1.rank }?.range.weight
    }

    /// The media type that is sent for a range where the client leaves the choice.
    private static func usual(for type: String) -> (type: String, subtype: String) {
        switch type {
        case "*", "application": ("application", "json")
        case "text": (type, "plain")
        case "image": (type, "png")
        case "audio": (type, "mpeg")
        case "video": (type, "mp4")
        case "font": (type, "woff2")
        case "multipart": (type, "mixed")
        // Whatever it is, it is of the range.
        default: (type, "octet-stream")
        }
    }

    /// The media type that is sent for a declared one where the client leaves the choice.
    static func usualName(of name: String) -> String {
        guard let type = MediaType(name), type.type == "*" || type.subtype == "*" else { return name }
        let usual = usual(for: type.type)
        return "\(usual.type)/\(usual.subtype)"
    }

    /// Tells whether a media type is one of those in a list, which may have ranges.
    static func takes(_ type: MediaType, _ list: String) -> Bool {
        let ranges = list.split(",").compactMap(AcceptedRange.init)
        return ranges.isEmpty || ranges.contains { $0.closeness(to: (type.type, type.subtype), type.parameters) != nil }
    }

    /// Tells whether a media type is JSON: `application/json` and everything that ends in `+json`.
    static func isJSON(_ name: String) -> Bool {
        MediaType(name).map { $0.subtype == "json" || $0.subtype.hasSuffix("+json") } ?? false
    }

    /// Tells whether a media type, or a range, is of text that a sample can be sent as.
    static func isText(_ name: String) -> Bool {
        MediaType(name).map { $0.type == "text" && $0.subtype != "xml" } ?? false
    }
}

/// One media range of an Accept field, with its weight in thousandths.
private struct AcceptedRange {
    let type: String
    let subtype: String
    let weight: Int
    private let parameters: [ContentChoice.Parameter]

    /// Nil for what is no media range.
    init?(_ text: String) {
        guard let type = MediaType(text.trimmingBlanks) else { return nil }
        self.type = type.type
        subtype = type.subtype
        parameters = type.parameters.filter { $0.name != "q" }
        let quality = type.parameters.last { $0.name == "q" }.flatMap { Double($0.value) } ?? 1
        // `nan` is read as a number, too.
        weight = quality.isNaN ? 1_000 : Int((min(max(quality, 0), 1) * 1_000).rounded())
    }

    /// The more the range says, the more it counts.
    var precision: Int { type == "*" ? 0 : subtype == "*" ? 1 : 2 }

    /// Tells whether the range is one media type.
    var isOneType: Bool { precision == 2 }

    /// Tells whether a media type is in the range.
    func holds(_ essence: (type: String, subtype: String)) -> Bool {
        (type == "*" || type == essence.type) && (subtype == "*" || subtype == essence.subtype)
    }

    /// The closeness of a media type to what the range says; nil if it is not in it.
    func closeness(to essence: (type: String, subtype: String), _ parameters: [ContentChoice.Parameter]) -> Int? {
        holds(essence) ? ContentChoice.closeness(parameters, self.parameters) : nil
    }

    func closeness(to content: OpenAPIContent) -> Int? { closeness(to: content.essence, content.parameters) }

    /// Tells whether a media type can be both in this range and in another.
    func meets(_ other: (type: String, subtype: String)) -> Bool {
        let type = other.type == "*" ? type : other.type
        return holds((type, other.subtype == "*" ? subtype : other.subtype))
    }
}
