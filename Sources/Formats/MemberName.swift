/// The meaning that the name of a member or of a parameter has for most readers, whatever its spelling: `createdAt`,
/// `created_at` and `CreatedAt` are the same.
package struct MemberName: Sendable {
    /// The words in lower case.
    package let words: [String]

    /// The letters and digits in lower case, by which two spellings of a name are compared.
    package var key: String { words.joined() }

    package init(_ name: String) {
        var words: [String] = []
        var word: [UInt8] = []
        var isUpper = false
        func close() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        let bytes = Array(name.utf8)
        for (place, byte) in bytes.enumerated() {
            let isCapital = byte &- 0x41 < 26
            guard isCapital || byte &- 0x61 < 26 || byte &- 0x30 < 10 || byte >= 0x80 else {
                close()
                continue
            }
            // `userID` has two words, and `URLPath` too.
            let endsCapitals =
                isCapital && isUpper && bytes.indices.contains(place + 1) && bytes[place + 1] &- 0x61 < 26
            if isCapital, !isUpper || endsCapitals { close() }
            isUpper = isCapital
            word.append(isCapital ? byte | 0x20 : byte)
        }
        close()
        self.words = words
    }

    // MARK: Times

    /// The order of the times of one thing.
    package enum Stage: Int, Comparable, Sendable {
        case created, started, changed, ended

        package static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    private static let stages: [(stage: Stage, words: Set<String>)] = [
        (
            .ended,
            [
                "end", "ended", "ends", "ending", "finish", "finished", "finishes", "until", "till", "to", "expire",
                "expired", "expires", "expiry", "expiration", "exp", "completed", "completion", "closed", "closes",
                "deleted", "removed", "cancelled", "canceled", "archived", "resolved", "due", "deadline", "arrival",
                "arrived", "checkout", "stop", "stopped", "delivered", "revoked", "terminated",
            ]
        ),
        (
            .changed,
            [
                "updated", "update", "modified", "modification", "changed", "change", "edited", "last", "mtime",
                "touched", "refreshed", "synced", "seen", "used",
            ]
        ),
        (
            .created,
            [
                "created", "create", "creation", "inserted", "registered", "registration", "issued", "iat", "added",
                "ordered", "placed", "opened", "born", "ctime", "joined", "posted", "submitted", "requested", "signup",
            ]
        ),
        (
            .started,
            [
                "start", "started", "starts", "starting", "begin", "began", "begins", "beginning", "from", "since",
                "departure", "departed", "checkin", "nbf", "published", "valid", "effective", "activated", "paid",
                "shipped",
            ]
        ),
    ]

    /// The place of a time among others of the same thing; nil for a name that says nothing about it.
    package var stage: Stage? {
        Self.stages.first { !$0.words.isDisjoint(with: words) || $0.words.contains(key) || isCheck($0.stage) }?.stage
    }

    /// `check_in` and `check_out`, the days of a stay.
    private func isCheck(_ stage: Stage) -> Bool {
        guard words.contains("check") else { return false }
        return stage == .ended ? words.contains("out") : stage == .started && words.contains("in")
    }

    /// The units in which a number counts the time since 1970.
    package enum TimeUnit: Sendable { case seconds, milliseconds, microseconds }

    private static let units: [(unit: TimeUnit, words: Set<String>)] = [
        (.milliseconds, ["ms", "millis", "milliseconds", "msec", "unixms", "epochms", "timestampms"]),
        (.microseconds, ["us", "micros", "microseconds", "usec"]),
        (.seconds, ["seconds", "sec", "secs", "unix", "epoch", "s"]),
    ]

    /// The unit that the name tells; nil if it tells none.
    package var timeUnit: TimeUnit? { Self.units.first { !$0.words.isDisjoint(with: words) }?.unit }

    /// Tells whether a whole number of that name is a time, not a duration or an amount.
    package var isTime: Bool {
        var rest = words
        // `created_at_ms` is what `created_at` is.
        while let last = rest.last, Self.units.contains(where: { $0.words.contains(last) }), rest.count > 1 {
            rest.removeLast()
        }
        guard let last = rest.last else { return false }
        if ["timestamp", "epoch", "unix", "datetime", "iat", "exp", "nbf", "mtime", "ctime"].contains(last) {
            return true
        }
        if last == "at" || last == "on" { return rest.count > 1 }
        let isNoun = ["time", "date"].contains(last)
        if isNoun, rest.count == 1 { return true }
        if isNoun { return stage != nil || rest[rest.count - 2] == "date" }
        let isParticiple = ["created", "updated", "modified", "expires", "expiry", "deleted", "edited"].contains(last)
        return isParticiple && rest.count == 1
    }

    // MARK: Amounts

    private static let countable: Set<String> = [
        "count", "total", "limit", "size", "length", "amount", "price", "cost", "age", "quantity", "qty", "page",
        "pages", "offset", "number", "duration", "width", "height", "weight", "distance", "index", "position", "rank",
        "score", "capacity", "stock", "seconds", "minutes", "hours", "days", "bytes", "items", "fee", "tax", "salary",
        "views", "likes", "votes", "attempts", "retries", "version", "year", "calories", "id", "ids", "num", "max",
        "timestamp",
    ]

    /// Tells whether a number of that name is not negative.
    package var isCount: Bool { isTime || !Self.countable.isDisjoint(with: words) }
}
