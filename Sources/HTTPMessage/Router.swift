/// Finds the endpoint for a path by a trie in flat arrays.
///
/// At each segment a literal wins over a parameter, and a parameter over a rest; where the better choice leads nowhere
/// the others are tried. A path of literals is matched without an allocation, and the time does not depend on the
/// number of rows but on how many literals share a parent.
package struct Router: Sendable {
    /// An endpoint as the table has it.
    package struct Row: Sendable {
        package let method: HTTPMethod
        package let template: RouteTemplate
        /// The caller's own number for it.
        package let index: Int

        package init(method: HTTPMethod, template: RouteTemplate, index: Int) {
            self.method = method
            self.template = template
            self.index = index
        }
    }

    /// Two rows that take the same requests; parameter names do not tell them apart.
    package struct Conflict: Error, Sendable, CustomStringConvertible {
        package let first: Row
        package let second: Row

        package var description: String {
            "\(first.method.rawValue) \(first.template.text) and \(second.template.text) take the same requests."
        }
    }

    /// The endpoint that a path leads to.
    package struct Match: Sendable {
        /// The rows of that path in the order of the table, one for each method.
        package let rows: ArraySlice<Row>
        /// The values of the template's parameters in order, decoded.
        package let parameters: [String]

        /// The row for a method.
        package func row(for method: HTTPMethod) -> Row? { rows.first { $0.method == method } }

        /// The methods in the order of the table, for Allow.
        package var allowedMethods: [HTTPMethod] { rows.map(\.method) }
    }

    /// The result of routing a request.
    package enum Outcome: Sendable {
        case found(Row, parameters: [String])
        /// The path is known, but not with that method; the methods it has, in the order of the table.
        case methodNotAllowed([HTTPMethod])
        case notFound
    }

    private struct Node: Sendable {
        var edges: Range<Int> = 0..<0
        var parameterChild = -1
        var rows: Range<Int> = 0..<0
        var restRows: Range<Int> = 0..<0
    }

    private struct Edge: Sendable {
        let literal: String
        let child: Int
    }

    /// The trie in one object, so that a look at it copies one reference.
    private let trie: Trie
    /// As given, with the literals for `nearest(to:method:)`.
    let suggestions: RouteSuggestions

    /// A router for a table; throws when two rows take the same requests.
    package init(_ table: [Row]) throws(Conflict) {
        suggestions = RouteSuggestions(table)
        var root = Builder()
        for row in table { try root.insert(row, at: 0) }
        trie = Trie(root)
    }

    /// The rows for a path with the values of its parameters, or nil when there are none.
    ///
    /// Where several templates take the path, the rows are those of the best; `route` looks at the others too. A
    /// trailing slash is not looked at.
    package func match(_ path: Path) -> Match? {
        var captured: [String] = []
        var found: Range<Int>?
        _ = trie.visit(0, path.segments, 0, &captured) { range in
            found = range
            return true
        }
        return found.map { Match(rows: trie.rows[$0], parameters: captured) }
    }

    /// The row for a request: the best template that has the method.
    package func route(_ method: HTTPMethod, _ path: Path) -> Outcome {
        if let row = trie.literalRow(method, path.segments) { return .found(row, parameters: []) }
        var captured: [String] = []
        var row: Row?
        var others: [Row] = []
        let rows = trie.rows
        _ = trie.visit(0, path.segments, 0, &captured) { range in
            for place in range where rows[place].method == method {
                row = rows[place]
                return true
            }
            others += rows[range]
            return false
        }
        if let row { return .found(row, parameters: captured) }
        guard !others.isEmpty else { return .notFound }
        // Only several templates for one path can be out of order or name a method twice.
        var allowed: [HTTPMethod] = []
        for method in suggestions.methodsInOrder(of: others) where !allowed.contains(method) { allowed.append(method) }
        return .methodNotAllowed(allowed)
    }

    /// Nodes, edges and rows in flat arrays.
    private final class Trie: Sendable {
        private let nodes: [Node]
        private let edges: [Edge]
        /// Grouped by where they end.
        let rows: [Row]

        init(_ root: Builder) {
            var layout = Layout()
            layout.lay(root, at: 0)
            nodes = layout.nodes
            edges = layout.edges
            rows = layout.rows
        }

        /// The row when literals alone lead to it, which wins over every other.
        func literalRow(_ method: HTTPMethod, _ segments: [String]) -> Row? {
            var node = 0
            for segment in segments {
                var next = -1
                for place in nodes[node].edges where segment.isSameSegment(as: edges[place].literal) {
                    next = edges[place].child
                    break
                }
                guard next >= 0 else { return nil }
                node = next
            }
            for place in nodes[node].rows where rows[place].method == method { return rows[place] }
            return nil
        }

        /// Calls `isDone` with the rows of each template that takes the segments, best first, until it answers true.
        ///
        /// `captured` then holds that template's parameters.
        func visit(
            _ node: Int,
            _ segments: [String],
            _ depth: Int,
            _ captured: inout [String],
            _ isDone: (Range<Int>) -> Bool
        ) -> Bool {
            guard depth < segments.count else {
                return !nodes[node].rows.isEmpty && isDone(nodes[node].rows)
            }
            for place in nodes[node].edges where segments[depth].isSameSegment(as: edges[place].literal) {
                if visit(edges[place].child, segments, depth + 1, &captured, isDone) { return true }
                break
            }
            if nodes[node].parameterChild >= 0 {
                captured.append(segments[depth])
                if visit(nodes[node].parameterChild, segments, depth + 1, &captured, isDone) { return true }
                captured.removeLast()
            }
            if !nodes[node].restRows.isEmpty {
                captured.append(segments[depth...].joined(separator: "/"))
                if isDone(nodes[node].restRows) { return true }
                captured.removeLast()
            }
            return false
        }
    }

    private struct Layout {
        var nodes = [Node()]
        var edges: [Edge] = []
        var rows: [Row] = []

        mutating func lay(_ builder: Builder, at place: Int) {
            nodes[place].rows = rows.count..<rows.count + builder.rows.count
            rows += builder.rows
            nodes[place].restRows = rows.count..<rows.count + builder.restRows.count
            rows += builder.restRows
            let firstChild = nodes.count
            nodes[place].edges = edges.count..<edges.count + builder.literals.count
            for (offset, child) in builder.literals.enumerated() {
                edges.append(Edge(literal: child.literal, child: firstChild + offset))
                nodes.append(Node())
            }
            for (offset, child) in builder.literals.enumerated() { lay(child.node, at: firstChild + offset) }
            if let child = builder.parameter.first {
                let parameterChild = nodes.count
                nodes[place].parameterChild = parameterChild
                nodes.append(Node())
                lay(child, at: parameterChild)
            }
        }
    }

    /// The trie while rows are added.
    private struct Builder {
        var literals: [(literal: String, node: Builder)] = []
        /// One at most; an array, since a struct cannot hold itself.
        var parameter: [Builder] = []
        var rows: [Row] = []
        var restRows: [Row] = []

        mutating func insert(_ row: Row, at depth: Int) throws(Conflict) {
            guard depth < row.template.segments.count else {
                if let first = rows.first(where: { $0.method == row.method }) {
                    throw Conflict(first: first, second: row)
                }
                rows.append(row)
                return
            }
            switch row.template.segments[depth] {
            case .literal(let literal):
                let place = literals.firstIndex { $0.literal == literal } ?? literals.endIndex
                if place == literals.endIndex { literals.append((literal, Builder())) }
                try literals[place].node.insert(row, at: depth + 1)
            case .parameter:
                if parameter.isEmpty { parameter.append(Builder()) }
                try parameter[0].insert(row, at: depth + 1)
            case .rest:
                if let first = restRows.first(where: { $0.method == row.method }) {
                    throw Conflict(first: first, second: row)
                }
                restRows.append(row)
            }
        }
    }
}
