package import Backend
import HTTPMessage

extension StubRegistry {
    /// The distance up to which a stub is told of before the routes of its API.
    private static let near = 3.0

    /// A stub that a request may have been meant for.
    package struct NearStub: Sendable {
        package let route: NearRoute
        /// Tells that it is nearer than any route is likely to be, because its path and its method fit or nearly do.
        package let isNear: Bool
    }

    /// Returns the stubs nearest to a request that nothing answered, nearest first.
    ///
    /// Where path and method fit, the words say what else differed.
    package func nearest(to subject: MatchSubject, count: Int) -> [NearStub] {
        nearest(to: subject, among: stubs, count: count)
    }

    /// Stubs up to which each is held against a request that waits.
    package static let mostCompared = 1_000

    /// Returns the stub nearest to a request that waits for its answer, in little time.
    ///
    /// Of many stubs only those whose path and method fit are looked at, and none whose match would take a worker.
    package func nearestInPlace(to subject: MatchSubject) -> NearStub? {
        let many = stubs.count > Self.mostCompared
        let candidates = many ? fitting(subject.api, subject.method, subject.segments) : stubs
        let head = (subject.rawQuery?.utf8.count ?? 0) + subject.fields.wire.count
        let (path, body) = (subject.path.utf8.count, subject.content.count)
        var load = MatchLoad()
        let light = candidates.prefix(Self.mostCompared).filter { stub in
            var more = load
            more.add(stub.spec.matcher)
            guard !more.isHeavy(path: path, head: head, body: body) else { return false }
            load = more
            return true
        }
        return nearest(to: subject, among: light, count: 1).first
    }

    /// Returns the stub nearest to a request that something else has answered, of those that are there for its path, and
    /// why it did not act; nil if there are none.
    package func nearestOfPath(to subject: MatchSubject) -> (stub: Stub, differs: String)? {
        guard let index = index(of: subject.api), !index.hasManyShapes else { return nil }
        let stubs = stubs
        var load = MatchLoad()
        let head = (subject.rawQuery?.utf8.count ?? 0) + subject.fields.wire.count
        let candidates = index.ranks(forPath: subject.segments).prefix(Self.mostOfPath).compactMap { rank -> Stub? in
            guard let stub = Self.find(rank, stubs).map({ stubs[$0] }), !stub.spec.matcher.takesAnyPath,
                stub.spec.matcher.pathCondition?.matches(subject) == true
            else { return nil }
            var more = load
            more.add(stub.spec.matcher)
            guard !more.isHeavy(path: subject.path.utf8.count, head: head, body: subject.content.count) else {
                return nil
            }
            load = more
            return stub
        }
        guard let near = nearest(to: subject, among: candidates, count: 1).first, let id = near.route.stub,
            let stub = candidates.first(where: { $0.id == id })
        else { return nil }
        return (stub, near.route.differs)
    }

    /// Stubs of a path up to which each is held against a request that something else has answered.
    private static let mostOfPath = 100

    private func nearest(to subject: MatchSubject, among stubs: [Stub], count: Int) -> [NearStub] {
        var found: [(distance: Double, stub: Stub, differences: [String])] = []
        for stub in stubs where stub.spec.api == subject.api {
            // One for every path is near to everything; while it is off, that says nothing.
            guard stub.isEnabled || !stub.spec.matcher.takesAnyPath else { continue }
            let differences = stub.spec.matcher.differences(from: subject)
            let distance = stub.spec.matcher.distance(to: subject, differences)
            // A few are kept in order, so that many stubs cost no sorting.
            let place = found.firstIndex { distance < $0.distance } ?? found.count
            guard place < count else { continue }
            found.insert((distance, stub, differences), at: place)
            if found.count > count { found.removeLast() }
        }
        return found.map { distance, stub, differences in
            var words = differences
            if words.isEmpty {
                words.append(
                    stub.isEnabled ? "it was used up, or its when or its states did not allow it" : "it is off"
                )
            }
            let method = stub.spec.matcher.method.map { HTTPMessage.HTTPMethod(rawValue: $0) } ?? subject.method
            let route = NearRoute(
                method: method,
                template: stub.spec.path ?? "**",
                differs: words.prefix(Self.mostWords).joined(separator: "; "),
                stub: stub.id,
                distance: distance
            )
            return NearStub(route: route, isNear: distance < Self.near)
        }
    }

    private static let mostWords = 10
}
