import Compression
import Crypto
import HTTPMessage
import JSON
package import Secrets

/// Removes secrets from text of an archive that was written before they were known.
///
/// The text keeps its length, so that everything behind it stays in place. The pseudonyms use the space of the
/// indentation, and the rest of it becomes blanks.
package struct LateSecrets: Sendable {
    private var searches: [SecretSearch] = []
    /// Each secret in all of its spellings, with its pseudonym; nil for all that the pseudonyms know.
    private var pseudonymTexts: [[UInt8]: [UInt8]]?
    private let pseudonyms: Pseudonyms

    /// The secrets of a list.
    package init(_ secrets: some Sequence<String>, _ pseudonyms: Pseudonyms) {
        self.pseudonyms = pseudonyms
        var pseudonymTexts: [[UInt8]: [UInt8]] = [:]
        var search = SecretSearch()
        for secret in secrets {
            let pseudonym = Array(pseudonyms.pseudonym(for: secret, .token).utf8)
            for spelling in Pseudonyms.spellings(of: secret) where pseudonymTexts[spelling] == nil {
                pseudonymTexts[spelling] = pseudonym
                search.add(SecretSearch.marks(of: spelling))
            }
        }
        self.pseudonymTexts = pseudonymTexts
        searches = [search]
    }

    /// All secrets that are known by now, without any work: the search of the pseudonyms finds them.
    package init(_ pseudonyms: Pseudonyms) {
        self.pseudonyms = pseudonyms
        searches = pseudonyms.searches
    }

    /// Returns the pseudonym of a secret in one of its spellings; nil for what is none.
    private func pseudonym(for piece: [UInt8]) -> [UInt8]? {
        if let pseudonymTexts { return pseudonymTexts[piece] }
        let text = String(decoding: piece, as: UTF8.self)
        guard !pseudonyms.isKnown(text) else { return Array(pseudonyms.pseudonym(for: text, .token).utf8) }
        var other: String?
        if piece.contains(0x5C) {
            other = (try? JSONReader.read([0x22] + piece + [0x22]))?.stringValue
        } else if piece.contains(0x25) {
            other = QueryItems("secret=\(text)", limit: 1).items.first?.value
        }
        guard let other, pseudonyms.isKnown(other) else { return nil }
        return Array(pseudonyms.pseudonym(for: other, .token).utf8)
    }

    /// Returns the places of the secrets that a text has in plain form.
    private func places(in text: [UInt8]) -> [Range<Int>] {
        searches.flatMap { $0.find(in: text) { pseudonym(for: Array($0)) != nil } }
            .filter { Pseudonyms.isWhole($0, text) && !isName($0, text) }
    }

    /// Returns the words of a text that contain one of the secrets after decoding.
    private func coded(in text: [UInt8]) -> [Range<Int>] { SecretDecoder.codedPlaces(in: text, known: places) }

    /// Returns true if a text contains any of them, in any encoding.
    package func lies(in text: [UInt8]) -> Bool { !places(in: text).isEmpty || !coded(in: text).isEmpty }

    /// Returns the text of an entry without them, of the same length; nil if it has none or there is no space.
    package func cleaned(_ text: [UInt8]) -> [UInt8]? {
        var whole = text
        if !coded(in: text).isEmpty {
            // Content that is kept in Base64 has to stay Base64.
            guard let entry = try? HARStreamReader.entry(text) else { return nil }
            whole = self.entry(entry).json.serialized()
            guard coded(in: whole).isEmpty else { return nil }
        }
        var output = replaced(whole, at: places(in: whole)) ?? whole
        guard output != text else { return nil }
        if output.count > text.count { output = Self.withoutIndentation(output) }
        guard output.count <= text.count else { return nil }
        return output + [UInt8](repeating: 0x20, count: text.count - output.count)
    }

    /// Returns true for a word that is the name of a field, a cookie or a parameter, as an entry lists it.
    private func isName(_ range: Range<Int>, _ text: [UInt8]) -> Bool {
        let before = text[..<range.lowerBound]
        return Self.names.contains { before.suffix($0.count).elementsEqual($0) } && Pseudonyms.isWord(text[range])
    }

    private static let names = [#""name": ""#, #""name":""#].map { Array($0.utf8) }

    /// Returns any text without them; nil if it has none.
    package func replaced(_ text: [UInt8]) -> [UInt8]? { replaced(text, at: places(in: text) + coded(in: text)) }

    /// Returns content without them, in its own encoding; nil if it has none.
    package func content(_ bytes: [UInt8]) -> [UInt8]? {
        if case .packed(let plain, let coding) = PackedContent(bytes) {
            return content(plain).map { Deflate.compress($0, coding) ?? [] }
        }
        if let wide = UTF16Text(bytes, type: "") { return content(wide.plain).map(wide.encoded) }
        if let inner = Redactor.packedText(bytes) {
            return content(Array(inner.utf8)).map { Array(Base64.encode($0).utf8) } ?? replaced(bytes)
        }
        return replaced(bytes)
    }

    /// Returns an entry without them in its contents and in the decoded forms of its texts.
    private func entry(_ entry: HAREntry) -> HAREntry {
        func clean(_ text: String) -> String {
            replaced(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? text
        }
        func cleanName(_ name: String) -> String { Pseudonyms.isWord(Array(name.utf8)[...]) ? name : clean(name) }
        func clean(_ pairs: [HARPair]) -> [HARPair] {
            pairs.map { pair in
                var copy = pair.with(clean(pair.value))
                copy.name = cleanName(pair.name)
                return copy
            }
        }
        func clean(_ cookies: [HARCookie]) -> [HARCookie] {
            cookies.map { cookie in
                var copy = cookie
                (copy.name, copy.value) = (cleanName(cookie.name), clean(cookie.value))
                return copy
            }
        }
        var copy = entry
        copy.request.url = clean(entry.request.url)
        copy.request.headers = clean(entry.request.headers)
        copy.request.query = clean(entry.request.query)
        copy.request.cookies = clean(entry.request.cookies)
        copy.response.headers = clean(entry.response.headers)
        copy.response.cookies = clean(entry.response.cookies)
        copy.response.redirectURL = clean(entry.response.redirectURL)
        copy.response.statusText = clean(entry.response.statusText)
        copy.comment = entry.comment.map(clean)
        if let post = entry.request.postData {
            copy.request.postData?.bytes = content(post.bytes) ?? post.bytes
            copy.request.postData?.parameters = post.parameters.map { parameter in
                var copy = parameter
                copy.name = cleanName(parameter.name)
                copy.value = parameter.value.map(clean)
                copy.fileName = parameter.fileName.map(clean)
                return copy
            }
        }
        if let bytes = entry.response.content.bytes { copy.response.content.bytes = content(bytes) ?? bytes }
        copy.events = entry.events?.map { event in
            HAREvent(offset: event.offset, name: clean(event.name), id: clean(event.id), data: clean(event.data))
        }
        return copy
    }

    private func replaced(_ text: [UInt8], at places: [Range<Int>]) -> [UInt8]? {
        var merged: [Range<Int>] = []
        for range in places.sorted(by: { ($0.lowerBound, -$0.upperBound) < ($1.lowerBound, -$1.upperBound) }) {
            if let last = merged.last, range.lowerBound < last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        guard !merged.isEmpty else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        for range in merged {
            output += text[place..<range.lowerBound]
            let piece = Array(text[range])
            let pseudonym =
                pseudonym(for: piece)
                ?? Array(pseudonyms.pseudonym(for: String(decoding: piece, as: UTF8.self), .token).utf8)
            output += pseudonym
            place = range.upperBound
        }
        return output + text[place...]
    }

    private static func withoutIndentation(_ json: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(json.count)
        var isInString = false
        var isEscaped = false
        for byte in json {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isInString = false
                }
            } else if byte == 0x22 {
                isInString = true
            } else if byte == 0x20 || byte == 0x0A {
                continue
            }
            output.append(byte)
        }
        return output
    }
}
