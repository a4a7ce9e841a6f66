import Basics
package import HTTPMessage

/// A route that a request may have been meant for.
package struct NearRoute: Sendable {
    package let method: HTTPMessage.HTTPMethod
    package let template: String
    /// The difference, in words.
    package let differs: String
    /// The id of the stub; nil for a route and for an entry of a recording.
    package let stub: String?
    /// The number of differences; another path counts the more the less of it is alike.
    package let distance: Double

    package init(
        method: HTTPMessage.HTTPMethod,
        template: String,
        differs: String,
        stub: String? = nil,
        distance: Double = .infinity
    ) {
        self.stub = stub
        self.distance = distance
        self.method = method
        self.template = template
        self.differs = differs
    }
}

extension NearRoute {
    /// The distance of two paths: one and what is not alike at their beginnings and ends, up to five; 0 if they are the
    /// same.
    package static func distance(_ known: String, _ sent: String) -> Double {
        let (left, right) = (Array(known.utf8), Array(sent.utf8))
        guard left != right else { return 0 }
        let same = zip(left, right).prefix { $0 == $1 }.count
        let rest = min(left.count, right.count) - same
        let end = zip(left.reversed(), right.reversed()).prefix(rest).prefix { $0 == $1 }.count
        return 1 + 4 * (1 - Double(same + end) / Double(max(left.count, right.count)))
    }

    /// The distance of another method.
    package static let otherMethod = 2.0

    /// Returns lists, each of which is in order already, as one list with the nearest first; of equals the first list's.
    package static func merged(_ lists: [[NearRoute]], count: Int) -> [NearRoute] {
        var rest = lists.map { $0[...] }
        var merged: [NearRoute] = []
        while merged.count < count {
            let first = rest.indices.filter { !rest[$0].isEmpty }
                .min { rest[$0][rest[$0].startIndex].distance < rest[$1][rest[$1].startIndex].distance }
            guard let first, let next = rest[first].popFirst() else { break }
            merged.append(next)
        }
        return merged
    }
}
