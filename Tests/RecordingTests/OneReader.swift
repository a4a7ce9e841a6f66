import Recording

/// A recording with the position of the one world that reads it.
@dynamicMemberLookup struct OneReader {
    var book: ReplayIndex
    var place = ReplayPlace()

    init(_ book: ReplayIndex) { self.book = book }

    subscript<Value>(dynamicMember path: KeyPath<ReplayIndex, Value>) -> Value { book[keyPath: path] }

    mutating func add(_ entry: HAREntry, file: Int, offset: Int, length: Int) {
        book.add(entry, file: file, offset: offset, length: length)
    }

    mutating func choose(_ live: RequestFingerprint, failsWhenExhausted: Bool) -> ReplayIndex.Choice {
        book.choose(live, at: &place, failsWhenExhausted: failsWhenExhausted)
    }

    func candidate(for live: RequestFingerprint, failsWhenExhausted: Bool) -> ReplayIndex.Choice {
        book.candidate(for: live, at: place, failsWhenExhausted: failsWhenExhausted)
    }

    func nearest(to live: RequestFingerprint) -> [Int] { book.nearest(to: live) }

    mutating func rewind() { place = ReplayPlace() }
}
