import JSON

/// The measures of a template by which the work of filling it is estimated.
package struct TemplateLoad: Hashable, Sendable {
    /// The bytes that are there without placeholders.
    package var bytes = 0
    /// The bytes of content that is sent as it is.
    package var settled = 0
    package var placeholders = 0
    /// The placeholders that insert or look through the path and the query, the fields and the body of a request.
    package var lines = 0
    package var fields = 0
    package var bodies = 0

    package init(settled: Int = 0) { self.settled = settled }

    package static func + (left: TemplateLoad, right: TemplateLoad) -> TemplateLoad {
        var sum = left
        sum.bytes += right.bytes
        sum.settled += right.settled
        sum.placeholders += right.placeholders
        sum.lines += right.lines
        sum.fields += right.fields
        sum.bodies += right.bodies
        return sum
    }

    /// The larger one of each measure.
    package func joined(with other: TemplateLoad) -> TemplateLoad {
        var larger = self
        larger.bytes = max(bytes, other.bytes)
        larger.settled = max(settled, other.settled)
        larger.placeholders = max(placeholders, other.placeholders)
        larger.lines = max(lines, other.lines)
        larger.fields = max(fields, other.fields)
        larger.bodies = max(bodies, other.bodies)
        return larger
    }

    /// Tells whether the request's length matters.
    package var looksAtRequest: Bool { lines != 0 || fields != 0 || bodies != 0 }

    /// Returns the approximate nanoseconds of filling it for a request whose path and query, fields and body have so many
    /// bytes.
    package func work(line: @autoclosure () -> Int, fields: Int, body: Int) -> Int {
        // The path is written out for that.
        let lines = lines == 0 ? 0 : lines * line()
        let inserted = bytes + settled + lines + self.fields * fields + bodies * body
        return placeholders * Self.nanosecondsOfPlaceholder + inserted * Self.nanosecondsOfByte
    }

    /// A filter such as `base64`, and the writing of the result, look at each byte several times.
    private static let nanosecondsOfByte = 20
    private static let nanosecondsOfPlaceholder = 1_000
}

extension Template {
    /// Its measures.
    package var load: TemplateLoad {
        var load = TemplateLoad()
        Self.add(root, to: &load)
        return load
    }

    private static func add(_ node: Node, to load: inout TemplateLoad) {
        switch node {
        case .constant(let json): load.bytes += json.text(upTo: largestContent).utf8.count
        case .single(let piece): load.add(piece)
        case .text(let segments):
            for segment in segments {
                switch segment {
                case .plain(let text): load.bytes += text.utf8.count
                case .piece(let piece): load.add(piece)
                }
            }
        case .array(let nodes): for node in nodes { add(node, to: &load) }
        case .object(let members):
            for member in members {
                load.bytes += member.name.utf8.count
                add(member.node, to: &load)
            }
        }
    }
}

extension TemplateLoad {
    fileprivate mutating func add(_ piece: TemplatePiece) {
        placeholders += 1
        switch piece.placeholder {
        case .path, .query, .requestPath: lines += 1
        case .header, .requestID, .requestMethod, .base: fields += 1
        case .body: bodies += 1
        case .user, .time, .uuid, .chance, .pick, .counter, .state, .local: break
        }
    }
}
