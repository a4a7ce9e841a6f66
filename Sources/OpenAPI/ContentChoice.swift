import HTTPMessage

/// The choice among media types.
enum ContentChoice {
    /// The declared content that takes a media type, the most specific if there are several.
    static func content(of type: MediaType, in contents: [OpenAPIContent]) -> OpenAPIContent? {
        func rank(_ content: OpenAPIContent) -> Int? {
            let essence = content.essence
            if essence.type == type.type, essence.subtype == type.subtype { return 3 }
            if essence.type == type.type, essence.subtype == "*" { return 2 }
            return essence.type == "*" && essence.subtype == "*" ? 1 : nil
        }
        var best: (content: OpenAPIContent, rank: Int)?
        for content in contents {
            guard let rank = rank(content), rank > best?.rank ?? 0 else { continue }
            best = (content, rank)
        }
        return best?.content
    }

    /// One media range of an Accept field, with its weight in thousandths.
    private struct Range {
        let type: String
        let subtype: String
        let weight: Int

        /// The more the range says, the more it counts.
        var precision: Int { type == "*" ? 0 : subtype == "*" ? 1 : 2 }
    }

    /// The content that a client would rather have; JSON, and then the first, where that leaves a choice.
    ///
    /// Nil if the client takes none of them.
    static func preferred(by accept: [String], in contents: [OpenAPIContent]) -> OpenAPIContent? {
        let ordered = contents.filter(\.isJSON) + contents.filter { !$0.isJSON }
        let ranges = accept.flatMap { $0.split(",") }.prefix(100).compactMap(range)
        guard !ranges.isEmpty else { return ordered.first }
        var best: (content: OpenAPIContent, weight: Int)?
        for content in ordered {
            let weight = weight(of: content, in: ranges)
            if weight > best?.weight ?? 0 { best = (content, weight) }
        }
        return best?.content
    }

    private static func range(_ text: String) -> Range? {
        guard let type = MediaType(text.trimmingBlanks) else { return nil }
        let quality = type.parameters.last { $0.name == "q" }?.value
        let weight = quality.map { Int(((Double($0) ?? 1) * 1_000).rounded()) } ?? 1_000
        return Range(type: type.type, subtype: type.subtype, weight: min(max(weight, 0), 1_000))
    }

    private static func weight(of content: OpenAPIContent, in ranges: [Range]) -> Int {
        let essence = content.essence
        let fitting = ranges.filter { range in
            // A declared range can be answered with whatever is asked for.
            (range.type == "*" || essence.type == "*" || range.type == essence.type)
                && (range.subtype == "*" || essence.subtype == "*" || range.subtype == essence.subtype)
        }
        return fitting.max { $0.precision < $1.precision }?.weight ?? 0
    }
}
