import CivilTime

/// Texts of samples.
enum SampleText {
    private static let words = [
        "amber", "anchor", "apple", "arrow", "autumn", "basket", "beacon", "birch", "bridge", "canvas", "cedar",
        "clover", "cobalt", "copper", "coral", "crystal", "delta", "ember", "falcon", "feather", "fern", "field",
        "forest", "garden", "granite", "harbor", "hazel", "island", "ivory", "juniper", "kestrel", "lantern",
        "lilac", "linen", "maple", "marble", "meadow", "meteor", "mint", "oak", "ocean", "olive", "onyx", "orchid",
        "paper", "pebble", "pepper", "pine", "planet", "prairie", "quartz", "raven", "river", "saffron", "silver",
        "spruce", "stone", "summer", "thistle", "timber", "tulip", "valley", "willow", "winter",
    ]

    static func word(_ stream: inout SampleStream) -> String { words[stream.below(words.count)] }

    /// Words with a length within the bounds, in code points; nil if it would be too long.
    static func words(_ lengths: ClosedRange<Int>, _ stream: inout SampleStream) -> String? {
        guard lengths.lowerBound <= 100_000 else { return nil }
        var text = word(&stream)
        while text.utf8.count < lengths.lowerBound { text += " " + word(&stream) }
        guard text.utf8.count > lengths.upperBound else { return text }
        text = String(text.prefix(lengths.upperBound))
        // A blank at the end is easily lost.
        return text.hasSuffix(" ") ? text.dropLast() + "s" : text
    }

    /// A text of a format; nil for formats that leave the text free.
    static func text(
        _ format: KnownFormat,
        _ lengths: ClosedRange<Int>,
        _ start: Instant,
        _ stream: inout SampleStream
    ) -> String? {
        switch format {
        case .dateTime: return moment(start, &stream).iso8601(.seconds)
        case .date: return moment(start, &stream).isoDay
        case .time: return String(moment(start, &stream).iso8601(.seconds).dropFirst(11))
        case .duration: return stream.below(2) == 0 ? "P\(stream.below(30) + 1)D" : "PT\(stream.below(59) + 1)M"
        case .uuid: return uuid(&stream)
        case .email: return fitted("", word(&stream), "@example.com", short: ["a@b.co"], lengths)
        case .uri: return fitted("https://example.com/", word(&stream), "", short: ["http://a.b", "a:b"], lengths)
        case .hostname: return hostname(lengths, &stream)
        case .ipv4: return "192.0.2.\(stream.below(254) + 1)"
        case .ipv6: return "2001:db8::\(String(stream.below(0xFFFF) + 1, radix: 16))"
        case .byte: return base64(lengths, &stream)
        case .binary, .password, .int32, .int64, .float, .double: return nil
        }
    }

    /// An instant within 30 days before the start.
    private static func moment(_ start: Instant, _ stream: inout SampleStream) -> Instant {
        Instant(seconds: start.seconds - Int64(stream.below(30 * 86_400)))
    }

    private static func uuid(_ stream: inout SampleStream) -> String {
        let high = (stream.next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
        let low = (stream.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        func digits(_ value: UInt64, _ count: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: count - text.utf8.count) + text
        }
        let first = digits(high, 16)
        let last = digits(low, 16)
        return
            "\(first.prefix(8))-\(first.dropFirst(8).prefix(4))-\(first.suffix(4))-\(last.prefix(4))-\(last.suffix(12))"
    }

    /// The middle written out, or shortened, until the whole fits; else the longest of the short forms that does.
    private static func fitted(
        _ front: String,
        _ middle: String,
        _ back: String,
        short: [String],
        _ lengths: ClosedRange<Int>
    ) -> String? {
        let around = front.utf8.count + back.utf8.count
        var middle = middle
        if around + middle.utf8.count > lengths.upperBound {
            guard lengths.upperBound > around else { return short.first { lengths.contains($0.utf8.count) } }
            middle = String(middle.prefix(lengths.upperBound - around))
        }
        let missing = lengths.lowerBound - around - middle.utf8.count
        if missing > 0 { middle += String(repeating: "a", count: min(missing, 100_000)) }
        return front + middle + back
    }

    private static func hostname(_ lengths: ClosedRange<Int>, _ stream: inout SampleStream) -> String? {
        var name = "\(word(&stream)).example.com"
        while name.utf8.count < lengths.lowerBound, name.utf8.count < 240 { name = "\(word(&stream)).\(name)" }
        return name.utf8.count <= lengths.upperBound ? name : String(repeating: "a", count: min(lengths.upperBound, 63))
    }

    /// Base64 of 12 random bytes, or of as many as the length asks for.
    private static func base64(_ lengths: ClosedRange<Int>, _ stream: inout SampleStream) -> String? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let wanted = min(max(16, (lengths.lowerBound + 3) / 4 * 4), lengths.upperBound / 4 * 4)
        guard wanted >= lengths.lowerBound, wanted <= 100_000 else { return nil }
        return String(decoding: (0..<wanted).map { _ in alphabet[stream.below(64)] }, as: UTF8.self)
    }
}
