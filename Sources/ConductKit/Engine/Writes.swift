import HTTPMessage

/// The writes of each place, after which no cache keeps what they may have changed (RFC 9111, section 4.4): what is at
/// the path and at those that the answer names, the lists above it and what lies below it.
package struct Writes: Sendable {
    private struct Target: Hashable {
        /// An API too has places of its own.
        var place: Int32
        var path: String
    }

    /// The ends of the last writes to a path, in microseconds.
    private var to: [Target: Int64] = [:]
    /// Those of the last writes to something below a path.
    private var below: [Target: Int64] = [:]

    package mutating func note(_ x: JudgedExchange) {
        var paths = [x.exchange.path]
        for reference in [x.exchange.responseFields[.location], x.exchange.responseFields["Content-Location"]] {
            paths += reference.map { Addresses.targets($0, of: x.exchange) } ?? []
        }
        for path in paths {
            for (step, target) in Self.targets(x.row.place, path).enumerated() {
                if step == 0 {
                    to[target] = max(to[target] ?? .min, x.row.end)
                } else {
                    below[target] = max(below[target] ?? .min, x.row.end)
                }
            }
        }
    }

    /// The end of the last write that may have changed what a request asks for; nil if there was none.
    package func end(about x: JudgedExchange) -> Int64? {
        guard !to.isEmpty else { return nil }
        let targets = Self.targets(x.row.place, x.exchange.path)
        return (targets.map { to[$0] } + [targets.first.flatMap { below[$0] }]).compactMap { $0 }.max()
    }

    /// A path without its query, and then those above it.
    private static func targets(_ place: Int32, _ path: String) -> [Target] {
        var segments = path.prefix { $0 != "?" }.split(separator: "/")
        var targets = [Target(place: place, path: segments.joined(separator: "/"))]
        while segments.popLast() != nil { targets.append(Target(place: place, path: segments.joined(separator: "/"))) }
        return targets
    }
}
