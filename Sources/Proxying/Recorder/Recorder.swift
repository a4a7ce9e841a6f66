import Basics
import CivilTime
import JSON
import Recording
import Secrets
import Transport

/// The progress of a recording.
package struct RecordingProgress: Sendable, Equatable {
    package var entries = 0
    package var bytes = 0
    /// The reason why the file can't be written any more; nil while it can.
    package var problem: String?
}

/// Writes one recording, entry by entry; the file is a complete archive after each.
///
/// May be shared among threads; entries are redacted and written one after another.
final class Recorder: Sendable {
    private struct State {
        var waiting: [Item] = []
        /// The items that threads are writing.
        var underWay: [Item] = []
        /// The file may hold half an entry after its end.
        var isTorn = false
        /// The offset of the closing text after the last entry.
        var end: Int
        var progress = RecordingProgress()
        /// The locations of the entries that this recorder has written.
        var places: [(offset: Int, length: Int)] = []
        /// The number of secrets that were known when the entries were last searched; `sweptEnd` is the offset up to
        /// which they were.
        var sweptSecrets = 0
        var sweptEnd = 0
        /// From this time on long contents are left out, so that a stop need not wait for them.
        var hurriesFrom: ContinuousClock.Instant?
        var use: Use
        /// The 304s of the file, and the 200s that they stand for.
        var cached: CachedAnswers
    }

    /// The wishes of the mode that records.
    struct Use: Sendable {
        var redacts: Bool
        /// Makes the fingerprints of the entries, if the recording is replayed at the same time.
        var fingerprinter: Fingerprinter?
        /// Called by the thread that has written an entry.
        var note: @Sendable (RecordingProgress, Written?) -> Void
    }

    /// An exchange to be written.
    private final class Item: Sendable {
        let exchange: CapturedExchange
        let share: CaptureBudget.Share
        let then: @Sendable () -> Void
        /// Locked by the thread that writes it; true once it is in the file, or can't be written.
        let isDone = Locked(false)

        /// Tells whether redacting it takes some time.
        var isLong: Bool { exchange.requestBody.count + exchange.responseBody.count > shortContent }

        init(_ exchange: CapturedExchange, _ share: CaptureBudget.Share, _ then: @escaping @Sendable () -> Void) {
            self.exchange = exchange
            self.share = share
            self.then = then
        }
    }

    let redactor: Redactor
    let file: DataFile
    private let state: Locked<State>
    /// Locked while an entry is written to the file.
    ///
    /// A long entry is redacted before that, so that it does not delay others.
    private let writing = Locked<Void>(())

    /// An entry with its place in the file.
    struct Written: Sendable {
        var entry: HAREntry
        var file: DataFile
        var offset: Int
        var length: Int
        /// The fingerprint of the entry, if the recording is replayed at the same time; nil if it can't be made.
        var print: RequestFingerprint?
        /// Tells that it is a 304 whose 200 is not in the file.
        var isLone: Bool
    }

    /// Continues a file that holds an archive, or begins one in an empty file.
    ///
    /// `end` is the offset of the closing text after the last entry (nil begins the file), `entries` the number of
    /// entries in the file, `cached` their 304s, and `pseudonyms` are its stand-ins.
    init(
        _ file: DataFile,
        end: Int?,
        entries: Int,
        cached: CachedAnswers = CachedAnswers(),
        pseudonyms: Pseudonyms,
        version: String,
        for use: Use
    ) throws(Errno) {
        self.file = file
        redactor = Redactor(pseudonyms)
        var start = end ?? 0
        if end == nil {
            let opening = HARText.opening(
                version: version,
                comment: use.redacts ? "Recorded and redacted by Understudy." : nil
            )
            start = opening.count
            try file.write(opening + HARText.closing, at: 0)
            file.truncate(to: start + HARText.closing.count)
        }
        var progress = RecordingProgress()
        progress.entries = entries
        progress.bytes = file.size
        var first = State(end: start, progress: progress, use: use, cached: cached)
        first.sweptSecrets = redactor.pseudonyms.learntCount
        first.sweptEnd = start
        state = Locked(first)
    }

    var progress: RecordingProgress { state.withLock { $0.progress } }

    /// Goes on for another mode, with the entries that are still to be written.
    func serve(_ use: Use) { state.withLock { $0.use = use } }

    private var redacts: Bool { state.withLock { $0.use.redacts } }

