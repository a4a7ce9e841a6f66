import Basics

/// The register of all secrets that were issued in all worlds, for all APIs (control contract, section 13).
///
/// Every secret is noted here when it is made. Nothing is ever removed: an issued secret stays ours after its world is
/// reset or deleted. It keeps hashes, sixteen bytes for each secret, and some bits of a filter. It may be shared among
/// threads.
package final class IssuedSecrets: Sendable {
    /// A snapshot of the filter that a search consults first.
    package struct Filter: Sendable {
        /// Two bits of one word for each window, in tables of growing size, so that none is ever rebuilt.
        package struct Level: Sendable {
            package fileprivate(set) var words: [UInt64]
            /// The shift that turns a window's hash into the index of its word.
            package let shift: UInt32
            fileprivate var room: Int

            fileprivate init(bits count: UInt32, room: Int) {
                words = [UInt64](repeating: 0, count: 1 << Int(count - 6))
                shift = 38 - count
                self.room = room
            }
        }

        package fileprivate(set) var levels: [Level] = []
        /// The names of worlds that exist or existed, as their `fnv1a64`.
        package fileprivate(set) var worlds: Set<UInt64> = []
        /// The marks of the worlds' short tokens.
        package fileprivate(set) var shortMarks: Set<UInt64> = []
        /// Secrets that are too short to be searched for inside a text.
        package fileprivate(set) var short: [[UInt8]] = []
        /// Tells whether a client may hold a credential of ours.
        package fileprivate(set) var hasIssued = false
        /// Tells whether all secrets are ASCII, as all are that we make.
        package fileprivate(set) var isASCII = true
    }

    private struct State {
        var filter = Filter()
        var table = SecretTable()
        /// Records that are to be written to the store; nil without one.
        var records: [UInt8]?
    }

    private let state = Locked(State())

    /// The length field of a world's record, in the place of a secret's length.
    private static let worldLength: UInt64 = 0xFFFF
    /// The bytes of a record.
    package static let recordLength = 32
    /// The bits of the filter's tables as a power of two, and the number of secrets that each takes.
    private static let levels: [(bits: UInt32, room: Int)] = [
        (17, 1_000), (21, 20_000), (24, 250_000), (27, .max),
    ]
    /// The length of the payload's beginning that identifies a token of which the rest was cut off.
    package static let headLength = 80
    private static let headSalt: UInt64 = 0xA5A5_5A5A_0F0F_F0F0

    package init() {}

    // MARK: Noting

    /// Notes a secret that is searched for literally.
    package func note(_ secret: String) { note(Array(secret.utf8), isIssued: true) }

    /// Notes a JWT: by its signature, and by the beginning of its payload.
    package func note(token: String) {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count == 3 else { return note(token) }
        note(parts[2], isIssued: true)
        guard parts[1].count >= Self.headLength else { return }
        let head = SecretHash.value(Array(parts[1].prefix(Self.headLength)))
        insert([0, 0, 0, 0], head ^ Self.headSalt, UInt64(Self.headLength), isIssued: true)
    }

    /// Notes a secret that came with the seed, the configuration or a form; it counts as known without a client that
    /// holds it.
    package func note(known secret: String) { note(Array(secret.utf8), isIssued: false) }

    private func note(_ secret: [UInt8], isIssued: Bool) {
        guard secret.count >= SecretHash.shortest else {
            // Ids of few characters and one-time codes are not secrets; the admin token may be that short.
            guard !isIssued, !secret.isEmpty else { return }
            state.withLock { if !$0.filter.short.contains(secret) { $0.filter.short.append(secret) } }
            return
        }
        guard secret.count < Int(Self.worldLength) else { return }
        if !secret.allSatisfy({ $0 < 0x80 }) { state.withLock { $0.filter.isASCII = false } }
        let windows = (0..<4).map { SecretHash.window(SecretHash.word(secret, $0)) }
        let key = SecretHash.start(SecretHash.word(secret, 0), SecretHash.word(secret, 8))
        insert(windows, key, SecretHash.value(secret), isIssued: isIssued)
    }

    private func insert(_ windows: [UInt32], _ key: UInt64, _ value: UInt64, isIssued: Bool) {
        state.withLock { state in
            if isIssued { state.filter.hasIssued = true }
            guard Self.add(windows, key, value, &state), isIssued else { return }
            state.records? += Self.record(windows, key, value)
        }
    }

    private static func add(_ windows: [UInt32], _ key: UInt64, _ value: UInt64, _ state: inout State) -> Bool {
        guard state.table.insert(key, value) else { return false }
        guard windows.contains(where: { $0 != 0 }) else { return true }
        if state.filter.levels.last.map({ $0.room == 0 }) ?? true {
            let next = levels[min(state.filter.levels.count, levels.count - 1)]
            state.filter.levels.append(Filter.Level(bits: next.bits, room: next.room))
        }
        let last = state.filter.levels.count - 1
        let shift = state.filter.levels[last].shift
        // The last of them, from the first ten characters, tells whether the table has to be consulted.
        for window in windows + [UInt32(truncatingIfNeeded: key >> 16)] {
            state.filter.levels[last].words[Int(window >> shift)] |= SecretHash.bits(window)
        }
        state.filter.levels[last].room -= 1
        return true
    }

    /// Notes the name of a world, which its tokens contain.
    package func note(world name: String) {
        let hash = name.fnv1a64
        state.withLock { state in
            guard state.filter.worlds.insert(hash).inserted else { return }
            state.filter.shortMarks.insert(Self.packed(WorldTag.shortMark(ofHash: hash)))
            state.records? += Self.record([0, 0, 0, 0], hash, Self.worldLength)
        }
    }

    /// Returns the characters of a short mark as a number.
    private static func packed(_ mark: String) -> UInt64 { mark.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

    // MARK: Asking

    /// Tells whether a client may hold a credential of ours.
    package var hasIssued: Bool { state.withLock { $0.filter.hasIssued } }

    package var filter: Filter { state.withLock { $0.filter } }

    /// Returns the print of a secret that begins with these ten characters and satisfies a condition.
    package func first(_ key: UInt64, _ fits: (UInt64) -> Bool) -> UInt64? {
        state.withLock { $0.table.first(key, fits) }
    }

    /// Returns whether a text as a whole is a secret of ours.
    package func holds(_ text: [UInt8]) -> Bool {
        guard text.count >= SecretHash.shortest else {
            return state.withLock { $0.filter.short.contains { $0.elementsEqual(text) } }
        }
        let value = SecretHash.value(text)
        return first(SecretHash.start(SecretHash.word(text, 0), SecretHash.word(text, 8))) { $0 == value } != nil
    }

    /// Returns whether a text is a credential of ours, or one with its prefix and the name of its session.
    package func holds(credential text: String) -> Bool {
        guard text.utf8.count >= SecretHash.shortest else { return false }
        if holds(Array(text.utf8)) { return true }
        let secret = WorldTag.secretPart(of: String(text.prefix { $0 != "|" }))
        return secret.utf8.count < text.utf8.count && holds(Array(secret.utf8))
    }

    /// Returns whether a token of ours has a payload with this beginning; `head` is the print of its first characters.
    package func holdsHead(_ head: UInt64) -> Bool {
        first(head ^ Self.headSalt) { $0 == UInt64(Self.headLength) } != nil
    }

    // MARK: Keeping

    /// Makes a record of every secret that is noted from now on.
    package func keepRecords() { state.withLock { $0.records = $0.records ?? [] } }

    /// Returns the records since the last call, to be written.
    package func takeRecords() -> [UInt8] {
        state.withLock { state in
            defer { if state.records != nil { state.records = [] } }
            return state.records ?? []
        }
    }

    /// Restores records that an earlier process wrote.
    package func adopt(_ records: [UInt8]) {
        state.withLock { state in
            var place = 0
            while place + Self.recordLength <= records.count {
                let words = (0..<4).map { SecretHash.word(records, place + $0 * 8) }
                place += Self.recordLength
                if words[3] == Self.worldLength {
                    state.filter.worlds.insert(words[2])
                    state.filter.shortMarks.insert(Self.packed(WorldTag.shortMark(ofHash: words[2])))
                } else if words[3] != 0 {
                    let windows = [words[0], words[0] >> 32, words[1], words[1] >> 32].map {
                        UInt32(truncatingIfNeeded: $0)
                    }
                    _ = Self.add(windows, words[2], words[3], &state)
                    state.filter.hasIssued = true
                }
            }
        }
    }

    private static func record(_ windows: [UInt32], _ key: UInt64, _ value: UInt64) -> [UInt8] {
        let words = [
            UInt64(windows[0]) | UInt64(windows[1]) << 32, UInt64(windows[2]) | UInt64(windows[3]) << 32, key, value,
        ]
        return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
    }
}
