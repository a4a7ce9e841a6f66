import Emulation
import Recording

/// Looks for secrets of ours in bytes, in whatever coding they stand (control contract, section 13).
///
/// Each round looks through a text and decodes what is coded in it: Base64 from every place, escapes, quoted-printable,
/// UTF-16 and compressed data. What came out is looked through in the next round.
struct SecretHunt {
    /// Rounds of decoding.
    private static let rounds = 4
    /// The shortest run of Base64 that can hold a secret.
    private static let shortestRun = 14
    /// Bytes that are looked through in all, decoded ones included, before a text counts as unreadable.
    static let usualBudget = 384 * 1_024 * 1_024
    /// Bytes that one compressed content may become.
    static let unpackedLimit = 64 * 1_024 * 1_024
    /// Compressed contents that are unpacked in one text.
    private static let mostPacked = 256

    private let issued: IssuedSecrets
    private let filter: IssuedSecrets.Filter
    let forms: CredentialForms
    private var budget: Int
    /// A part could not be looked through: it unpacks to more than there is room for.
    private(set) var isUnreadable = false

    init(_ issued: IssuedSecrets, _ filter: IssuedSecrets.Filter, _ forms: CredentialForms, budget: Int = usualBudget) {
        self.issued = issued
        self.filter = filter
        self.forms = forms
        self.budget = budget
    }

