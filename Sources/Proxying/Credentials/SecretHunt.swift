import Backend
import Recording

/// Searches bytes for the emulator's own secrets, in any encoding (control contract, section 13).
///
/// Each round searches a text and decodes the encoded parts of it: Base64 from every offset, escapes, quoted-printable,
/// UTF-16 and compressed data. The next round searches the decoded text.
struct SecretHunt {
    /// Rounds of decoding.
    private static let rounds = 4
    /// The shortest run of Base64 that can hold a secret.
    private static let shortestRun = 14
    /// The shortest run of letters and digits that can be one.
    private static let shortestWord = 12
    /// The number of decoded bytes that are searched at once.
    private static let mostDerived = 1_024 * 1_024
    /// The number of bytes that are searched in all, decoded ones included, before a text counts as unreadable.
    static let usualBudget = 384 * 1_024 * 1_024
    /// The number of bytes that one compressed content may expand to.
    static let unpackedLimit = 64 * 1_024 * 1_024
    /// Compressed contents that are unpacked in one text.
    private static let mostPacked = 256
    /// Positions that look like the beginning of zlib data, of which a mebibyte of noise has 64.
    private static let mostLikePacked = 16_384

    private let issued: IssuedSecrets
    private let filter: IssuedSecrets.Filter
    let forms: CredentialForms
    private let tables = ByteTables.shared
    private let escapes = Escapes(ByteTables.shared)
    private var budget: Int
    /// A part could not be searched because it expands to more than the limit.
    private(set) var isUnreadable = false

    init(_ issued: IssuedSecrets, _ filter: IssuedSecrets.Filter, _ forms: CredentialForms, budget: Int = usualBudget) {
        self.issued = issued
        self.filter = filter
        self.forms = forms
        self.budget = budget
    }

    /// Tells whether the bytes hold a secret.
    mutating func finds(in bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { look($0, round: 0) }
    }

    private mutating func look(_ text: [UInt8], round: Int) -> Bool {
        text.withUnsafeBufferPointer { look($0, round: round) }
    }

    private mutating func look(_ text: UnsafeBufferPointer<UInt8>, round: Int) -> Bool {
        guard let base = text.baseAddress, !text.isEmpty, round <= Self.rounds else { return false }
        let count = text.count
        budget -= count
        guard budget > 0 else {
            isUnreadable = true
            return false
        }
        if holdsWhole(base, count) { return true }
        guard count >= SecretHash.shortest else { return false }
        if holdsKnown(base, count) || holdsInRuns(base, count, round: round) { return true }
        guard round < Self.rounds else { return false }
        let derived = DerivedText(room: 0)
        if holdsPacked(base, count, round: round) { return true }
        escapes.undo(base, count, into: derived)
        UTF16Text.narrow(base, count, into: derived)
        return derived.count > 0 && look(derived.text, round: round + 1)
    }

    // MARK: As it stands

    /// Tells whether the text holds a known secret.
    ///
    /// Every fourth position is enough, since each secret has four windows.
    private func holdsKnown(_ base: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let raw = UnsafeRawPointer(base)
        for level in filter.levels {
            let shift = level.shift
            let isFound = level.words.withUnsafeBufferPointer { words -> Bool in
                guard let table = words.baseAddress else { return false }
                var place = 0
                while place + 8 <= count {
                    let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    let hash = SecretHash.window(UInt64(littleEndian: word))
                    let bits = SecretHash.bits(hash)
                    if table[Int(hash &>> shift)] & bits == bits, isKnown(base, count, around: place, table, shift) {
                        return true
                    }
                    place &+= 4
                }
                while place + SecretHash.window <= count {
                    let hash = SecretHash.window(Self.word(base, place, count))
                    let bits = SecretHash.bits(hash)
                    if table[Int(hash &>> shift)] & bits == bits, isKnown(base, count, around: place, table, shift) {
                        return true
                    }
                    place &+= 4
                }
                return false
            }
            if isFound { return true }
        }
        return false
    }

