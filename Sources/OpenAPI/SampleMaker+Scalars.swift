import Basics
import CivilTime
import Formats
import JSON
import RegularExpressions

/// Texts and numbers of samples.
extension SampleMaker {
    /// Texts that are tried without one that fits.
    private static let mostTries = 12

    mutating func texts(_ conjunction: Conjunction, _ schemas: [Int], _ found: inout FoundValues) {
        let least = conjunction.largest(\.minLength) ?? 0
        let most = conjunction.smallest(\.maxLength) ?? .max
        guard least <= most, least <= SampleText.longest else { return }
        let formats = conjunction.rules.compactMap(\.format)
        let patterns = conjunction.rules.compactMap(\.pattern)
        var tries = 0
        // Of many texts some come again.
        let mostTries = found.wantsSeveral ? 4 * Self.mostTries : Self.mostTries
        while tries < mostTries, !isSpent, bytes < Self.mostBytes {
            tries += 1
            let candidates = candidates(least...most, formats, patterns, found, &tries)
            for candidate in candidates where fits(.string(candidate), schemas) {
                guard found.take(.string(candidate)) else { continue }
                (bytes, tries) = (bytes + candidate.utf8.count, 0)
                break
            }
            if found.isFull { return }
        }
    }

    /// Texts that may fit, the likeliest first.
    private mutating func candidates(
        _ lengths: ClosedRange<Int>,
        _ formats: [KnownFormat],
        _ patterns: [SchemaPattern],
        _ found: FoundValues,
        _ tries: inout Int
    ) -> [String] {
        work += 1 + lengths.lowerBound / 16
        var formed: String?
        let place = found.values.count
        for format in formats where formed == nil { formed = SampleText.text(format, lengths, start, &stream, place) }
        var candidates = formed.map { [$0] } ?? []
        for pattern in patterns {
            guard !isSpent, let made = pattern.expression.sample(lengths: lengths, work: &work, using: &stream) else {
                // Many tries were made in there.
                tries += Self.mostTries / 3
                continue
            }
            work += pattern.warming(for: made)
            candidates.append(made)
            if found.wantsSeveral { candidates += longer(made, lengths, place) }
            // A pattern for one end of a text leaves the rest to the format.
            guard let formed else { continue }
            candidates += [
                made + formed.unicodeScalars.dropFirst(made.unicodeScalars.count).text, made + formed,
                formed.unicodeScalars.dropLast(made.unicodeScalars.count).text + made, formed + made,
                SampleText.word(&stream) + made, made + SampleText.word(&stream),
            ]
        }
        if let words = SampleText.words(lengths, &stream, place) { candidates.append(words) }
        return candidates
    }

    /// A text with others around it: where its pattern leaves an end open, there are as many as are wanted.
    ///
    /// `place` is the number of texts that they have to differ from.
    mutating func longer(_ text: String, _ lengths: ClosedRange<Int>, _ place: Int) -> [String] {
        let room = lengths.upperBound - text.unicodeScalars.count
        guard room > 0, let more = SampleText.words(1...room, &stream, place + 1) else { return [] }
        // A word may have to stand by itself.
        let apart = String(more.prefix(room - 1))
        return [text + more, more + text] + (apart.isEmpty ? [] : [text + " " + apart, apart + " " + text])
    }

    mutating func numbers(
        _ conjunction: Conjunction,
        _ schemas: [Int],
        isWhole: Bool,
        _ found: inout FoundValues
    ) {
        let rules = conjunction.rules
        // A schema of 3.1 may have both bounds of one side; the narrower counts.
        var low = rules.flatMap { [$0.minimum, $0.exclusiveMinimum] }.compactMap(\.self).max()
        var high = rules.flatMap { [$0.maximum, $0.exclusiveMaximum] }.compactMap(\.self).min()
        // What a type can hold says nothing of the values that occur.
        if let bound = low, bound <= (high ?? 0 < 0 ? -Self.mostExact : Self.lowest) { low = nil }
        if let bound = high, bound >= (low ?? 0 > Self.highest ? Self.mostExact : Self.highest) { high = nil }
        let step = rules.compactMap(\.multipleOf).max() ?? (isWhole ? 1 : nil)
        let name = names.last.map { MemberName($0) }
        // What is counted is not negative, unless it has to be.
        if let bound = low, bound < 0, high ?? 0 >= 0, name?.isCount == true { low = 0 }
        if isWhole, let name, name.isTime {
            for candidate in times(name, schemas, found.missing) {
                guard !isSpent else { return }
                if fits(candidate, schemas), found.take(candidate), found.isFull { return }
            }
        }
        for candidate in step.map({ multiples(of: $0, low, high, found.missing) })
            ?? fractions(low, high, found.missing)
        {
            guard !isSpent else { return }
            if fits(candidate, schemas), found.take(candidate), found.isFull { return }
        }
    }

