/// Finds the pieces of a text that contain a secret only after decoding (control contract, sections 13 and 19).
///
/// It decodes Base64 from any character on and across lines, the escapes of JSON, and quoted-printable. In decoded text
/// it also decodes percent escapes, HTML references, UTF-16 and compressed data.
struct CodedPieces {
    /// The number of decoding rounds.
    private static let rounds = 4
    /// The length in Base64 of the shortest secret that is searched for inside other text.
    private static let shortestRun = 14

    /// The search for known secrets in plain text.
    private let known: ([UInt8]) -> [Range<Int>]
    /// The search for texts with the form of a secret in a text that was decoded as a whole.
    private let formed: ([UInt8]) -> [Range<Int>]
    /// The bytes that may still be decoded, so that content with many layers takes no more than a few times its length.
    private var budget: Int

    private init(
        _ count: Int,
        _ known: @escaping ([UInt8]) -> [Range<Int>],
        _ formed: @escaping ([UInt8]) -> [Range<Int>]
    ) {
        self.known = known
        self.formed = formed
        budget = count * 24 + 1_024 * 1_024
    }

    /// Returns the pieces of a text, which may overlap.
    ///
    /// `isBare` tells that percent escapes and HTML references in the text itself are decoded elsewhere.
    static func find(
        in text: [UInt8],
        isBare: Bool = false,
        known: @escaping ([UInt8]) -> [Range<Int>],
        formed: @escaping ([UInt8]) -> [Range<Int>] = { _ in [] }
    ) -> [Range<Int>] {
        guard text.count >= shortestRun else { return [] }
        var pieces = CodedPieces(text.count, known, formed)
        return pieces.coded(in: text, round: 0, isBare: isBare)
    }

    // MARK: Each round

    /// Finds the encoded secrets of a text, without those that it has in plain form.
    private mutating func coded(in text: [UInt8], round: Int, isBare: Bool = false) -> [Range<Int>] {
        guard round < Self.rounds else { return [] }
        var found = inRuns(of: text, round: round)
        if let view = EscapeView(text) {
            found += places(in: view.bytes, round: round).map(view.place)
            // JSON in which the text itself has escapes.
            if let inner = EscapeView(view.bytes) {
                found += places(in: inner.bytes, round: round).map { view.place(of: inner.place(of: $0)) }
            }
        }
        guard !isBare else { return found }
        for view in PlainView.layers(of: text) { found += places(in: view.bytes, round: round).map(view.place) }
        return found
    }

    /// Finds the secrets of a text without its escapes, in plain form and in Base64.
    private mutating func places(in view: [UInt8], round: Int) -> [Range<Int>] {
        budget -= view.count
        guard budget > 0, round + 1 < Self.rounds else { return [] }
        return known(view) + inRuns(of: view, round: round + 1)
    }

    // MARK: Base64

    /// The classes of characters in Base64: both alphabets, line ends, and none.
    private static let lineEnd: UInt8 = 0x40
    private static let other: UInt8 = 0xFF
    private static let sextets: [UInt8] = {
        var table = [UInt8](repeating: other, count: 256)
        for byte in 0..<26 {
            table[0x41 + byte] = UInt8(byte)
            table[0x61 + byte] = UInt8(26 + byte)
        }
        for byte in 0..<10 { table[0x30 + byte] = UInt8(52 + byte) }
        for (sign, value) in [(0x2B, 62), (0x2D, 62), (0x2F, 63), (0x5F, 63)] { table[sign] = UInt8(value) }
        table[0x0A] = lineEnd
        table[0x0D] = lineEnd
        return table
    }()

    /// Runs of letters, digits and the signs of Base64.
    private static func runs(in text: [UInt8]) -> [Range<Int>] {
        let table = sextets
        var found: [Range<Int>] = []
        var probe = shortestRun - 1
        var floor = 0
        // A run of fourteen has a character at a multiple of fourteen.
        while probe < text.count {
            guard table[Int(text[probe])] != other else {
                probe += shortestRun
                continue
            }
            var start = probe
            while start > floor, table[Int(text[start - 1])] != other { start -= 1 }
            var end = probe + 1
            while end < text.count, table[Int(text[end])] != other { end += 1 }
            if end - start >= shortestRun { found.append(start..<end) }
            floor = end
            probe = end + shortestRun - 1
        }
        return found
    }

    /// Returns the words that contain secrets, whichever of the first characters of a run the encoded text begins at.
    ///
    /// The decoded runs are searched together. Only text is decoded any further.
    private mutating func inRuns(of text: [UInt8], round: Int) -> [Range<Int>] {
        let runs = Self.runs(in: text)
        var found: [Range<Int>] = []
        for first in 0..<4 where !runs.isEmpty {
            var all = Decoded(first: first)
            var texts = Decoded(first: first)
            for run in runs {
                var decoded: [UInt8] = []
                Self.decode(text[run], from: first, into: &decoded)
                let isText = Self.isText(decoded)
                if holdsAsWhole(decoded, isText: isText && first == 0, round: round) {
                    found.append(Self.whole(run, in: text))
                } else if isText {
                    texts.add(decoded, of: run)
                }
                all.add(decoded, of: run)
            }
            budget -= all.bytes.count
            guard budget > 0 else { return found }
            found += known(all.bytes).map { Self.whole(all.place(of: $0, in: text), in: text) }
            guard !texts.bytes.isEmpty else { continue }
            found += coded(in: texts.bytes, round: round + 1).map {
                Self.whole(texts.place(of: $0, in: text), in: text)
            }
        }
        return found
    }

