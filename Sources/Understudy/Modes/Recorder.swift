import CivilTime
import Locking
import Recording
import Transport

/// How far a recording has come.
package struct RecordingProgress: Sendable, Equatable {
    package var entries = 0
    package var bytes = 0
    /// Why the file can't be written any more; nil as long as it can.
    package var problem: String?
}

/// Writes one recording, entry by entry: the file is a whole archive after each.
///
/// May be shared among threads; entries are redacted and written one after another.
final class Recorder: Sendable {
    private struct State {
        var waiting: [Item] = []
        /// What threads are at.
        var underWay: [Item] = []
        /// The file may hold the half of an entry behind its end.
        var isTorn = false
        /// Where the closing behind the last entry begins.
        var end: Int
        var progress = RecordingProgress()
        /// From here on long contents are left out, so that the end is not waited for.
        var hurriesFrom: ContinuousClock.Instant?
    }

    /// An exchange to be written.
    private final class Item: Sendable {
        let exchange: CapturedExchange
        let share: CaptureBudget.Share
        let then: @Sendable () -> Void
        /// Held by who writes it; true when it is in the file, or can't be written.
        let isDone = Locked(false)

        /// It is looked through for some time.
        var isLong: Bool { exchange.requestBody.count + exchange.responseBody.count > shortContent }

        init(_ exchange: CapturedExchange, _ share: CaptureBudget.Share, _ then: @escaping @Sendable () -> Void) {
            self.exchange = exchange
            self.share = share
            self.then = then
        }
    }

    let redactor: Redactor
    private let redacts: Bool
    let file: DataFile
    private let state: Locked<State>
    /// Held while an entry goes into the file.
    ///
    /// A long one is looked through before that, and keeps no other waiting.
    private let writing = Locked<Void>(())
    private let note: @Sendable (RecordingProgress, Written?) -> Void
    /// Makes what requests are compared with, where the recording is replayed at once.
    private let fingerprinter: Fingerprinter?

    /// An entry with its place in the file.
    struct Written: Sendable {
        var entry: HAREntry
        var file: DataFile
        var offset: Int
        var length: Int
        /// What requests are compared with, where the recording is replayed at once; nil when it can't be.
        var print: Fingerprint?
    }

    /// Goes on in a file that holds an archive, or begins one in an empty file.
    ///
    /// `end` is where the closing behind the last entry begins (nil begins the file), `entries` how many it has, and
    /// `pseudonyms` are its stand-ins.
    init(
        _ file: DataFile,
        end: Int?,
        entries: Int,
        pseudonyms: Pseudonyms,
        redacts: Bool,
        version: String,
        fingerprinter: Fingerprinter?,
        note: @escaping @Sendable (RecordingProgress, Written?) -> Void
    ) throws(Errno) {
        self.file = file
        self.redacts = redacts
        self.note = note
        self.fingerprinter = fingerprinter
        redactor = Redactor(pseudonyms)
        var start = end ?? 0
        if end == nil {
            let opening = HARText.opening(
                version: version,
                comment: redacts ? "Recorded and redacted by Understudy." : nil
            )
            start = opening.count
            try file.write(opening + HARText.closing, at: 0)
            file.truncate(to: start + HARText.closing.count)
        }
        var progress = RecordingProgress()
        progress.entries = entries
        progress.bytes = file.size
        state = Locked(State(end: start, progress: progress))
    }

    var progress: RecordingProgress { state.withLock { $0.progress } }

    /// Where the closing behind the last entry begins.
    var end: Int { state.withLock { $0.end } }

    /// Takes an exchange that `writeNext` has to be called for; `then` is called when it is in the file, or can't be written.
    func add(_ exchange: CapturedExchange, _ share: CaptureBudget.Share, then: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(Item(exchange, share, then)) }
    }

    /// Writes what waits, one long exchange at a time: the other threads have requests to see to.
    func writeNext() {
        while let item = take(leavesLong: true) { write(item) }
    }

    /// Writes everything that waits; returns when all of it is in the file, whoever writes it.
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

    /// Lets others record into the file.
    func release() { file.unlock() }

    /// Writes everything that waits; what is still to be written after some time goes without its long contents.
    func finish(within duration: Duration) {
        state.withLock { $0.hurriesFrom = .now + duration }
        drain()
        file.synchronize()
    }

    /// Content that takes no time to look through.
    static let shortContent = 64 * 1_024

    private func write(_ exchange: CapturedExchange) {
        var exchange = exchange
        if let from = state.withLock({ $0.hurriesFrom }), .now >= from {
            if exchange.responseBody.count > Self.shortContent { exchange.leaveOut() }
            if exchange.requestBody.count > Self.shortContent { exchange.requestBody = [] }
        }
        var entry = exchange.entry(keepsUndecoded: !redacts)
        if redacts { entry = redactor.entry(entry) }
        writing.withLock { _ in write(entry) }
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
            // A full disk takes half an entry, and later perhaps a shorter one: the archive stays whole.
            file.truncate(to: end + HARText.closing.count)
            try? file.write(HARText.closing, at: end)
        }
        let progress = state.withLock { state in
            state.progress.problem = problem
            state.isTorn = problem != nil
            guard problem == nil else { return state.progress }
            state.end = end + text.count
            state.progress.entries += 1
            state.progress.bytes = state.end + HARText.closing.count
            return state.progress
        }
        // A separator and a margin stand before the entry itself.
        let margin = text.firstIndex(of: 0x7B) ?? 0
        let written = Written(
            entry: entry,
            file: file,
            offset: end + margin,
            length: text.count - margin,
            print: print(of: entry)
        )
        note(progress, problem == nil ? written : nil)
    }

    private func print(of entry: HAREntry) -> Fingerprint? {
        guard let fingerprinter, entry.response.status >= 200, let address = HARAddress(entry.request.url) else {
            return nil
        }
        let own = fingerprinter.at([LinkRewriter.normal(address.authority)])
        return ReplayBook.fingerprint(of: entry, address, own)
    }
}
