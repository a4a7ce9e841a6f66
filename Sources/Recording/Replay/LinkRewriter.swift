import Basics
import HTTPMessage

/// Replaces the absolute addresses of a recorded backend, so that a client that follows them stays on this server.
///
/// It finds them in any text, even with the escaped slashes of JSON and percent-encoded as the value of a query. The
/// time is linear in the text.
package struct LinkRewriter: Sendable, Equatable {
    /// The spelling of an address.
    private enum Form: CaseIterable {
        case plain, escaped, percent

        var slashes: [UInt8] {
            switch self {
            case .plain: Array("//".utf8)
            case .escaped: Array("\\/\\/".utf8)
            case .percent: Array("%2f%2f".utf8)
            }
        }

        var colon: [UInt8] { self == .percent ? Array("%3a".utf8) : [0x3A] }

        func written(_ text: String) -> [UInt8] {
            switch self {
            case .plain: Array(text.utf8)
            case .escaped: text.utf8.flatMap { $0 == 0x2F ? [0x5C, 0x2F] : [$0] }
            case .percent: Array(text.percentEncodedComponent.utf8)
            }
        }
    }

    private var authorities: Set<String>
    /// The same without their ports.
    private var hosts: Set<String>
    /// The target of the rewritten links, without a slash at the end.
    private let base: String
    /// The prefix that is dropped after one of the authorities.
    private let prefix: String

    /// Creates a rewriter.
    ///
    /// - Parameters:
    ///   - authorities: The replaced hosts, with ports where they are not the scheme's.
    ///   - base: `scheme://authority`, optionally with a path to put in front.
    ///   - prefix: A path that is dropped where it follows.
    package init(_ authorities: [String], to base: String, dropping prefix: String = "") {
        self.authorities = Set(authorities.map(Self.normal).filter { !$0.isEmpty })
        hosts = Set(self.authorities.map(Self.host))
        self.base = base
        self.prefix = prefix
    }

    /// Returns an authority in lower case, without user information and default ports.
    package static func normal(_ authority: String) -> String {
        var text = authority[
            (authority.lastIndex(of: "@").map { authority.index(after: $0) } ?? authority.startIndex)...
        ]
        .lowercased()
        for port in [":80", ":443"] where text.hasSuffix(port) && !text.hasSuffix("]" + port.dropFirst()) {
            text.removeLast(port.count)
            break
        }
        return text
    }

    package var isEmpty: Bool { authorities.isEmpty }

    /// Replaces one more authority.
    mutating func add(_ authority: String) {
        let authority = Self.normal(authority)
        authorities.insert(authority)
        hosts.insert(Self.host(of: authority))
    }

    /// Tells whether a text is one of the authorities, with or without its port, or a port of this machine.
    func names(_ text: String) -> Bool {
        guard text.utf8.count <= 255, text.utf8.contains(0x2E) || text.utf8.contains(0x3A) || text == "localhost",
            text.utf8.allSatisfy(Self.isHostByte)
        else { return false }
        let authority = Self.normal(text)
        return authorities.contains(authority) || hosts.contains(authority) || Self.isLoopback(authority)
    }

    /// Tells whether an authority in normal form is one of this machine with a port.
    private static func isLoopback(_ authority: String) -> Bool {
        guard let colon = authority.lastIndex(of: ":"),
            ["127.0.0.1", "localhost", "[::1]"].contains(authority[..<colon])
        else { return false }
        let port = authority[authority.index(after: colon)...]
        return (1...5).contains(port.utf8.count) && port.utf8.allSatisfy { $0 &- 0x30 < 10 }
    }

    // MARK: Texts

    package func text(_ text: String) -> String {
        // Most values contain no address.
        guard !isEmpty, text.utf8.count > 8, text.utf8.contains(where: { $0 == 0x2F || $0 == 0x25 || $0 == 0x5C })
        else {
            return text
        }
        let bytes = Array(text.utf8)
        return rewritten(bytes).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Content of a type that is text.
    package func content(_ bytes: [UInt8], type: String) -> [UInt8] {
        guard !isEmpty, Self.isText(type) else { return bytes }
        let essence = MediaType(type)?.essence ?? ""
        if essence == "text/event-stream" { return lines(bytes, EventTexts.dataStart) }
        if essence.contains("ndjson") || essence.contains("jsonl") { return lines(bytes) { $0.isEmpty ? nil : 0 } }
        return rewritten(bytes, takesRelative: true) ?? bytes
    }

    /// A piece of text in which no address is cut.
    package func piece(_ bytes: [UInt8]) -> [UInt8] { rewritten(bytes, takesRelative: true) ?? bytes }

    /// Returns the length of the beginning of a text in which no address is cut by its end.
    package static func wholeLength(_ text: [UInt8]) -> Int {
        let start = max(text.count - longestStart, 0)
        for form in Form.allCases {
            let slashes = form.slashes
            for place in start..<max(text.count - slashes.count + 1, start) {
                // The host may go on.
                guard let found = beginning(text, at: place, form, true),
                    text[(place + slashes.count)...].allSatisfy({ isHostByte($0) || $0 == 0x25 || $0 == 0x40 })
                else { continue }
                return found.start
            }
        }
        // The end may be the beginning of a scheme or of the slashes.
        let length = (1...16).last { count in
            count <= text.count
                && starts.contains {
                    $0.count > count && matches(text, at: text.count - count, Array($0.prefix(count)))
                }
        }
        return text.count - (length ?? 0)
    }

    /// The bytes at the end of a text in which the beginning of an address is searched.
    private static let longestStart = 1_024

    /// Everything that an address may begin with.
    private static let starts: [[UInt8]] = Form.allCases.flatMap { form in
        schemes.map { Array($0.utf8) + form.colon + form.slashes } + [form.slashes]
    }

    /// Rewrites a stream whose texts come piece by piece: an address may begin in one line and end in a later one.
    private func lines(_ bytes: [UInt8], _ dataStart: ([UInt8]) -> Int?) -> [UInt8] {
        let old = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        var new = old
        EventTexts.rewrite(&new, dataStart, rest: text) { pieces in
            let joined = pieces.flatMap { Array($0.utf8) }
            var ends: Set<Int> = []
            var length = 0
            for piece in pieces {
                length += piece.utf8.count
                ends.insert(length)
            }
            let spans = spans(joined)
            // Addresses within one piece are replaced there, and every other byte of the line stays.
            guard spans.contains(where: { span in span.range.dropFirst().contains { ends.contains($0) } }) else {
                return pieces
            }
            return JoinedText.replaced(pieces, joined, spans)
        }
        return Array(zip(old, new).map { $0 == $1 ? rewritten($0) ?? $0 : $1 }.joined(separator: [0x0A]))
    }

    /// Tells whether content of a type is text in which addresses are replaced.
    package static func isText(_ type: String) -> Bool {
        let essence = MediaType(type)?.essence ?? ""
        if essence.isEmpty || essence.hasPrefix("text/") { return true }
        return ["json", "xml", "javascript", "ecmascript", "form-urlencoded", "graphql", "mpegurl"].contains {
            essence.contains($0)
        }
    }

    /// Fields that name origins for security rules, not as destinations.
    private static let kept: Set<String> = [
        "content-security-policy", "content-security-policy-report-only", "timing-allow-origin", "set-cookie",
        "www-authenticate", "alt-svc", "nel", "report-to", "reporting-endpoints", "vary", "etag",
    ]

    package func header(_ name: String, _ value: String) -> String {
        if name.lowercased() == "set-cookie" { return cookie(value) }
        let moved =
            rewritten(Array(value.utf8), takesRelative: true).map { String(decoding: $0, as: UTF8.self) } ?? value
        guard moved != value else { return value }
        let lower = name.lowercased()
        guard !lower.hasPrefix("access-control-"), !Self.kept.contains(lower) else { return value }
        return moved
    }

    /// Returns a cookie without a `Domain` of the recorded backend, which a client would have to refuse here (RFC 6265,
    /// 5.3).
    private func cookie(_ value: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        let kept = parts.indices.filter { place in
            guard place > 0, let sign = parts[place].firstIndex(of: "=") else { return true }
            guard Self.word(parts[place][..<sign]) == "domain" else { return true }
            var domain = Self.word(parts[place][parts[place].index(after: sign)...])
            if domain.hasPrefix(".") { domain.removeFirst() }
            return !authorities.contains { authority in
                let host = Self.host(of: authority)
                return host == domain || host.hasSuffix("." + domain)
            }
        }
        return kept.map { String(parts[$0]) }.joined(separator: ";")
    }

    private static func word(_ text: Substring) -> String { text.filter { $0 != " " && $0 != "\t" }.lowercased() }

    /// Returns an authority without its port.
    package static func host(of authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return authority }
        return String(authority[..<colon])
    }

    // MARK: Finding

    /// Returns the rewritten bytes; nil when there is nothing to change.
    ///
    /// `takesRelative` also replaces addresses without a scheme, such as `//api.example.com/a` (RFC 3986, 4.2).
    private func rewritten(_ bytes: [UInt8], takesRelative: Bool = false) -> [UInt8]? {
        let spans = spans(bytes, takesRelative: takesRelative)
        guard !spans.isEmpty else { return nil }
        var output: [UInt8] = []
        var copied = 0
        for span in spans {
            output += bytes[copied..<span.range.lowerBound]
            output += span.text
            copied = span.range.upperBound
        }
        return output + bytes[copied...]
    }

    /// Returns the addresses to replace, in order, with their replacements.
    private func spans(_ bytes: [UInt8], takesRelative: Bool = false) -> [JoinedText.Span] {
        var spans: [JoinedText.Span] = []
        var copied = 0
        var place = 0
        while place < bytes.count {
            let form: Form
            switch bytes[place] {
            case 0x2F: form = .plain
            case 0x5C: form = .escaped
            case 0x25: form = .percent
            default:
                place += 1
                continue
            }
            guard let found = address(bytes, at: place, form, takesRelative), found.start >= copied else {
                place += 1
                continue
            }
            let text = form.written(found.isSocket ? "ws" + base.dropFirst(4) : base)
            spans.append(JoinedText.Span(range: found.start..<found.end, text: text))
            copied = found.end
            place = found.end
        }
        return spans
    }

    private struct Found {
        var start: Int
        var end: Int
        /// The scheme is that of web sockets.
        var isSocket: Bool
    }

    /// Returns an address of this server whose slashes begin at a place.
    private func address(_ bytes: [UInt8], at place: Int, _ form: Form, _ takesRelative: Bool) -> Found? {
        let slashes = form.slashes
        guard let (begin, isSocket) = Self.beginning(bytes, at: place, form, takesRelative) else { return nil }
        var host: [UInt8] = []
        var next = place + slashes.count
        // The end of the name, without the dots and colons of the surrounding sentence.
        var ends = [next]
        while next < bytes.count, host.count < 300 {
            if form == .percent, Self.matches(bytes, at: next, Array("%3a".utf8)) {
                host.append(0x3A)
                next += 3
            } else if Self.isHostByte(bytes[next]), !(form == .percent && bytes[next] == 0x3A) {
                host.append(bytes[next])
                next += 1
            } else {
                break
            }
            ends.append(next)
        }
        guard next >= bytes.count || bytes[next] != 0x40,
            !(form == .percent && Self.matches(bytes, at: next, Array("%40".utf8)))
        else { return nil }
        while let last = host.last, last == 0x2E || last == 0x3A { host.removeLast() }
        guard authorities.contains(Self.normal(String(decoding: host, as: UTF8.self))) else { return nil }
        var stop = ends[host.count]
        let dropped = form.written(prefix)
        if !prefix.isEmpty, Self.matches(bytes, at: stop, dropped) { stop += dropped.count }
        return Found(start: begin, end: stop, isSocket: isSocket)
    }

    /// Returns where an address begins whose slashes stand at a place.
    private static func beginning(
        _ bytes: [UInt8],
        at place: Int,
        _ form: Form,
        _ takesRelative: Bool
    ) -> (start: Int, isSocket: Bool)? {
        guard matches(bytes, at: place, form.slashes) else { return nil }
        let end = place - form.colon.count
        guard matches(bytes, at: end, form.colon) else {
            return takesRelative && mayBegin(bytes, at: place) ? (place, false) : nil
        }
        let scheme = schemes.first { scheme in
            let start = end - scheme.utf8.count
            // An escape such as `\n` may precede it, but no letter may precede `ws`.
            return matches(bytes, at: start, Array(scheme.utf8))
                && (start == 0 || scheme.hasPrefix("http") || !isLetter(bytes[start - 1]))
        }
        return scheme.map { (end - $0.utf8.count, $0.hasPrefix("ws")) }
    }

    private static let schemes = ["https", "http", "wss", "ws"]

    /// Tells whether an address without a scheme may begin at a place: nothing before it is a part of one.
    private static func mayBegin(_ bytes: [UInt8], at place: Int) -> Bool {
        guard place > 0 else { return true }
        switch bytes[place - 1] {
        // White space, quotes, and what encloses or separates addresses in fields, HTML and style sheets.
        case 0x09, 0x0A, 0x0D, 0x20, 0x22, 0x27, 0x28, 0x2C, 0x3B, 0x3C, 0x3D, 0x3E, 0x60, 0x7C: return true
        default: return false
        }
    }

    /// Returns true if the bytes at a place spell a text, letters in either case.
    private static func matches(_ bytes: [UInt8], at place: Int, _ text: [UInt8]) -> Bool {
        guard place >= 0, place + text.count <= bytes.count else { return false }
        for (offset, byte) in text.enumerated() {
            let own = bytes[place + offset]
            guard own == byte || (isLetter(own) && own | 0x20 == byte | 0x20) else { return false }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F, 0x7E: true
        default: false
        }
    }
}