    /// Whole numbers that are times, within 30 days before the start, in the unit that the name or the words tell.
    private mutating func times(_ name: MemberName, _ schemas: [Int], _ count: Int) -> [JSON] {
        var unit = name.timeUnit
        if unit == nil {
            let words = schemas.compactMap { store.place(of: $0).value["description"]?.stringValue?.lowercased() }
            if words.contains(where: { $0.contains("millisecond") }) { unit = .milliseconds }
        }
        return (0..<min(count, Self.mostTries)).flatMap { _ -> [JSON] in
            let seconds = SampleText.moment(start, &stream).seconds
            let (whole, thousandths): (JSON, JSON) = (.integer(seconds), .integer(seconds * 1_000))
            switch unit {
            case .milliseconds: return [thousandths, whole]
            case .microseconds: return [.integer(seconds * 1_000_000), whole]
            case .seconds, nil: return [whole, thousandths]
            }
        }
    }

    /// The bounds of 32 bits, from which on a bound is that of a type.
    private static let lowest: Decimal = -0x8000_0000
    private static let highest: Decimal = 0x7FFF_FFFF

    /// The whole numbers that every client can read exactly.
    private static let mostExact: Decimal = 0x1F_FFFF_FFFF_FFFF

    /// Multiples of a step between two bounds, at random, then near the bounds.
    private mutating func multiples(of step: Decimal, _ low: Decimal?, _ high: Decimal?, _ count: Int) -> [JSON] {
        // Without bounds a number is small, and not negative.
        let span = Decimal(.integer(1_000))?.quotient(by: step, isRoundedUp: false) ?? 0
        let bottom = low.map { $0.quotient(by: step, isRoundedUp: true) }
        let top = high.map { $0.quotient(by: step, isRoundedUp: false) }
        let bounds = [low, high].compactMap { $0?.json }
        // A bound with too many digits is the only number that is known to be near it.
        if case .some(nil) = bottom { return bounds }
        if case .some(nil) = top { return bounds }
        func sum(_ left: Int128, _ right: Int128) -> Int128 {
            let (sum, overflow) = left.addingReportingOverflow(right)
            return overflow ? (right < 0 ? .min : .max) : sum
        }
        let upper = top.flatMap(\.self)
        var first = bottom.flatMap(\.self) ?? upper.map { $0 < 0 ? sum($0, -span) : 0 } ?? 0
        var last = max(first, upper ?? sum(first, span))
        if let exact = Self.mostExact.quotient(by: step, isRoundedUp: false) {
            last = first > exact ? first : min(last, exact)
            first = last < -exact ? last : max(first, -exact)
        }
        let (width, isWide) = last.subtractingReportingOverflow(first)
        let widest = isWide ? Int.max : Int(clamping: width)
        var factors = (0..<8).map { _ in sum(first, Int128(stream.within(0...widest))) }
        let near = 40 + min(count, Self.mostSize)
        // A bound may be left out itself.
        factors += ((bottom == nil ? 0 : -2)...near).map { sum(first, Int128($0)) } + [last, sum(last, -1), 0]
        return factors.compactMap { step.times($0)?.json } + bounds
    }

    /// Numbers between two bounds, at random, then near the bounds.
    private mutating func fractions(_ low: Decimal?, _ high: Decimal?, _ count: Int) -> [JSON] {
        let (low, high) = (low?.double, high?.double)
        let from = low ?? high.map { $0 < 0 ? $0 - 1_000 : 0 } ?? 0
        let to = max(from, high ?? from + 1_000)
        // Two bounds far from each other have a distance that no number has.
        let width = min(to - from, .greatestFiniteMagnitude)
        var found: [JSON] = []
        for round in 0..<(5 + min(count, Self.mostSize) * 2) {
            var scale = 1.0
            for _ in 0..<[2, 2, 4, 8, 12][round % 5] { scale *= 10 }
            let fraction = Double(stream.below(1_000_000)) / 1_000_000
            let value = from + width * fraction
            found.append(.double((value * scale).rounded() / scale))
            found.append(.double(value))
        }
        // What is out of range has become null.
        return (found + [.double((from + to) / 2), .double(from), .double(to), .integer(0)]).filter { !$0.isNull }
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var text: String { String(Substring(self)) }
}
