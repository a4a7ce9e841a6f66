import CivilTime
import ConductKit
import Journal
import Worlds

/// The judgement of a journal so far, to which new entries are added so that each is judged once (conduct contract,
/// section 16).
///
/// Exchanges are judged in the order of their begins. One that began after another that is still under way is judged
/// on a copy, and for good when the other has ended.
struct JournalJudgement: Sendable {
    private var engine: ConductEngine
    private let rules: RuleRegistry
    private let knowledge: [APIKnowledge]
    private let world: String
    private let settings: ConductSettings
    private let stamp: JournalStamp?
    private let clearings: Int
    private let epochs: [UInt64]
    /// The number up to which the journal was read.
    private var read: UInt64 = 0
    /// The lowest and the highest number that was judged.
    private var oldest: UInt64?
    private var newest: UInt64?
    /// The begin of the last exchange that was judged for good.
    private var last: (begin: Int64, seq: UInt64) = (.min, 0)
    /// Those that were read and not judged for good.
    private var waiting: [UInt64] = []
    /// The copy with those that were judged on it, which goes on while the same exchange is still under way.
    private var ahead: (engine: ConductEngine, tail: [UInt64])?
    /// The begin of the latest exchange that was judged, for good or on a copy.
    private(set) var latest = Int64.min

    /// Creates a judgement of a journal of which nothing was judged.
    init(_ judged: JudgedWorld, _ rules: RuleRegistry, _ knowledge: [APIKnowledge]) {
        self.rules = rules
        self.knowledge = knowledge
        (world, settings, stamp, epochs) = (judged.name, judged.settings, judged.stamp, judged.epochs)
        clearings = judged.journal.clearings
        engine = ConductEngine(rules, settings: judged.settings, knowledge: knowledge) {
            [world = judged.name, readers = judged.readers] api, token in
            readers[api]?(token).map(RecognisedCredential.init)
                ?? TokenForms.recognise(token, of: api, world: world, rules)
        }
    }

    /// The number of exchanges judged.
    var count: Int { engine.count }

    /// Tells whether the world still has the journal that was judged, whatever has fallen out of it.
    func isOf(_ judged: JudgedWorld) -> Bool {
        settings == judged.settings && stamp == judged.stamp && epochs == judged.epochs
            && clearings == judged.journal.clearings && judged.journal.lastSeq >= read
    }

    /// Tells whether everything that was judged is still in the journal.
    func isWhole(_ judged: JudgedWorld) -> Bool {
        guard let oldest, let newest else { return true }
        guard let range = judged.journal.range else { return false }
        return range.lowerBound <= oldest && newest <= range.upperBound
    }

    /// Judges what is new for good, and returns the engine with what may still change.
    mutating func judge(_ judged: JudgedWorld) -> ConductEngine {
        let journal = judged.journal
        var ready: [(begin: Int64, seq: UInt64)] = []
        var waiting: [UInt64] = []
        var barrier = Int64.max
        func look(_ entry: JournalEntry) {
            let begin = entry.startedAt.microseconds
            if entry.outcome == nil || entry.outcome == .held || entry.endedAt == nil {
                barrier = min(barrier, begin)
                waiting.append(entry.seq)
            } else {
                ready.append((begin, entry.seq))
            }
        }
        for seq in self.waiting { if let entry = journal[seq] { look(entry) } }
        journal.forEachPlaceOldestFirst(after: read) { place in
            if let entry = place.entry { look(entry) }
            return true
        }
        ready.sort { $0 < $1 }
        if let first = ready.first, first < last {
            // Something began before what was judged: all is judged anew.
            self = JournalJudgement(judged, rules, knowledge)
            return judge(judged)
        }
        var tail: [UInt64] = []
        for (begin, seq) in ready {
            latest = max(latest, begin)
            guard begin < barrier else {
                tail.append(seq)
                continue
            }
            // What was judged on the copy comes after this one.
            ahead = nil
            Self.take(seq, journal, epochs, &engine)
            last = (begin, seq)
            oldest = min(oldest ?? seq, seq)
            newest = max(newest ?? seq, seq)
        }
        read = max(read, journal.lastSeq)
        self.waiting = (waiting + tail).sorted()
        guard !tail.isEmpty else {
            ahead = nil
            return engine
        }
        var present = engine
        var known = 0
        if let former = ahead, tail.starts(with: former.tail) {
            present = former.engine
            known = former.tail.count
        }
        // Two owners of a copy would each have to copy it again.
        ahead = nil
        for seq in tail.dropFirst(known) { Self.take(seq, journal, epochs, &present) }
        ahead = (present, tail)
        return present
    }

    /// Judges an entry.
    ///
    /// A method of the value would copy it, and with it the engine, for each one.
    private static func take(_ seq: UInt64, _ journal: Journal, _ epochs: [UInt64], _ engine: inout ConductEngine) {
        guard let entry = journal[seq] else { return }
        let epoch = epochs.count { $0 < seq }
        guard let exchange = ConductExchange(entry, epoch: epoch) else { return }
        engine.take(exchange)
    }
}
