package import Backend
package import CivilTime
package import HTTPMessage
package import Templates

/// The stubs of a world in their order; a part of its value.
///
/// A world that never had a stub has a registry of one empty list.
package struct StubRegistry: Sendable {
    /// Everything that there is to know once there has been a stub.
    private struct Content: Sendable {
        /// In the order of their ranks.
        var stubs: [Stub] = []
        var numbering = Numbering()
        /// The index of each API.
        var indexes: [String: StubIndex] = [:]
        var uses: UInt64 = 0
        var stamp = Stamp()
    }

    /// Stands for the stubs as they are written, without their counts: another one with each change of them.
    package final class Stamp: Sendable {}

    /// One content or none.
    private var content: [Content] = []

    /// The maximum number of stubs in a world (own-API contract, section 22).
    package static let most = 10_000
    /// The distance of ranks, so that there is room between two stubs.
    private static let stride: Int64 = 1 << 32

    package init() {}

    /// Restores existing stubs, in their order.
    package init(_ stubs: [Stub], _ numbering: Numbering) {
        var whole = Content()
        whole.numbering = numbering
        whole.stubs = stubs
        content = [whole]
        renumber()
    }

    /// Tells whether there are no stubs.
    package var isEmpty: Bool { content.first?.stubs.isEmpty ?? true }
    /// Tells whether there ever was a stub.
    package var isUsed: Bool { !content.isEmpty }
    package var count: Int { content.first?.stubs.count ?? 0 }
    /// The stubs in their order.
    package var stubs: [Stub] { content.first?.stubs ?? [] }
    package var numbering: Numbering { content.first?.numbering ?? Numbering() }
    /// The matches since the book was created or restored; a world that has more than were stored has changed.
    package var uses: UInt64 { content.first?.uses ?? 0 }

    /// The stamp of the stubs as they are written; nil while there never was one.
    package var stamp: Stamp? { content.first?.stamp }

    package subscript(id: String) -> Stub? { stubs.first { $0.id == id } }

    /// Tells whether an API has stubs.
    package func has(_ api: String) -> Bool { !content.isEmpty && (content[0].indexes[api]?.count ?? 0) > 0 }

    /// The index of an API; nil where it has never had a stub.
    func index(of api: String) -> StubIndex? { content.first?.indexes[api] }

    // MARK: Changes

    private mutating func begin() {
        if content.isEmpty { content.append(Content()) }
    }

    /// Notes a change of a stub, not of its counts.
    private mutating func noteEdit() {
        content[0].uses += 1
        content[0].stamp = Stamp()
    }

    /// Adds a stub at a place of the list, from 0; at its end without one.
    @discardableResult
    package mutating func add(
        _ spec: StubSpec,
        _ origin: Stub.Origin,
        isEnabled: Bool = true,
        at place: Int? = nil
    ) -> Stub {
        begin()
        let taken = content[0].numbering.isRestarted(spec.api) ? Set(content[0].stubs.map(\.id)) : []
        let number = content[0].numbering.next(spec.api) { taken.contains(Self.id($0)) }
        let stub = Stub(id: Self.id(number), spec: spec, origin: origin, isEnabled: isEnabled)
        noteEdit()
        return insert(stub, at: min(place ?? count, count))
    }

    private static func id(_ number: UInt64) -> String { "stb_\(number)" }

    private mutating func insert(_ stub: Stub, at place: Int) -> Stub {
        var stub = stub
        stub.rank = rank(at: place)
        content[0].stubs.insert(stub, at: place)
        content[0].indexes[stub.spec.api, default: StubIndex()].add(stub.spec, stub.rank)
        return stub
    }

    /// The rank for a new stub at a place; all stubs get others where there is no room.
    private mutating func rank(at place: Int) -> Int64 {
        let stubs = content[0].stubs
        guard let first = stubs.first, let last = stubs.last else { return 0 }
        if place == 0 { return first.rank - Self.stride }
        guard place < stubs.count else { return last.rank + Self.stride }
        let (low, high) = (stubs[place - 1].rank, stubs[place].rank)
        if high - low > 1 { return low + (high - low) / 2 }
        renumber()
        return rank(at: place)
    }

    private mutating func renumber() {
        content[0].indexes = [:]
        for place in content[0].stubs.indices {
            content[0].stubs[place].rank = Int64(place) * Self.stride
            let stub = content[0].stubs[place]
            content[0].indexes[stub.spec.api, default: StubIndex()].add(stub.spec, stub.rank)
        }
    }

    /// Changes a stub, which keeps its place unless it gets another one, from 0.
    ///
    /// Returns the stub; nil if there is none of that id.
    package mutating func change(
        _ id: String,
        spec: StubSpec? = nil,
        isEnabled: Bool? = nil,
        startsAnew: Bool = false,
        movedTo place: Int? = nil
    ) -> Stub? {
        guard let former = content.first?.stubs.firstIndex(where: { $0.id == id }) else { return nil }
        var stub = content[0].stubs[former]
        noteEdit()
        if spec != nil || place != nil { take(stub, at: former) }
        if let spec { stub.spec = spec }
        if let isEnabled { stub.isEnabled = isEnabled }
        if startsAnew { stub.restart() }
        guard spec != nil || place != nil else {
            content[0].stubs[former] = stub
            return stub
        }
        return insert(stub, at: min(place ?? former, count))
    }

    private mutating func take(_ stub: Stub, at place: Int) {
        content[0].stubs.remove(at: place)
        let stubs = content[0].stubs
        content[0].indexes[stub.spec.api]?.remove(stub.spec, stub.rank) { Self.find($0, stubs).map { stubs[$0].spec } }
    }

    /// Removes matching stubs and returns their number.
    @discardableResult
    package mutating func remove(_ fits: (Stub) -> Bool) -> Int {
        guard !isEmpty else { return 0 }
        let before = count
        let places = content[0].stubs.indices.filter { fits(content[0].stubs[$0]) }
        guard !places.isEmpty else { return 0 }
        noteEdit()
        if let place = places.first, places.count == 1 {
            take(content[0].stubs[place], at: place)
        } else {
            content[0].stubs.removeAll(where: fits)
            renumber()
        }
        return before - count
    }

    /// Removes the stubs of one API, whose numbers begin at 1 again, and brings back those of its files.
    package mutating func restart(api: String, with seeds: StubRegistry) {
        if isUsed {
            remove { $0.spec.api == api }
            content[0].numbering.restart(api)
            noteEdit()
        }
        for stub in seeds.stubs where stub.spec.api == api {
            add(stub.spec, stub.origin, isEnabled: stub.isEnabled)
        }
    }

    // MARK: Requests

    /// The circumstances of a request that decisions depend on.
    package struct Moment {
        package var now: Instant
        package var epoch: Epoch
        package var seed: UInt64

        package init(now: Instant, epoch: Epoch, seed: UInt64) {
            self.now = now
            self.epoch = epoch
            self.seed = seed
        }
    }

    /// A stub that answers, and the place of its answer.
    package struct Choice {
        package let stub: Stub
        package let response: StubResponse
    }

    /// Returns the first stub that lets itself act on a request, and counts it.
    ///
    /// `holds` tells whether a state has a value.
    package mutating func choose(
        _ subject: MatchSubject,
        _ moment: Moment,
        holds: (StubSpec.StateValue) -> Bool
    ) -> Choice? {
        guard let index = content.first?.indexes[subject.api] else { return nil }
        // A worker may have found those whose match fits.
        let found = subject.forecast?.stubs(of: self, subject.method)
        var ranks = RankMerge(found.map { [$0] } ?? index.buckets(subject.method, subject.segments).map(\.ranks))
        while let rank = ranks.next() {
            guard let place = Self.find(rank, content[0].stubs) else { continue }
            let spec = content[0].stubs[place].spec
            guard let answer = content[0].stubs[place].nextAnswer, spec.when.isOpen(moment.now, moment.epoch),
                spec.required.allSatisfy(holds),
                found == nil ? spec.matcher.matches(subject) : spec.matcher.means(subject.user)
            else { continue }
            content[0].uses += 1
            guard content[0].stubs[place].acts(seed: moment.seed) else { continue }
            return Choice(stub: content[0].stubs[place], response: spec.responses[answer])
        }
        return nil
    }

    /// Tells whether a stub of an API names a path; one for every path names none.
    package func has(_ path: Path, of api: String) -> Bool {
        guard has(api) else { return false }
        return stubs.contains { stub in
            let matcher = stub.spec.matcher
            return (matcher.api ?? api) == api && !matcher.takesAnyPath && matcher.pathCondition?.matches(path) == true
        }
    }

    /// Returns whether a stub would answer, as far as that can be told without counting.
    func takes(_ subject: MatchSubject, _ moment: Moment, holds: (StubSpec.StateValue) -> Bool) -> Bool {
        var copy = self
        return copy.choose(subject, moment, holds: holds) != nil
    }

    /// Reverts the count of an answer that was refused after all.
    package mutating func retract(_ choice: Choice) {
        guard let place = Self.find(choice.stub.rank, stubs) else { return }
        content[0].stubs[place].hits -= 1
        content[0].stubs[place].matches -= 1
    }

    static func find(_ rank: Int64, _ stubs: [Stub]) -> Int? {
        var (low, high) = (0, stubs.count)
        while low < high {
            let middle = (low + high) / 2
            if stubs[middle].rank < rank { low = middle + 1 } else { high = middle }
        }
        return low < stubs.count && stubs[low].rank == rank ? low : nil
    }

    /// The cost of a lookup: what the matchers take, whether they read the body, and what the answers take at most.
    package struct Load {
        package var matchers = MatchLoad()
        package var looksAtBody = false
        package var filling = TemplateLoad()
        /// Tells whether finding the matchers takes long already.
        package var hasManyShapes = false
    }

    /// The cost of the stubs that a request is tried against.
    package func load(_ api: String, _ method: HTTPMethod, _ segments: [String]) -> Load {
        var load = Load()
        guard let index = content.first?.indexes[api] else { return load }
        guard !index.hasManyShapes else {
            load.hasManyShapes = true
            return load
        }
        for bucket in method == .head
            ? index.buckets(.head, segments) + index.buckets(.get, segments) : index.buckets(method, segments)
        {
            load.matchers = load.matchers + bucket.load
            load.matchers.addLookups(bucket.ranks.count)
            if bucket.bodyReaders > 0 { load.looksAtBody = true }
            load.filling = load.filling.joined(with: bucket.filling)
        }
        return load
    }

    /// A bound of the cost for any request but HEAD, which takes no look-up: that of all stubs of an API together.
    package func mostLoad(_ api: String) -> Load { content.first?.indexes[api]?.most ?? Load() }

    /// The stubs that a request is tried against.
    func fitting(_ api: String, _ method: HTTPMethod, _ segments: [String]) -> [Stub] {
        guard let index = content.first?.indexes[api] else { return [] }
        let stubs = stubs
        return index.buckets(method, segments).flatMap { bucket in
            bucket.ranks.compactMap { Self.find($0, stubs).map { stubs[$0] } }
        }
    }

    /// The ranks of the stubs whose match fits a request, whoever the user is.
    func ranks(fitting subject: MatchSubject, _ method: HTTPMethod) -> [Int64] {
        guard let index = content.first?.indexes[subject.api] else { return [] }
        let stubs = stubs
        var merge = RankMerge(index.buckets(method, subject.segments).map(\.ranks))
        var found: [Int64] = []
        while let rank = merge.next() {
            guard let place = Self.find(rank, stubs) else { continue }
            let matcher = stubs[place].spec.matcher
            if matcher.admits(api: subject.api, method: method), matcher.meansContent(of: subject) {
                found.append(rank)
            }
        }
        return found
    }
}

extension Stub {
    /// The place of its next answer; nil while it can't act.
    fileprivate var nextAnswer: Int? {
        guard isEnabled, spec.when.times.map({ hits < $0 }) ?? true else { return nil }
        return spec.place(ofHit: hits)
    }

    /// Counts a match, and the hit if it is one; returns whether it is.
    fileprivate mutating func acts(seed: UInt64) -> Bool {
        let number = matches
        matches += 1
        guard number >= spec.when.skip, (number - spec.when.skip).isMultiple(of: spec.when.every) else { return false }
        if spec.when.probability < 1 {
            draws += 1
            var stream = stream("probability", seed: seed, ordinal: draws)
            guard stream.fraction() < spec.when.probability else { return false }
        }
        hits += 1
        return true
    }
}
