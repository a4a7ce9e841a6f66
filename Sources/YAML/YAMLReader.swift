package import JSON

/// Reads a YAML text as a JSON value: the core schema of YAML 1.2 and merges with `<<`; a scalar key is its text.
package struct YAMLReader: ~Copyable {
    /// The limits of a text (own-API contract, section 22).
    package struct Limits: Sendable {
        /// Bytes of the text.
        package var bytes: Int
        /// Mappings and sequences inside one another.
        package var depth: Int
        /// Values after aliases, mappings and sequences among them.
        package var nodes: Int
        /// Bytes of all names and texts after aliases.
        package var written: Int

        /// Creates limits, by default those of the contract.
        package init(bytes: Int = 8 << 20, depth: Int = 128, nodes: Int = 500_000, written: Int = 16 << 20) {
            self.bytes = bytes
            self.depth = depth
            self.nodes = nodes
            self.written = written
        }
    }

    /// A value with its places and its size.
    fileprivate struct Node {
        var value: JSON
        var place: PlacedNode
        /// Values in it, itself included.
        var count = 1
        /// Bytes of the names and texts in it.
        var bytes = 0
        /// Levels of mappings and sequences; 0 for a scalar.
        var height = 0
    }

    /// The state of what a name stands for.
    private enum Anchor {
        /// The node is still being read: an alias of it would contain itself.
        case open
        case complete(Node)
    }

    private var events: YAMLEvents
    private let limits: Limits
    private var anchors: [String: Anchor] = [:]
    private var nodes = 0
    private var written = 0
    /// The texts of plain scalars that their values don't show.
    private var texts: [YAMLPlace: String] = [:]

    private init(_ bytes: [UInt8], limits: Limits) throws(YAMLError) {
        guard bytes.count <= limits.bytes else {
            throw YAMLError(line: 1, column: 1, message: "more than \(limits.bytes) bytes")
        }
        events = try YAMLEvents(bytes)
        self.limits = limits
    }

    /// Reads the one document of a text.
    package static func read(
        _ bytes: [UInt8],
        limits: Limits = Limits()
    ) throws(YAMLError) -> (JSON, YAMLPositions) {
        var reader = try YAMLReader(bytes, limits: limits)
        return try reader.document()
    }

    private mutating func document() throws(YAMLError) -> (JSON, YAMLPositions) {
        _ = try events.next()
        let start = try events.next()
        guard case .documentStart = start.kind else {
            throw YAMLError(line: 1, column: 1, message: "there is no document")
        }
        let root = try node(try events.next(), depth: 0)
        _ = try events.next()
        let end = try events.next()
        guard case .streamEnd = end.kind else { throw error(end, "a second document begins here") }
        return (root.value, YAMLPositions(root.value, root.place, texts: texts))
    }

    private func error(_ event: YAMLEvent, _ message: String) -> YAMLError {
        YAMLError(line: event.line, column: event.column, message: message)
    }

    private mutating func count(_ event: YAMLEvent, _ more: Int, bytes: Int = 0) throws(YAMLError) {
        nodes += more
        guard nodes <= limits.nodes else { throw error(event, "more than \(limits.nodes) values, aliases written out") }
        written += bytes
        guard written <= limits.written else {
            throw error(event, "more than \(limits.written) bytes of names and texts, aliases written out")
        }
    }

    private func checkDepth(_ event: YAMLEvent, _ depth: Int) throws(YAMLError) {
        guard depth <= limits.depth else {
            throw error(event, "more than \(limits.depth) mappings and sequences inside one another")
        }
    }

    /// Reads the node that an event begins; `depth` counts what it lies in.
    private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> Node {
        let name: String?
        let node: Node
        switch event.kind {
        case .alias(let name):
            return try alias(name, event, depth: depth)
        case .scalar(let text, _, let isPlain, let anchor):
            try count(event, 1, bytes: text.utf8.count)
            name = anchor
            node = Node(value: try scalar(event), place: place(event), bytes: text.utf8.count)
            if isPlain { note(text, of: node) }
        case .sequenceStart(let tag, let anchor):
            try begin(event, tag, .sequence, anchor, depth: depth)
            name = anchor
            node = try sequence(event, depth: depth + 1)
        case .mappingStart(let tag, let anchor):
            try begin(event, tag, .mapping, anchor, depth: depth)
            name = anchor
            node = try mapping(event, depth: depth + 1)
        default:
            throw error(event, "expected a value")
        }
        if let name { anchors[name] = .complete(node) }
        return node
    }

    private mutating func begin(
        _ event: YAMLEvent,
        _ tag: String?,
        _ kind: CoreSchema.Tag,
        _ anchor: String?,
        depth: Int
    ) throws(YAMLError) {
        try count(event, 1)
        try checkDepth(event, depth + 1)
        if let tag, tag != "!", try coreTag(tag, event) != kind {
            throw error(event, "the tag \(Self.shown(tag)) does not fit a \(kind == .mapping ? "mapping" : "sequence")")
        }
        if let anchor { anchors[anchor] = .open }
    }

    private mutating func alias(_ name: String, _ event: YAMLEvent, depth: Int) throws(YAMLError) -> Node {
        switch anchors[name] {
        case .complete(let node):
            try count(event, node.count, bytes: node.bytes)
            try checkDepth(event, depth + node.height)
            return node
        case .open: throw error(event, "the alias *\(name.cut) refers to itself")
        case nil: throw error(event, "the alias *\(name.cut) is not defined")
        }
    }

    /// Notes the text of a number or a truth value that is spelled in another way than JSON does.
    private mutating func note(_ text: String, of node: Node) {
        switch node.value {
        case .bool, .integer, .number: break
        case .null, .string, .array, .object: return
        }
        guard node.value.text != text else { return }
        texts[YAMLPlace(line: node.place.line, column: node.place.column)] = text
    }

    private func scalar(_ event: YAMLEvent) throws(YAMLError) -> JSON {
        guard case .scalar(let text, let tag, let isPlain, _) = event.kind else { return .null }
        do throws(CoreSchema.NoValue) {
            if isPlain { return try CoreSchema.value(ofPlain: text) }
        } catch {
            throw self.error(event, error.reason)
        }
        guard let tag, tag != "!" else { return .string(text) }
        let known = try coreTag(tag, event)
        do throws(CoreSchema.NoValue) {
            return try CoreSchema.value(of: text, tagged: known)
        } catch {
            throw self.error(event, error.reason)
        }
    }

    private func coreTag(_ tag: String, _ event: YAMLEvent) throws(YAMLError) -> CoreSchema.Tag {
        let prefix = "tag:yaml.org,2002:"
        if tag.hasPrefix(prefix), let known = CoreSchema.Tag(rawValue: String(tag.dropFirst(prefix.count))) {
            return known
        }
        throw error(event, "the tag \(Self.shown(tag)) is not one of YAML's core schema")
    }

    private static func shown(_ tag: String) -> String {
        let prefix = "tag:yaml.org,2002:"
        return (tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag).cut
    }

    private func place(_ event: YAMLEvent) -> PlacedNode {
        PlacedNode(line: Int32(clamping: event.line), column: Int32(clamping: event.column))
    }

    private mutating func sequence(_ start: YAMLEvent, depth: Int) throws(YAMLError) -> Node {
        var elements: [JSON] = []
        var whole = Node(value: .null, place: place(start), height: 1)
        while true {
            let event = try events.next()
            if case .sequenceEnd = event.kind { break }
            let element = try node(event, depth: depth)
            elements.append(element.value)
            whole.add(element, at: element.place)
        }
        whole.value = .array(elements)
        return whole
    }

    private mutating func mapping(_ start: YAMLEvent, depth: Int) throws(YAMLError) -> Node {
        var members: [JSONObject.Member] = []
        var whole = Node(value: .null, place: place(start), height: 1)
        var names: Set<ExactName> = []
        var merge: (place: Int, sources: [Node])?
        while true {
            let key = try events.next()
            if case .mappingEnd = key.kind { break }
            let (name, isMerge) = try name(key)
            try count(key, 0, bytes: name.utf8.count)
            guard names.insert(ExactName(text: name)).inserted else {
                throw error(key, "the mapping already has the key \(JSON.string(name.cut).text)")
            }
            let event = try events.next()
            let value = try node(event, depth: depth)
            if isMerge {
                names.remove(ExactName(text: name))
                guard merge == nil else { throw error(key, "the mapping already has a merge") }
                merge = (members.count, try Self.mergeSources(value, error(event, "only mappings can be merged")))
            } else {
                members.append(JSONObject.Member(name: name, value: value.value))
                var place = value.place
                let text = texts[YAMLPlace(line: place.line, column: place.column)]
                if place.line != key.line {
                    place.line = Int32(clamping: key.line)
                    place.column = Int32(clamping: key.column)
                    if let text { texts[YAMLPlace(line: place.line, column: place.column)] = text }
                }
                whole.bytes += name.utf8.count
                whole.add(value, at: place)
            }
        }
        if let merge { Self.merge(merge.sources, at: merge.place, into: &whole, &members, names) }
        whole.value = .object(JSONObject(members))
        return whole
    }

    /// The text of a key, which is a scalar or an alias of one.
    private mutating func name(_ key: YAMLEvent) throws(YAMLError) -> (name: String, isMerge: Bool) {
        switch key.kind {
        case .scalar(let text, let tag, let isPlain, let anchor):
            if let tag, tag != "!" { _ = try coreTag(tag, key) }
            if let anchor { anchors[anchor] = .complete(Node(value: .string(text), place: place(key))) }
            return (text, isPlain && text == "<<")
        case .alias(let name):
            if case .complete(let node) = anchors[name] {
                switch node.value {
                case .string(let text): return (text, false)
                case .null, .bool, .integer, .number: return (node.value.text, false)
                case .array, .object: break
                }
            }
            throw error(key, "a key is a scalar; *\(name.cut) is not")
        default: throw error(key, "a key is a scalar; this is a mapping or a sequence")
        }
    }

    private static func mergeSources(_ value: Node, _ error: YAMLError) throws(YAMLError) -> [Node] {
        switch value.value {
        case .object: return [value]
        case .array(let elements):
            var sources: [Node] = []
            for (element, place) in zip(elements, value.place.parts) {
                guard case .object = element else { throw error }
                // The whole is counted once.
                let (count, bytes) = sources.isEmpty ? (value.count, value.bytes) : (0, 0)
                sources.append(Node(value: element, place: place, count: count, bytes: bytes, height: value.height))
            }
            return sources
        default: throw error
        }
    }

    /// Puts the members of other mappings in, where the mapping and earlier ones have none of their names.
    private static func merge(
        _ sources: [Node],
        at place: Int,
        into whole: inout Node,
        _ members: inout [JSONObject.Member],
        _ names: Set<ExactName>
    ) {
        var names = names
        var added: [JSONObject.Member] = []
        var places: [PlacedNode] = []
        for source in sources {
            guard case .object(let object) = source.value else { continue }
            for (member, part) in zip(object.members, source.place.parts)
            where names.insert(ExactName(text: member.name)).inserted {
                added.append(member)
                places.append(part)
            }
            // More than the members that are taken, so that the limit holds for what is left of them as well.
            whole.count += source.count
            whole.bytes += source.bytes
            whole.height = max(whole.height, source.height)
        }
        members.insert(contentsOf: added, at: place)
        whole.place.parts.insert(contentsOf: places, at: place)
    }
}

extension YAMLReader.Node {
    /// Counts a part and notes its place.
    fileprivate mutating func add(_ part: Self, at place: PlacedNode) {
        self.place.parts.append(place)
        count += part.count
        bytes += part.bytes
        height = max(height, part.height + 1)
    }
}
