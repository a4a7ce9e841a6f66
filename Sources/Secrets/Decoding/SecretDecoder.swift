/// Finds secrets in a text, in plain form and in codings within codings (control contract, sections 13 and 19).
///
/// Each round searches a text and decodes the coded parts of it: Base64 from every offset and across lines, escapes of
/// URLs, JSON and HTML, quoted-printable, characters that look like those of ASCII, UTF-16, UTF-32 and compressed data.
/// The next round searches the decoded text. The time is linear in the length of the text and of what it unpacks to.
package struct SecretDecoder {
    /// The rules by which a text has a secret, and properties of secrets that make their search quicker.
    package struct Search {
        /// Returns the places of secrets in a text in plain form.
        package var places: ([UInt8]) -> [Range<Int>]
        /// Tells whether a line of letters, digits and signs of Base64 holds a secret; the number has the combined
        /// `ByteRoles.Run` of its run.
        var holdsInLine: ([UInt8], Range<Int>, UInt8) -> Bool = { _, _, _ in false }
        /// Tells whether a text that was coded as a whole holds a secret.
        package var holdsInText: (([UInt8]) -> Bool)?
        /// Ends with the first place.
        var endsAtFirst = false
        /// Only bytes below 128 can be a part of a secret.
        var isASCII = false
        /// Blanks, quotes and angle brackets can be a part of a secret.
        var hasBlanks = true

        package init(
            places: @escaping ([UInt8]) -> [Range<Int>],
            holdsInText: (([UInt8]) -> Bool)? = nil
        ) {
            self.places = places
            self.holdsInText = holdsInText
        }
    }

    /// The length of the shortest secret that is searched for inside other text, and its length in Base64.
    private static let (shortest, shortestRun) = (8, 14)
    /// The shortest run of letters and digits that can be a secret.
    private static let shortestWord = 12
    /// The number of decoded bytes that are searched at once.
    private static let mostDerived = 1_024 * 1_024
    /// The number of bytes that one compressed content may expand to, and the number that are always granted.
    package static let unpackedLimit = 64 * 1_024 * 1_024
    private static let leastUnpacked = 32 * 1_024 * 1_024
    /// Compressed contents that are unpacked in one text.
    private static let mostPacked = 256
    /// Positions that look like the beginning of zlib data, of which a mebibyte of noise has 64.
    private static let mostLikePacked = 16_384

    private let search: Search
    private let rounds: Int
    /// The number of bytes that are still searched, decoded ones included.
    private var budget: Int
    /// A part could not be searched because it expands to more than the limit.
    package private(set) var isUnreadable = false

    /// Creates a decoder for codings of `rounds` layers, which searches `budget` bytes in all before a text counts as
    /// unreadable.
    package init(_ search: Search, rounds: Int, budget: Int) {
        self.search = search
        self.rounds = rounds
        self.budget = budget
    }

    // MARK: Each round

    /// Returns the places of the secrets of a text; they may overlap.
    package mutating func places(in text: [UInt8]) -> [Range<Int>] { places(in: text, round: 0) }

    /// Returns the places of the secrets that a text has in coded form only.
    ///
    /// `isBare` tells that escapes of URLs and HTML and look-alikes in the text itself are decoded elsewhere.
    package mutating func codedPlaces(in text: [UInt8], isBare: Bool) -> [Range<Int>] {
        coded(in: text, round: 0, isBare: isBare)
    }

    private mutating func places(in text: [UInt8], round: Int) -> [Range<Int>] {
        guard !text.isEmpty, round <= rounds else { return [] }
        let found = search.places(text)
        guard !isEnough(found) else { return found }
        budget -= text.count
        guard budget > 0 else {
            isUnreadable = true
            return found
        }
        return found + coded(in: text, round: round)
    }

    private mutating func coded(in text: [UInt8], round: Int, isBare: Bool = false) -> [Range<Int>] {
        guard text.count >= Self.shortest, text.count < Int(Int32.max) else { return [] }
        let found = inRuns(of: text, round: round)
        guard round < rounds, !isEnough(found) else { return found }
        return found + behindSigns(of: text, round: round, isBare: isBare)
    }

    private func isEnough(_ found: [Range<Int>]) -> Bool { search.endsAtFirst && !found.isEmpty }

    // MARK: Base64

    /// The bytes that were decoded from the runs of a text.
    private struct Decoded {
        var bytes: [UInt8] = []
        private var runs: [Base64Run] = []
        private var parts: [(start: Int, run: Int, part: Base64Run.Part)] = []

        mutating func add(_ added: [Base64Run.Part], of run: Base64Run) {
            guard !added.isEmpty else { return }
            runs.append(run)
            for part in added {
                parts.append((bytes.count, runs.count - 1, part))
                run.add(part, to: &bytes)
                bytes.append(0x01)
            }
        }

        /// Returns the place in the text of the characters that make up a part.
        func place(of range: Range<Int>) -> Range<Int> {
            var (low, high) = (0, parts.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if parts[middle].start <= range.lowerBound { low = middle } else { high = middle }
            }
            let (start, run, part) = parts[low]
            let first = part.bytes.lowerBound + range.lowerBound - start
            return runs[run].place(of: first..<max(first + range.count, first + 1), reading: part.reading)
        }
    }

    /// Returns the words that hold a secret by their form or after decoding.
    private mutating func inRuns(of text: [UInt8], round: Int) -> [Range<Int>] {
        let roles = ByteRoles.runs
        var found: [Range<Int>] = []
        var decoded = Decoded()
        var packed = 0
        var floor = 0
        var probe = Self.shortestWord - 1
        // A run of at least twelve covers one of the positions checked.
        while probe < text.count, !isEnough(found) {
            guard roles[Int(text[probe])] != 0 else {
                probe &+= Self.shortestWord
                continue
            }
            var start = probe
            var kinds: UInt8 = 0
            while start > floor, roles[Int(text[start - 1])] != 0 {
                start &-= 1
                kinds |= roles[Int(text[start])]
            }
            var end = probe
            while end < text.count {
                let role = roles[Int(text[end])]
                guard role != 0 else { break }
                kinds |= role
                end &+= 1
            }
            floor = end
            probe = end + Self.shortestWord - 1
            guard end - start >= Self.shortestWord else { continue }
            if holdsInLines(text, start..<end, kinds) {
                found.append(start..<end)
            } else if end - start >= Self.shortestRun, round < rounds {
                let run = Base64Run(text, start..<end)
                guard run.count >= Self.shortestRun else { continue }
                if holds(run, text, &packed, round: round) {
                    found.append(start..<end)
                    continue
                }
                decoded.add(search.isASCII ? run.stretches(atLeast: Self.shortest) : run.readings, of: run)
                guard decoded.bytes.count >= Self.mostDerived else { continue }
                found += places(in: decoded.bytes, round: round + 1).map(decoded.place)
                decoded = Decoded()
            }
        }
        if !isEnough(found) { found += places(in: decoded.bytes, round: round + 1).map(decoded.place) }
        return Self.words(found, in: text)
    }

    private func holdsInLines(_ text: [UInt8], _ run: Range<Int>, _ kinds: UInt8) -> Bool {
        guard kinds & ByteRoles.Run.lineEnd != 0 else { return search.holdsInLine(text, run, kinds) }
        return text[run].split { $0 == 0x0A || $0 == 0x0D }
            .contains { search.holdsInLine(text, $0.startIndex..<$0.endIndex, kinds) }
    }

    /// Tells whether a run as a whole is coded text with the form of a secret, or has compressed data with one.
    private mutating func holds(_ run: Base64Run, _ text: [UInt8], _ packed: inout Int, round: Int) -> Bool {
        if let holdsInText = search.holdsInText {
            let whole = run.bytes(fromBit: 0)
            if Self.isText(whole), holdsInText(whole) { return true }
        }
        guard round + 2 <= rounds else { return false }
        // The first byte of zlib is 78 where the first character is this one.
        for start in 0..<4
        where run.sextet(start) == 0o36 && PackedData.isZlib(run.bytes(fromBit: start * 6, atMost: 2), at: 0) {
            if unpack(run, fromBit: start * 6, isGzip: false, round: round).isFound { return true }
        }
        var floor = 0
        for bit in run.gzips where bit >= floor {
            packed += 1
            guard packed <= Self.mostPacked else {
                isUnreadable = true
                return false
            }
            let unpacked = unpack(run, fromBit: bit, isGzip: true, round: round)
            if unpacked.isFound { return true }
            floor = bit + max(unpacked.consumed * 8, 1)
        }
        return false
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) || $0 == 0x7F }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    /// Returns places extended to whole words, with the padding behind them; none is inside another.
    private static func words(_ places: [Range<Int>], in text: [UInt8]) -> [Range<Int>] {
        func isWord(_ byte: UInt8) -> Bool { ByteRoles.sextets[Int(byte)] < ByteRoles.lineEnd && byte != 0x2F }
        var words: [Range<Int>] = []
        for place in places.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let floor = words.last?.upperBound ?? 0
            guard place.upperBound > floor else { continue }
            var (start, end) = (max(place.lowerBound, floor), place.upperBound)
            while start > floor, isWord(text[start - 1]) { start -= 1 }
            while end < text.count, isWord(text[end]) { end += 1 }
            for _ in 0..<2 where end < text.count && text[end] == 0x3D { end += 1 }
            if let last = words.last, place.lowerBound < floor {
                words[words.count - 1] = last.lowerBound..<end
            } else {
                words.append(start..<end)
            }
        }
        return words
    }

    // MARK: Compressed data

    private mutating func unpack(
        _ run: Base64Run,
        fromBit bit: Int,
        isGzip: Bool,
        round: Int
    ) -> (isFound: Bool, consumed: Int) {
        unpack((run.count * 6 - bit) / 8, isGzip: isGzip, round: round + 1) { range in
            run.bytes(fromBit: bit + range.lowerBound * 8, atMost: range.count)
        }
    }

    /// Tells whether compressed data holds a secret, and how long the data is if it is complete.
    private mutating func unpack(
        _ count: Int,
        isGzip: Bool,
        round: Int,
        _ piece: (Range<Int>) -> [UInt8]
    ) -> (isFound: Bool, consumed: Int) {
        guard budget > 0 else {
            isUnreadable = true
            return (false, 0)
        }
        let limit = min(Self.unpackedLimit, max(budget, Self.leastUnpacked))
        let unpacked = PackedData(count, isGzip: isGzip, limit: limit, piece)
        if unpacked.isTooLarge { isUnreadable = true }
        return (!places(in: unpacked.bytes, round: round + 1).isEmpty, unpacked.consumed)
    }

    // MARK: Behind signs

    /// The escapes that are decoded together, each group by itself.
    private static let groups: (UInt16, UInt16, UInt16) = (
        ByteRoles.Sign.percent | ByteRoles.Sign.backslash | ByteRoles.Sign.ampersand, ByteRoles.Sign.equals,
        ByteRoles.Sign.lookAlike
    )
    private static let bareGroups: (UInt16, UInt16, UInt16) = (ByteRoles.Sign.backslash, ByteRoles.Sign.equals, 0)

    /// Returns the places of secrets in compressed data, behind escapes, and in UTF-16 and UTF-32.
    private mutating func behindSigns(of text: [UInt8], round: Int, isBare: Bool) -> [Range<Int>] {
        var derived = DerivedText()
        var found = derive(text, into: &derived, round: round, isBare: isBare)
        guard !isEnough(found), !derived.bytes.isEmpty else { return found }
        let inner = places(in: derived.bytes, round: round + 1)
        guard !inner.isEmpty else { return found }
        // Where each byte came from is of interest now only.
        var placed = DerivedText(keepsPlaces: true)
        _ = derive(text, into: &placed, round: nil, isBare: isBare)
        found += inner.map { placed.place(of: $0, in: text) }
        return found
    }

    /// Adds everything that is decoded from a text; searches compressed data unless `round` is nil.
    private mutating func derive(
        _ text: [UInt8],
        into derived: inout DerivedText,
        round: Int?,
        isBare: Bool
    ) -> [Range<Int>] {
        typealias Sign = ByteRoles.Sign
        let roles = ByteRoles.signs
        let groups = isBare ? Self.bareGroups : Self.groups
        let stops = search.hasBlanks ? Sign.separator : Sign.blank
        let marks = groups.0 | groups.1 | groups.2 | Sign.zero | Sign.packed
        // The ends of the last pieces of each group, of the last text in UTF-16, and of the last compressed data.
        var floors = SIMD4<Int>.zero
        var (endOfNarrow, endOfPacked) = (0, 0)
        var (gzips, zlibs) = (0, 0)
        var found: [Range<Int>] = []
        var place = 0
        while place < text.count {
            let role = roles[Int(text[place])] & marks
            guard role != 0 else {
                place &+= 1
                continue
            }
            if role & Sign.packed != 0 {
                if let round, place >= endOfPacked, place + 8 < text.count {
                    let isGzip = PackedData.isGzip(text, at: place)
                    if isGzip || PackedData.isZlib(text, at: place) {
                        if isGzip { gzips += 1 } else { zlibs += 1 }
                        if gzips > Self.mostPacked || zlibs > Self.mostLikePacked {
                            isUnreadable = true
                            endOfPacked = .max
                        } else {
                            let start = place
                            let unpacked = unpack(text.count - start, isGzip: isGzip, round: round) { range in
                                Array(text[(start + range.lowerBound)..<(start + range.upperBound)])
                            }
                            endOfPacked = place + unpacked.consumed
                            if unpacked.isFound {
                                found.append(place..<(unpacked.consumed > 0 ? endOfPacked : text.count))
                            }
                            if isEnough(found) { return found }
                        }
                    }
                }
            } else if role & Sign.zero != 0 {
                if place >= endOfNarrow, let end = derived.addNarrow(of: text, at: place) { endOfNarrow = end }
            } else {
                let group = role & groups.0 != 0 ? 0 : role & groups.1 != 0 ? 1 : 2
                if place >= floors[group], Escape.meaning(in: text, at: place) != nil {
                    floors[group] = derived.addPiece(
                        of: text,
                        at: place,
                        after: floors[group],
                        signs: group == 0 ? groups.0 : group == 1 ? groups.1 : groups.2,
                        stops: stops
                    )
                }
            }
            place &+= 1
        }
        return found
    }
}