    /// Queues an exchange for `writeNext`; `then` is called when it is in the file, or can't be written.
    func add(_ exchange: CapturedExchange, _ share: CaptureBudget.Share, then: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(Item(exchange, share, then)) }
    }

    /// Writes the queued exchanges, only one long one at a time, so that other threads stay free for requests.
    func writeNext() {
        while let item = take(leavesLong: true) { write(item) }
    }

    /// Writes all queued exchanges; returns when all of them are in the file, whichever thread writes them.
    func drain() {
        while let item = take() { write(item) }
        for item in state.withLock({ $0.underWay }) { while !item.isDone.withLock({ $0 }) {} }
    }

    private func take(leavesLong: Bool = false) -> Item? {
        state.withLock { state in
            let leavesLong = leavesLong && state.underWay.contains(where: \.isLong)
            guard let place = state.waiting.firstIndex(where: { !(leavesLong && $0.isLong) }) else { return nil }
            let item = state.waiting.remove(at: place)
            state.underWay.append(item)
            return item
        }
    }

    private func write(_ item: Item) {
        item.isDone.withLock { isDone in
            write(item.exchange)
            isDone = true
        }
        state.withLock { $0.underWay.removeAll { $0 === item } }
        item.then()
    }

    /// Writes all queued exchanges and does the last search for secrets.
    func settle() {
        drain()
        if redacts { writing.withLock { _ in sweep(isLast: true) } }
    }

    /// Tells whether `settle` has nothing to do.
    var isSettled: Bool {
        let learnt = redactor.pseudonyms.learntCount
        return state.withLock {
            $0.waiting.isEmpty && $0.underWay.isEmpty
                && (!$0.use.redacts || $0.places.isEmpty || $0.sweptSecrets == learnt)
        }
    }

    /// Unlocks the file for other recorders, when all is in it.
    func release() {
        settle()
        file.unlock()
    }

    /// Writes all queued exchanges; after `duration` the rest is written without long contents.
    func finish(within duration: Duration) {
        state.withLock { $0.hurriesFrom = .now + duration }
        settle()
        file.synchronize()
    }

    /// The length of content up to which redacting takes no noticeable time.
    static let shortContent = 64 * 1_024

    private func write(_ exchange: CapturedExchange) {
        var exchange = exchange
        if let from = state.withLock({ $0.hurriesFrom }), .now >= from {
            if exchange.responseBody.count > Self.shortContent { exchange.leaveOut() }
            if exchange.requestBody.count > Self.shortContent { exchange.requestBody = [] }
        }
        let redacts = redacts
        let raw = exchange.entry(keepsUndecoded: !redacts)
        var known = redactor.pseudonyms.learntCount
        var entry = redacts ? redactor.entry(raw) : raw
        writing.withLock { _ in
            // Another thread may have learnt secrets that the entry holds.
            if redacts, redactor.pseudonyms.learntCount != known {
                known = redactor.pseudonyms.learntCount
                entry = redactor.entry(raw)
            }
            write(entry)
            if redacts { sweep() }
        }
    }

    // MARK: What was learnt late

    /// The length of file up to which it is searched at once, however often secrets are learnt.
    private static let shortFile = 1_024 * 1_024

    /// Removes secrets from earlier entries that were learnt since they were written.
    ///
    /// A long file is searched when it has grown by half, and at the end, so each byte is read only a few times. The
    /// caller holds `writing`. An entry is overwritten by one of the same length, so that all others keep their
    /// offsets.
    private func sweep(isLast: Bool = false) {
        let (places, swept, sweptEnd, end) = state.withLock { ($0.places, $0.sweptSecrets, $0.sweptEnd, $0.end) }
        let count = redactor.pseudonyms.learntCount
        guard count > swept, let start = places.first?.offset else { return }
        guard isLast || end - start <= Self.shortFile || end - sweptEnd > (end - start) / 3 else { return }
        let late = LateSecrets(redactor.pseudonyms.learnt(after: swept), redactor.pseudonyms)
        for place in places {
            guard let text = try? file.read(at: place.offset, count: place.length), text.count == place.length,
                let clean = late.cleaned(text) ?? emptied(text, late)
            else { continue }
            try? file.write(clean, at: place.offset)
        }
        state.withLock { state in
            state.sweptSecrets = count
            state.sweptEnd = end
        }
    }

    /// Returns the entry without its contents, if there is no room for stand-ins of all secrets in it.
    private func emptied(_ text: [UInt8], _ late: LateSecrets) -> [UInt8]? {
        guard late.lies(in: text), var entry = try? HARStreamReader.entry(text) else { return nil }
        entry.request.postData = nil
        entry.response.content.bytes = nil
        entry.response.content.comment = "left out: it held a value that was later found to be a secret"
        entry.events = nil
        let short = entry.json.serialized()
        guard short.count <= text.count else { return nil }
        let padded = short + [UInt8](repeating: 0x20, count: text.count - short.count)
        return late.cleaned(padded) ?? padded
    }

    private func write(_ entry: HAREntry) {
        let (end, isFirst) = state.withLock { ($0.end, $0.progress.entries == 0) }
        let text = HARText.entry(entry, isFirst: isFirst)
        var problem: String?
        do throws(Errno) {
            try file.write(text + HARText.closing, at: end)
            if state.withLock({ $0.isTorn }) { file.truncate(to: end + text.count + HARText.closing.count) }
        } catch {
            problem = "the recording can't be written: \(error)"
            // A full disk takes half an entry, and later perhaps a shorter one; the archive stays complete.
            file.truncate(to: end + HARText.closing.count)
            try? file.write(HARText.closing, at: end)
        }
        let progress = state.withLock { state in
            state.progress.problem = problem
            state.isTorn = problem != nil
            guard problem == nil else { return state.progress }
            let margin = text.firstIndex(of: 0x7B) ?? 0
            state.places.append((end + margin, text.count - margin))
            state.end = end + text.count
            state.progress.entries += 1
            state.progress.bytes = state.end + HARText.closing.count
            return state.progress
        }
        let (use, isLone) = state.withLock { ($0.use, problem == nil && $0.cached.note(entry)) }
        // A separator and a margin precede the entry itself.
        let margin = text.firstIndex(of: 0x7B) ?? 0
        let written = Written(
            entry: entry,
            file: file,
            offset: end + margin,
            length: text.count - margin,
            print: Self.print(of: entry, use.fingerprinter),
            isLone: isLone
        )
        use.note(progress, problem == nil ? written : nil)
    }

    private static func print(of entry: HAREntry, _ fingerprinter: Fingerprinter?) -> RequestFingerprint? {
        guard let fingerprinter, entry.response.status >= 200, let address = HARAddress(entry.request.url) else {
            return nil
        }
        return ReplayIndex.fingerprint(of: entry, address, fingerprinter)
    }
}