    /// The bytes from a position on as a word, padded with zeros after the end.
    private static func word(_ base: UnsafePointer<UInt8>, _ place: Int, _ count: Int) -> UInt64 {
        if place + 8 <= count {
            return UInt64(littleEndian: UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self))
        }
        var word: UInt64 = 0
        for offset in 0..<max(count - place, 0) { word |= UInt64(base[place + offset]) << UInt64(8 * offset) }
        return word
    }

    private func isKnown(
        _ base: UnsafePointer<UInt8>,
        _ count: Int,
        around place: Int,
        _ table: UnsafePointer<UInt64>,
        _ shift: UInt32
    ) -> Bool {
        var start = place &+ 1
        let last = max(place - 3, 0)
        while start > last {
            start &-= 1
            guard start + SecretHash.shortest <= count else { continue }
            let key = SecretHash.start(Self.word(base, start, count), Self.word(base, start + 8, count))
            let hash = UInt32(truncatingIfNeeded: key &>> 16)
            let bits = SecretHash.bits(hash)
            guard table[Int(hash &>> shift)] & bits == bits else { continue }
            let found = issued.first(key) { value in
                let length = Int(value & 0xFFFF)
                return start + length <= count && Self.value(base + start, length) == value
            }
            guard found != nil else { continue }
            // The register knows how stand-ins begin; the rest of the text decides.
            let isOther =
                CredentialForms.beginsLikeStandIn(base + start)
                && !CredentialForms.isStandIn(base + start, count - start)
            if !isOther, !forms.collects { return true }
        }
        return false
    }

    /// The print of a text.
    static func value(_ base: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        var print = SecretHash.Print()
        var place = 0
        while place < length {
            print.add(word(base, place, length))
            place += 8
        }
        return print.value(length: length)
    }

    /// Tells whether a secret too short to be searched for inside a text is one of its values as a whole.
    private func holdsWhole(_ base: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard !filter.short.isEmpty, !forms.collects else { return false }
        for secret in filter.short where secret.count <= count {
            for start in 0...(count - secret.count)
            where base[start] == secret[0] && (0..<secret.count).allSatisfy({ base[start + $0] == secret[$0] }) {
                if Self.isValue(base, count, start, start + secret.count) { return true }
            }
        }
        return false
    }

    /// Tells whether a piece of a text is a whole value, by the characters before and after it.
    private static func isValue(_ base: UnsafePointer<UInt8>, _ count: Int, _ start: Int, _ end: Int) -> Bool {
        let after: UInt8 = end < count ? base[end] : 0x01
        var before: UInt8 = start > 0 ? base[start - 1] : 0x01
        if before == 0x20 {
            // In a list behind a semicolon, or in a field behind the scheme word of a credential.
            var place = start - 1
            while place > 0, base[place - 1] == 0x20 { place -= 1 }
            if place > 0, base[place - 1] != 0x3B {
                while place > 0, base[place - 1] | 0x20 >= 0x61, base[place - 1] | 0x20 <= 0x7A { place -= 1 }
            }
            before = place > 0 ? base[place - 1] : 0x01
            guard before == 0x01 || before == 0x3B else { return false }
        }
        if before == 0x22 || after == 0x22 || before == 0x27 || after == 0x27 { return before == after }
        let begins: [UInt8] = [0x01, 0x0A, 0x3D, 0x2F, 0x3F, 0x26, 0x3B]
        let ends: [UInt8] = [0x01, 0x0A, 0x0D, 0x26, 0x3B, 0x2F, 0x3F, 0x23]
        return begins.contains(before) && ends.contains(after)
    }

    // MARK: Base64

    /// The text decoded from the runs of one text.
    private final class Runs {
        let texts = DerivedText(room: 1_024)
        private let length: Int
        private(set) lazy var bits = Base64Bits(for: length)
        /// The number of compressed contents that began in the runs.
        var packed = 0

        init(of length: Int) { self.length = length }
    }

    /// Searches the runs of letters, digits and the signs of Base64, for the forms of credentials and decoded.
    private mutating func holdsInRuns(_ base: UnsafePointer<UInt8>, _ count: Int, round: Int) -> Bool {
        let kinds = tables.kinds
        let runs = Runs(of: count)
        var floor = 0
        var probe = Self.shortestWord - 1
        // A run of at least twelve covers one of the positions checked.
        while probe < count {
            guard kinds[Int(base[probe])] != 0 else {
                probe += Self.shortestWord
                continue
            }
            var start = probe
            var seen: UInt8 = 0
            while start > floor, kinds[Int(base[start - 1])] != 0 {
                start -= 1
                seen |= kinds[Int(base[start])]
            }
            let end = endOfRun(base, probe, count, &seen)
            if end - start >= Self.shortestWord, holds(inRun: base + start, end - start, seen, runs, round) {
                return true
            }
            floor = end
            probe = end + Self.shortestWord - 1
        }
        return look(runs.texts.text, round: round + 1)
    }

    /// Returns the end of a run, and adds the roles of its bytes to `seen`.
    private func endOfRun(
        _ base: UnsafePointer<UInt8>,
        _ start: Int,
        _ count: Int,
        _ seen: inout UInt8
    ) -> Int {
        let kinds = tables.kinds
        var end = start
        while end &+ 8 <= count {
            let first = base + end
            let (a, b) = (kinds[Int(first[0])], kinds[Int(first[1])])
            let (c, d) = (kinds[Int(first[2])], kinds[Int(first[3])])
            let (e, f) = (kinds[Int(first[4])], kinds[Int(first[5])])
            let (g, h) = (kinds[Int(first[6])], kinds[Int(first[7])])
            guard a & b & c & d & e & f & g & h != 0 else { break }
            seen |= a | b | c | d | e | f | g | h
            end &+= 8
        }
        while end < count, kinds[Int(base[end])] != 0 {
            seen |= kinds[Int(base[end])]
            end += 1
        }
        return end
    }

    private mutating func holds(
        inRun run: UnsafePointer<UInt8>,
        _ length: Int,
        _ kinds: UInt8,
        _ runs: Runs,
        _ round: Int
    ) -> Bool {
        if forms.holdsShort(run, length, kinds) { return true }
        guard length >= Self.shortestRun else { return false }
        guard kinds & ByteTables.Kind.lineEnd != 0 else {
            return forms.holds(run, length, issued, kinds) || take(run, length, runs, round)
        }
        // The forms lie on one line, and encoded text may continue over several.
        let joined = DerivedText(room: length)
        var start = 0
        for place in 0...length
        where place == length || tables.kinds[Int(run[place])] & ByteTables.Kind.lineEnd != 0 {
            let line = place - start
            if line >= Self.shortestRun, forms.holds(run + start, line, issued, kinds) { return true }
            joined.append(atMost: line) { text in
                text.update(from: run + start, count: line)
                return line
            }
            start = place + 1
        }
        guard let first = joined.text.baseAddress, joined.count >= Self.shortestRun else { return false }
        return take(first, joined.count, runs, round)
    }

    /// Decodes a run, or a long one piece by piece.
    private mutating func take(
        _ run: UnsafePointer<UInt8>,
        _ length: Int,
        _ runs: Runs,
        _ round: Int
    ) -> Bool {
        guard round < Self.rounds else { return false }
        let bits = runs.bits
        if holdsZlib(run, length, round: round) { return true }
        var start = 0
        while true {
            let piece = min(length - start, Base64Bits.piece)
            var marks: [Int] = []
            bits.decode(run + start, piece) { place in
                marks += Base64Bits.gzips(in: run, length, near: start + place)
            }
            if holdsGzip(run, length, marks, runs, round: round) { return true }
            // A secret that only counts as a whole value may be shorter, and one that is not ASCII is no text here.
            if filter.isASCII, filter.short.isEmpty {
                bits.addTexts(piece, atLeast: SecretHash.shortest, into: runs.texts)
            } else {
                bits.addAll(piece, into: runs.texts)
            }
            if runs.texts.count >= Self.mostDerived {
                if look(runs.texts.text, round: round + 1) { return true }
                runs.texts.removeAll()
            }
            guard start + piece < length else { return false }
            start += piece - Base64Bits.overlap
        }
    }

    /// Searches a run that is zlib data in Base64.
    private mutating func holdsZlib(_ run: UnsafePointer<UInt8>, _ length: Int, round: Int) -> Bool {
        guard round + 2 <= Self.rounds else { return false }
        // The first byte is 78 where the first character is this one.
        for start in 0..<4 where run[start] == UInt8(ascii: "e") {
            let head = Base64Bits.bytes(of: run, length, fromBit: start * 6, atMost: 2)
            guard head.count == 2, Self.isZlib(head[0], head[1]) else { continue }
            let unpacked = unpack(isGzip: false, round: round + 1, (length - start) * 6 / 8) { range in
                Base64Bits.bytes(of: run, length, fromBit: start * 6 + range.lowerBound * 8, atMost: range.count)
            }
            if unpacked.isFound { return true }
        }
        return false
    }

    /// Searches the gzip data that begins at any of these bits of a run.
    private mutating func holdsGzip(
        _ run: UnsafePointer<UInt8>,
        _ length: Int,
        _ marks: [Int],
        _ runs: Runs,
        round: Int
    ) -> Bool {
        guard round + 2 <= Self.rounds else { return false }
        var floor = 0
        for bit in marks where bit >= floor {
            runs.packed += 1
            guard runs.packed <= Self.mostPacked else {
                isUnreadable = true
                return false
            }
            let unpacked = unpack(isGzip: true, round: round + 1, (length * 6 - bit) / 8) { range in
                Base64Bits.bytes(of: run, length, fromBit: bit + range.lowerBound * 8, atMost: range.count)
            }
            if unpacked.isFound { return true }
            floor = bit + max(unpacked.consumed * 8, 1)
        }
        return false
    }

    // MARK: Compressed data

    /// Searches gzip or zlib data at any position.
    private mutating func holdsPacked(_ base: UnsafePointer<UInt8>, _ count: Int, round: Int) -> Bool {
        let raw = UnsafeRawPointer(base)
        let ones: UInt64 = 0x0101_0101_0101_0101
        var (gzips, zlibs) = (0, 0)
        var floor = 0
        var place = 0
        while place + 8 < count {
            // A zero byte marks a byte that was 1F, or 78.
            let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let (one, other) = (word ^ (0x1F * ones), word ^ (0x78 * ones))
            guard ((one &- ones) & ~one | (other &- ones) & ~other) & (0x80 * ones) != 0 else {
                place += 8
                continue
            }
            for start in max(place, floor)..<max(min(place + 8, count - 8), floor) where start >= floor {
                let isGzip = base[start] == 0x1F && base[start + 1] == 0x8B && base[start + 2] == 0x08
                guard isGzip || Self.isZlib(base[start], base[start + 1]) else { continue }
                if isGzip { gzips += 1 } else { zlibs += 1 }
                guard gzips <= Self.mostPacked, zlibs <= Self.mostLikePacked else {
                    isUnreadable = true
                    return false
                }
                let unpacked = unpack(isGzip: isGzip, round: round, base + start, count - start)
                if unpacked.isFound { return true }
                floor = max(floor, start + unpacked.consumed)
            }
            place += 8
        }
        return false
    }

    /// Recognises the header of zlib, without a dictionary.
    private static func isZlib(_ first: UInt8, _ second: UInt8) -> Bool {
        first == 0x78 && (Int(first) << 8 | Int(second)) % 31 == 0 && second & 0x20 == 0
    }

    /// Tells whether compressed data holds a secret, and how long the data is if it is complete.
    private mutating func unpack(
        isGzip: Bool,
        round: Int,
        _ base: UnsafePointer<UInt8>,
        _ count: Int
    ) -> (isFound: Bool, consumed: Int) {
        unpack(isGzip: isGzip, round: round, count) { range in
            Array(UnsafeBufferPointer(start: base + range.lowerBound, count: range.count))
        }
    }

    private mutating func unpack(
        isGzip: Bool,
        round: Int,
        _ count: Int,
        _ piece: (Range<Int>) -> [UInt8]
    ) -> (isFound: Bool, consumed: Int) {
        let limit = min(Self.unpackedLimit, max(budget, 1))
        let unpacked = ContentCoding.unpacked(count, isGzip: isGzip, limit: limit, piece)
        if unpacked.isTooLarge { isUnreadable = true }
        return (!unpacked.bytes.isEmpty && look(unpacked.bytes, round: round + 1), unpacked.consumed)
    }
}
