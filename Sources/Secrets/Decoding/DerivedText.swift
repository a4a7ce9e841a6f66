/// Text that was decoded from another text.
struct DerivedText {
    private(set) var bytes: [UInt8] = []
    /// The start of each byte in the other text; empty unless they are kept.
    private var starts: [Int32] = []
    let keepsPlaces: Bool

    init(keepsPlaces: Bool = false) { self.keepsPlaces = keepsPlaces }

    @inline(__always)
    private mutating func append(_ byte: UInt8, from place: Int) {
        bytes.append(byte)
        if keepsPlaces { starts.append(Int32(truncatingIfNeeded: place)) }
    }

    /// Ends a piece, across which no secret continues.
    private mutating func endPiece(at place: Int) { append(0x01, from: place) }

    /// Returns the place of a part in the other text.
    func place(of part: Range<Int>, in text: [UInt8]) -> Range<Int> {
        Int(starts[part.lowerBound])..<(part.upperBound < starts.count ? Int(starts[part.upperBound]) : text.count)
    }

    // MARK: Escapes

    /// Adds the piece around the escape at a place, decoded, and returns its end.
    ///
    /// A piece reaches from one of `stops` to the next, but not before `floor`. In it all escapes that begin with one of
    /// `signs` are decoded.
    mutating func addPiece(
        of text: [UInt8],
        at escape: Int,
        after floor: Int,
        signs: UInt16,
        stops: UInt16
    ) -> Int {
        let (roles, digits) = (ByteRoles.signs, ByteRoles.digits)
        var place = escape
        while place > floor, roles[Int(text[place - 1])] & stops == 0 || Self.isSoft(text, place - 1) { place &-= 1 }
        let marks = signs | stops
        let twoDigits = signs & (ByteRoles.Sign.percent | ByteRoles.Sign.equals)
        while true {
            var end = place
            while end < text.count, roles[Int(text[end])] & marks == 0 { end &+= 1 }
            if place < end {
                bytes += text[place..<end]
                if keepsPlaces { starts += (place..<end).map { Int32(truncatingIfNeeded: $0) } }
                place = end
            }
            guard place < text.count else { break }
            let byte = text[place]
            let role = roles[Int(byte)] & marks
            if role & twoDigits != 0, place &+ 2 < text.count, digits[Int(text[place &+ 1])] < 16,
                digits[Int(text[place &+ 2])] < 16
            {
                append(digits[Int(text[place &+ 1])] &<< 4 | digits[Int(text[place &+ 2])], from: place)
                place &+= 3
                continue
            } else if role & signs != 0, let meaning = Escape.meaning(in: text, at: place) {
                if let byte = meaning.byte { append(byte, from: place) }
                place &+= meaning.length
                continue
            } else if role & stops != 0, !Self.isSoft(text, place) {
                break
            } else {
                append(byte, from: place)
            }
            place &+= 1
        }
        endPiece(at: place)
        return place
    }

    /// Tells whether a line end is a soft one, which ends no piece.
    private static func isSoft(_ text: [UInt8], _ place: Int) -> Bool {
        switch text[place] {
        case 0x0D: place > 0 && text[place - 1] == 0x3D
        case 0x0A where place > 0 && text[place - 1] == 0x0D: place > 1 && text[place - 2] == 0x3D
        case 0x0A: place > 0 && text[place - 1] == 0x3D
        default: false
        }
    }

    // MARK: UTF-16 and UTF-32

    /// Adds the text around a zero, of which every second byte is zero, and returns its end; nil where there is none.
    mutating func addNarrow(of text: [UInt8], at zero: Int) -> Int? {
        // Every second character of UTF-32 is zero as well.
        func isContinued(_ zero: Int) -> Bool {
            zero < text.count && text[zero] == 0
                && (zero + 1 < text.count && text[zero + 1] != 0 || zero > 0 && text[zero - 1] != 0)
        }
        guard isContinued(zero), isContinued(zero + 2), isContinued(zero + 4), isContinued(zero + 6) else { return nil }
        // Whether the zeros come before or after their characters, this is the first one.
        if zero > 0, text[zero - 1] != 0 { append(text[zero - 1], from: zero - 1) }
        var place = zero
        while isContinued(place) {
            if place + 1 < text.count, text[place + 1] != 0 { append(text[place + 1], from: place + 1) }
            place += 2
        }
        endPiece(at: min(place, text.count))
        return place
    }
}