    /// Returns true if the decoded run as a whole has the form of a secret.
    private mutating func holdsAsWhole(_ decoded: [UInt8], isText: Bool, round: Int) -> Bool {
        guard budget > 0, let byte = decoded.first else { return false }
        if isText, !formed(decoded).isEmpty { return true }
        var plain: [UInt8]?
        if byte == 0x1F || byte == 0x78, case .packed(let unpacked, _) = PackedContent(decoded) {
            plain = unpacked
        } else if decoded.prefix(4).contains(0), decoded.count(where: { $0 == 0 }) * 3 >= decoded.count {
            plain = decoded.filter { $0 != 0 }
        }
        guard let plain else { return false }
        budget -= plain.count
        return !known(plain).isEmpty || !coded(in: plain, round: round + 1).isEmpty
    }

    private static func decode(_ run: ArraySlice<UInt8>, from first: Int, into bytes: inout [UInt8]) {
        let table = sextets
        var bits: UInt32 = 0
        var count = -6 * first
        for byte in run {
            let value = table[Int(byte)]
            guard value != lineEnd else { continue }
            count += 6
            guard count > 0 else { continue }
            bits = bits << 6 | UInt32(value)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains { $0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0) || $0 == 0x7F }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    /// Returns a piece extended to whole words, with the padding behind it.
    private static func whole(_ piece: Range<Int>, in text: [UInt8]) -> Range<Int> {
        func isWord(_ byte: UInt8) -> Bool { sextets[Int(byte)] < lineEnd && byte != 0x2F }
        var (start, end) = (piece.lowerBound, piece.upperBound)
        while start > 0, isWord(text[start - 1]) { start -= 1 }
        while end < text.count, isWord(text[end]) { end += 1 }
        var padding = 0
        while end < text.count, text[end] == 0x3D, padding < 2 {
            end += 1
            padding += 1
        }
        return start..<end
    }
}

/// The decoded runs of a text, one after the other.
private struct Decoded {
    /// The number of characters left out of each run.
    let first: Int
    private(set) var bytes: [UInt8] = []
    private var starts: [Int] = []
    private var runs: [Range<Int>] = []

    init(first: Int) { self.first = first }

    mutating func add(_ decoded: [UInt8], of run: Range<Int>) {
        starts.append(bytes.count)
        runs.append(run)
        bytes += decoded
        bytes.append(0x01)
    }

    /// Returns the place in the text of the characters that make up a part.
    func place(of part: Range<Int>, in text: [UInt8]) -> Range<Int> {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= part.lowerBound { low = middle } else { high = middle }
        }
        let from = first + (part.lowerBound - starts[low]) * 4 / 3
        let to = first + ((part.upperBound - starts[low]) * 4 + 2) / 3
        var count = 0
        var (start, end) = (runs[low].upperBound, runs[low].upperBound)
        for place in runs[low] where text[place] != 0x0A && text[place] != 0x0D {
            if count == from { start = place }
            count += 1
            if count == to {
                end = place + 1
                break
            }
        }
        return start..<max(start, end)
    }
}

/// A text without the escapes of JSON and of quoted-printable.
private struct EscapeView {
    private(set) var bytes: [UInt8] = []
    /// The start of each character in the text, and the text's length at the end.
    private var starts: [Int32] = []

    /// Creates a view; nil if the text has no escapes.
    init?(_ text: [UInt8]) {
        guard text.count < Int(Int32.max), text.contains(where: { $0 == 0x5C || $0 == 0x3D }) else { return nil }
        bytes.reserveCapacity(text.count)
        starts.reserveCapacity(text.count + 1)
        var place = 0
        while place < text.count {
            let (byte, length) = Self.escape(text, place) ?? (text[place], 1)
            if let byte {
                bytes.append(byte)
                starts.append(Int32(place))
            }
            place += length
        }
        guard bytes.count < text.count else { return nil }
        starts.append(Int32(text.count))
    }

    /// Returns the place of a part in the text.
    func place(of range: Range<Int>) -> Range<Int> {
        Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
    }

    /// Returns the byte that an escape means (nil for none) and its length; nil where there is no escape.
    private static func escape(_ text: [UInt8], _ place: Int) -> (byte: UInt8?, length: Int)? {
        func byte(_ offset: Int) -> UInt8 { place + offset < text.count ? text[place + offset] : 0 }
        func hex(_ offset: Int) -> UInt8? {
            switch byte(offset) {
            case 0x30...0x39: byte(offset) - 0x30
            case 0x41...0x46: byte(offset) - 0x37
            case 0x61...0x66: byte(offset) - 0x57
            default: nil
            }
        }
        switch text[place] {
        case 0x3D:
            // A soft line break: the line continues in the next one.
            if byte(1) == 0x0A { return (nil, 2) }
            if byte(1) == 0x0D, byte(2) == 0x0A { return (nil, 3) }
            guard let high = hex(1), let low = hex(2) else { return nil }
            return (high << 4 | low, 3)
        case 0x5C:
            switch byte(1) {
            case 0x75:
                guard hex(2) == 0, hex(3) == 0, let high = hex(4), let low = hex(5), high < 8 else { return nil }
                return (high << 4 | low, 6)
            case 0x78:
                guard let high = hex(2), let low = hex(3) else { return nil }
                return (high << 4 | low, 4)
            case 0x6E: return (0x0A, 2)
            case 0x72: return (0x0D, 2)
            case 0x2F, 0x5C, 0x22: return (byte(1), 2)
            default: return nil
            }
        default: return nil
        }
    }
}
