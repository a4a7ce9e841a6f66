package import CivilTime

/// Texts of samples.
package enum SampleText {
    private static let words = [
        "amber", "anchor", "apple", "arrow", "autumn", "basket", "beacon", "birch", "bridge", "canvas", "cedar",
        "clover", "cobalt", "copper", "coral", "crystal", "delta", "ember", "falcon", "feather", "fern", "field",
        "forest", "garden", "granite", "harbor", "hazel", "island", "ivory", "juniper", "kestrel", "lantern",
        "lilac", "linen", "maple", "marble", "meadow", "meteor", "mint", "oak", "ocean", "olive", "onyx", "orchid",
        "paper", "pebble", "pepper", "pine", "planet", "prairie", "quartz", "raven", "river", "saffron", "silver",
        "spruce", "stone", "summer", "thistle", "timber", "tulip", "valley", "willow", "winter",
    ]

    /// Characters of the longest text that is made.
    package static let longest = 100_000

    /// A word; `place` is the number of texts that it has to differ from, of which many need more than there are words.
    package static func word(_ stream: inout SampleStream, _ place: Int = 0) -> String {
        words[stream.below(words.count)] + (place < words.count / 4 ? "" : "\(place)")
    }

    /// Words with a length within the bounds, in code points; nil if it would be too long.
    package static func words(_ lengths: ClosedRange<Int>, _ stream: inout SampleStream, _ place: Int = 0) -> String? {
        guard lengths.lowerBound <= longest else { return nil }
        var text = word(&stream, place)
        // Cut short, many words are the same.
        if place > 0, text.utf8.count > lengths.upperBound {
            let alphabet = Array(letters.utf8)
            return String(
                decoding: (0..<lengths.upperBound).map { _ in alphabet[stream.below(alphabet.count)] },
                as: UTF8.self
            )
        }
        while text.utf8.count < lengths.lowerBound { text += " " + word(&stream) }
        guard text.utf8.count > lengths.upperBound else { return text }
        text = String(text.prefix(lengths.upperBound))
        // A blank at the end is easily lost.
        return text.hasSuffix(" ") ? text.dropLast() + "s" : text
    }

    /// A text of a format; nil for formats that leave the text free.
    package static func text(
        _ format: KnownFormat,
        _ lengths: ClosedRange<Int>,
        _ start: Instant,
        _ stream: inout SampleStream,
        _ place: Int = 0
    ) -> String? {
        switch format {
        case .dateTime: return moment(start, &stream).iso8601(.seconds).withFraction(lengths)
        case .date: return moment(start, &stream).isoDay
        case .time:
            let time = String(moment(start, &stream).iso8601(.seconds).dropFirst(11))
            return time.withFraction(lengths)
        case .duration: return duration(lengths, &stream)
        case .uuid: return uuid(&stream)
        case .email: return email(lengths, &stream, place)
        case .uri:
            let short = ["http://a.b", "a:b", "a:"]
            return fitted("https://example.com/", word(&stream, place), "", short: short, lengths)
        case .hostname: return hostname(lengths, &stream, place)
        case .ipv4: return ipv4(lengths, &stream)
        case .ipv6: return ipv6(lengths, &stream)
        case .byte, .base64: return base64(lengths, &stream, alphabet: Self.letters + "+/")
        case .base64url: return base64(lengths, &stream, alphabet: Self.letters + "-_")
        case .base16: return base64(lengths, &stream, alphabet: "0123456789ABCDEF")
        case .binary, .password, .int32, .int64, .float, .double: return nil
        }
    }

    /// An instant within 30 days before the start.
    package static func moment(_ start: Instant, _ stream: inout SampleStream) -> Instant {
        Instant(seconds: start.seconds - Int64(stream.below(30 * 86_400)))
    }

    package static func uuid(_ stream: inout SampleStream) -> String {
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
        if missing > 0 { middle += String(repeating: "a", count: min(missing, longest)) }
        return front + middle + back
    }

    private static func duration(_ lengths: ClosedRange<Int>, _ stream: inout SampleStream) -> String {
        if lengths.upperBound == 3 { return "P\(stream.below(9) + 1)D" }
        let usual = stream.below(2) == 0 ? "P\(stream.below(30) + 1)D" : "PT\(stream.below(59) + 1)M"
        let missing = lengths.lowerBound - usual.utf8.count
        guard missing > 0 else { return lengths.contains(usual.utf8.count) ? usual : "P\(stream.below(9) + 1)D" }
        let zeros = String(repeating: "0", count: min(missing, longest))
        return usual.hasPrefix("PT") ? "PT" + zeros + usual.dropFirst(2) : "P" + zeros + usual.dropFirst()
    }

    private static func email(_ lengths: ClosedRange<Int>, _ stream: inout SampleStream, _ place: Int) -> String? {
        let short = ["a@b.co", "a@b.c", "a@bc", "a@b"]
        let usual = fitted("", word(&stream, place), "@example.com", short: short, lengths)
        guard let usual, let at = usual.utf8.firstIndex(of: UInt8(ascii: "@")),
            usual.utf8.distance(from: usual.utf8.startIndex, to: at) > mostLocal
        else { return usual }
        // What stands before the sign has a limit of its own.
        let domain = lengths.lowerBound - mostLocal - 1
        return hostname(domain...max(domain, 1), &stream).map { String(usual.prefix(mostLocal)) + "@" + $0 }
    }

    /// The characters before the sign of an address (RFC 5321, section 4.5.3.1.1).
    private static let mostLocal = 64

    private static func hostname(
        _ lengths: ClosedRange<Int>,
        _ stream: inout SampleStream,
        _ place: Int = 0
    ) -> String? {
        let usual = "\(word(&stream, place)).example.com"
        guard !lengths.contains(usual.utf8.count) else { return usual }
        let length = usual.utf8.count < lengths.lowerBound ? lengths.lowerBound : lengths.upperBound
        guard (1...253).contains(length) else { return nil }
        // Labels of 60 letters, and the rest as the last; a dot is not the last character.
        var name = ""
        while name.utf8.count < length {
            let rest = length - name.utf8.count
            let label = rest <= 60 ? rest : rest == 61 ? 59 : 60
            name += String(repeating: "a", count: label)
            if rest > label { name += "." }
        }
        return name
    }

    private static func ipv4(_ lengths: ClosedRange<Int>, _ stream: inout SampleStream) -> String? {
        let usual = "192.0.2.\(stream.below(254) + 1)"
        guard !lengths.contains(usual.utf8.count) else { return usual }
        return [
            "192.0.2.1", "10.0.0.1", "1.1.1.1", "198.51.100.1", "198.51.100.10", "203.0.113.100", "198.151.100.100",
        ]
        .first { lengths.contains($0.utf8.count) }
    }

    private static func ipv6(_ lengths: ClosedRange<Int>, _ stream: inout SampleStream) -> String? {
        let usual = "2001:db8::\(String(stream.below(0xFFFF) + 1, radix: 16))"
        guard !lengths.contains(usual.utf8.count) else { return usual }
        if lengths.upperBound < usual.utf8.count {
            return ["2001:db8::1", "2001::1", "fe80::1", "fc::1", "fc::", "f::1", "::1", "::"].first {
                lengths.contains($0.utf8.count)
            }
        }
        // Eight groups, the first ones of four digits until the length is reached.
        let missing = max(0, lengths.lowerBound - 15)
        guard missing <= 24 else { return nil }
        let groups = (0..<8).map { group in
            String(repeating: "0", count: max(0, min(3, missing - 3 * group))) + (group == 7 ? "1" : "a")
        }
        return groups.joined(separator: ":")
    }

    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    /// Base64, or another base of which four characters are whole bytes, of 16 characters or as many as the length asks for.
    private static func base64(
        _ lengths: ClosedRange<Int>,
        _ stream: inout SampleStream,
        alphabet: String
    ) -> String? {
        let alphabet = Array(alphabet.utf8)
        let wanted = min(max(16, (lengths.lowerBound + 3) / 4 * 4), lengths.upperBound / 4 * 4)
        guard wanted >= lengths.lowerBound, wanted <= longest else { return nil }
        return String(decoding: (0..<wanted).map { _ in alphabet[stream.below(alphabet.count)] }, as: UTF8.self)
    }
}

extension String {
    /// The time with as many digits of a fraction as a length asks for.
    fileprivate func withFraction(_ lengths: ClosedRange<Int>) -> String {
        let missing = lengths.lowerBound - utf8.count
        guard missing > 0, hasSuffix("Z") else { return self }
        guard missing < 2 || missing > 10 else { return dropLast() + "." + zeros(missing - 1) + "Z" }
        // A zone takes five characters more than its letter.
        guard lengths.upperBound >= utf8.count + 5 else { return dropLast() + ".0Z" }
        return dropLast() + (missing > 7 ? "." + zeros(min(9, missing - 6)) : "") + "+00:00"
    }

    private func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
}
