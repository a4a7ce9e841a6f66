import Recording

/// A recording with the position of the one world that reads it.
@dynamicMemberLookup struct OneReader {
    var book: ReplayBook
    var place = ReplayPlace()

    init(_ book: ReplayBook) { self.book = book }

    subscript<Value>(dynamicMember path: KeyPath<ReplayBook, Value>) -> Value { book[keyPath: path] }

    mutating func add(_ entry: HAREntry, file: Int, offset: Int, length: Int) {
        book.add(entry, file: file, offset: offset, length: length)
    }

    mutating func choose(_ live: Fingerprint, failsWhenExhausted: Bool) -> ReplayBook.Choice {
        book.choose(live, at: &place, failsWhenExhausted: failsWhenExhausted)
    }

    func candidate(for live: Fingerprint, failsWhenExhausted: Bool) -> ReplayBook.Choice {
        book.candidate(for: live, at: place, failsWhenExhausted: failsWhenExhausted)
    }

    func nearest(to live: Fingerprint) -> [Int] { book.nearest(to: live) }

    mutating func rewind() { place = ReplayPlace() }
}