    /// Whether a secret stands in the bytes.
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
        if holdsKnown(base, count) || forms.holdsShort(base, count) { return true }
        if holdsInRuns(base, count, round: round) { return true }
        guard round < Self.rounds else { return false }
        var derived: [UInt8] = []
        if holdsInSigns(base, count, round: round, into: &derived) { return true }
        Self.narrow(base, count, into: &derived)
        if !derived.isEmpty, look(derived, round: round + 1) { return true }
        return holdsInPacked(base, count, at: 0, round: round)
    }

    // MARK: As it stands

    /// Whether a secret that was noted stands in the text: every fourth place is enough, since each has four windows.
    private func holdsKnown(_ base: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let raw = UnsafeRawPointer(base)
        for level in filter.levels {
            let shift = level.shift
            let isFound = level.bits.withUnsafeBufferPointer { bits -> Bool in
                guard let table = bits.baseAddress else { return false }
                var place = 0
                while place + 8 <= count {
                    let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    let bit = Int(SecretHash.window(UInt64(littleEndian: word)) &>> shift)
                    if table[bit &>> 6] & (1 &<< UInt64(bit & 63)) != 0,
                        isKnown(base, count, around: place, table, shift)
                    {
                        return true
                    }
                    place &+= 4
                }
                while place + SecretHash.window <= count {
                    let bit = Int(SecretHash.window(Self.word(base, place, count)) &>> shift)
                    if table[bit &>> 6] & (1 &<< UInt64(bit & 63)) != 0,
                        isKnown(base, count, around: place, table, shift)
                    {
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

    /// The bytes from a place on as a word, zeros behind the end.
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
            let bit = Int(UInt32(truncatingIfNeeded: key &>> 16) &>> shift)
            guard table[bit &>> 6] & (1 &<< UInt64(bit & 63)) != 0 else { continue }
            let found = issued.first(key) { value in
                let length = Int(value & 0xFFFF)
                return start + length <= count && Self.value(base + start, length) == value
            }
            guard found != nil else { continue }
            // How stand-ins begin is noted, and what follows decides.
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

    /// Whether a secret too short to be looked for inside a text is one of its values as a whole.
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

    /// Whether a piece of a text stands between what begins and what ends a value.
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

    /// Looks at the runs of letters, digits and the signs of Base64: for the forms of our credentials, and decoded.
    private mutating func holdsInRuns(_ base: UnsafePointer<UInt8>, _ count: Int, round: Int) -> Bool {
        let sextets = ByteTables.shared.sextets
        var lanes: Base64Lanes?
        var floor = 0
        var probe = Self.shortestRun - 1
        // A run of fourteen has a character at every fourteenth place.
        while probe < count {
            guard sextets[Int(base[probe])] != ByteTables.other else {
                probe += Self.shortestRun
                continue
            }
            var start = probe
            while start > floor, sextets[Int(base[start - 1])] != ByteTables.other { start -= 1 }
            var end = probe + 1
            while end < count, sextets[Int(base[end])] != ByteTables.other { end += 1 }
            if end - start >= Self.shortestRun {
                var joined: [UInt8]?
                for place in start..<end where sextets[Int(base[place])] == ByteTables.lineEnd {
                    joined = UnsafeBufferPointer(start: base + start, count: end - start).filter {
                        sextets[Int($0)] != ByteTables.lineEnd
                    }
                    break
                }
                if let joined {
                    // The forms are those of a line, and what is coded may go on over several.
                    let isFound = joined.withUnsafeBufferPointer { text -> Bool in
                        guard let first = text.baseAddress, text.count >= Self.shortestRun else { return false }
                        return holdsInLines(base, start, end) || take(first, text.count, &lanes, count, round: round)
                    }
                    if isFound { return true }
                } else if forms.holds(base + start, end - start, issued)
                    || take(base + start, end - start, &lanes, count, round: round)
                {
                    return true
                }
            }
            floor = end
            probe = end + Self.shortestRun - 1
        }
        return flush(lanes, round: round)
    }

    private func holdsInLines(_ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        var first = start
        for place in start...end
        where place == end || ByteTables.shared.sextets[Int(base[place])] == ByteTables.lineEnd {
            if place - first >= Self.shortestRun, forms.holds(base + first, place - first, issued) { return true }
            first = place + 1
        }
        return false
    }

    /// Decodes a run, or a long one piece by piece.
    private mutating func take(
        _ run: UnsafePointer<UInt8>,
        _ length: Int,
        _ lanes: inout Base64Lanes?,
        _ count: Int,
        round: Int
    ) -> Bool {
        guard round < Self.rounds else { return false }
        if holdsPacked(run, length, round: round) { return true }
        let lane: Base64Lanes
        if let lanes {
            lane = lanes
        } else {
            lane = Base64Lanes(for: count)
            lanes = lane
        }
        if lane.fits(length) {
            lane.add(run, length)
            return false
        }
        if flush(lane, round: round) { return true }
        var start = 0
        while start < length {
            let end = min(start + Base64Lanes.piece, length)
            lane.add(run + start, end - start)
            if end < length || !lane.fits(Self.shortestRun), flush(lane, round: round) { return true }
            guard end < length else { break }
            start = end - Base64Lanes.overlap
        }
        return false
    }

    private mutating func flush(_ lanes: Base64Lanes?, round: Int) -> Bool {
        guard let lanes, lanes.characters > 0 else { return false }
        for lane in 0..<4 where look(lanes.text(lane), round: round + 1) { return true }
        lanes.removeAll()
        return false
    }

    /// Looks into a run that is compressed data in Base64, which is decoded in one piece.
    private mutating func holdsPacked(_ run: UnsafePointer<UInt8>, _ length: Int, round: Int) -> Bool {
        guard round + 2 <= Self.rounds else { return false }
        let isLong = length > Base64Lanes.piece
        let sextets = ByteTables.shared.sextets
        for start in 0..<4 {
            let group =
                UInt32(sextets[Int(run[start])]) << 18 | UInt32(sextets[Int(run[start + 1])]) << 12
                | UInt32(sextets[Int(run[start + 2])]) << 6 | UInt32(sextets[Int(run[start + 3])])
            let isGzip = group == 0x1F8B08
            let isZlib = group >> 16 == 0x78 && (group >> 8) % 31 == 0
            guard isZlib || isGzip && isLong else { continue }
            let packed = Base64Lanes.decoded(run, length, from: start)
            if unpack(packed, isGzip: isGzip, round: round + 1) { return true }
        }
        return false
    }

    // MARK: Escapes

    /// Decodes what has escapes, and unpacks what begins like gzip.
    private mutating func holdsInSigns(
        _ base: UnsafePointer<UInt8>,
        _ count: Int,
        round: Int,
        into derived: inout [UInt8]
    ) -> Bool {
        let isSign = ByteTables.shared.isSign
        var place = 0
        var floor = 0
        var packed = 0
        while place < count {
            var end = count
            if place + 8 <= count {
                let first = base + place
                let signs =
                    isSign[Int(first[0])] | isSign[Int(first[1])] | isSign[Int(first[2])] | isSign[Int(first[3])]
                    | isSign[Int(first[4])] | isSign[Int(first[5])] | isSign[Int(first[6])] | isSign[Int(first[7])]
                guard signs != 0 else {
                    place &+= 8
                    continue
                }
                end = place + 8
            }
            while place < end {
                let byte = base[place]
                defer { place += 1 }
                if byte == 0x1F {
                    guard place + 10 < count, base[place + 1] == 0x8B, base[place + 2] == 0x08 else { continue }
                    packed += 1
                    guard packed <= Self.mostPacked else {
                        isUnreadable = true
                        continue
                    }
                    let content = Array(UnsafeBufferPointer(start: base + place, count: count - place))
                    if unpack(content, isGzip: true, round: round) { return true }
                } else if place >= floor, byte == 0x25 || byte == 0x5C || byte == 0x26 || byte == 0x3D {
                    let sign =
                        byte == 0x3D ? Escapes.quoted(base, place, count) : Escapes.escape(base, place, count)
                    guard sign != nil else { continue }
                    let piece = Escapes.piece(base, place, from: floor, count)
                    Escapes.undo(base, piece, into: &derived)
                    floor = piece.upperBound
                }
            }
        }
        return false
    }

    // MARK: UTF-16

    /// Adds what is spelled in two bytes for each character, one of them zero.
    private static func narrow(_ base: UnsafePointer<UInt8>, _ count: Int, into derived: inout [UInt8]) {
        let raw = UnsafeRawPointer(base)
        var place = 0
        while place + 8 <= count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            let isLittle = word & 0xFF00_FF00_FF00_FF00 == 0
            guard word != 0, isLittle || word & 0x00FF_00FF_00FF_00FF == 0 else {
                place += 8
                continue
            }
            let zero = isLittle ? 1 : 0
            // Every second character of UTF-32 is zero as well.
            func goesOn(_ pair: Int, from other: Int) -> Bool {
                base[pair + zero] == 0 && (base[pair + 1 - zero] != 0 || base[other + 1 - zero] != 0)
            }
            var start = place
            while start >= 2, goesOn(start - 2, from: start) { start -= 2 }
            var end = place + 8
            while end + 2 <= count, goesOn(end, from: end - 2) { end += 2 }
            // Where the pairs are counted from the wrong place, the first or the last character stands outside.
            if start > 0 { derived.append(base[start - 1]) }
            var pair = start
            while pair < end {
                if base[pair + 1 - zero] != 0 { derived.append(base[pair + 1 - zero]) }
                pair += 2
            }
            if end < count { derived.append(base[end]) }
            derived.append(0x01)
            place = max(place + 8, end & ~7)
        }
    }

    // MARK: Compressed data

    /// Unpacks zlib's form where a text or a part of one begins with it.
    private mutating func holdsInPacked(
        _ base: UnsafePointer<UInt8>,
        _ count: Int,
        at start: Int,
        round: Int
    ) -> Bool {
        guard count - start > 8, base[start] == 0x78, (Int(base[start]) << 8 | Int(base[start + 1])) % 31 == 0 else {
            return false
        }
        return unpack(
            Array(UnsafeBufferPointer(start: base + start, count: count - start)),
            isGzip: false,
            round: round
        )
    }

    private mutating func unpack(_ content: [UInt8], isGzip: Bool, round: Int) -> Bool {
        let unpacked = ContentCoding.unpacked(content, isGzip: isGzip, limit: min(Self.unpackedLimit, max(budget, 1)))
        if unpacked.isTooLarge { isUnreadable = true }
        return !unpacked.bytes.isEmpty && look(unpacked.bytes, round: round + 1)
    }

    /// Looks into the parts of a multipart content that are compressed as a whole.
    mutating func findsInParts(of bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { text -> Bool in
            guard let base = text.baseAddress, text.count > 12 else { return false }
            for place in 4..<(text.count - 8)
            where base[place] == 0x78 && base[place - 1] == 0x0A && base[place - 3] == 0x0A && base[place - 2] == 0x0D {
                if holdsInPacked(base, text.count, at: place, round: 0) { return true }
            }
            return false
        }
    }
}
