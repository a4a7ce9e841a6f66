/// The `Encoder` for one value: a node of the tree that the containers fill.
///
/// A class, because `Encodable` hands out containers that write into a parent that is still being written.
final class JSONEncodingNode: Encoder {
    private enum Content {
        case nothing
        case scalar(JSON)
        case array([JSONEncodingNode])
        case object([(name: String, node: JSONEncodingNode)])
    }

    let path: [JSONPathElement]
    private var content = Content.nothing
    private var failure: String?

    /// Makes the text of an array of bytes.
    private let bytes: (@Sendable ([UInt8]) -> String)?

    init(path: [JSONPathElement], bytes: (@Sendable ([UInt8]) -> String)?) {
        self.path = path
        self.bytes = bytes
    }

    var codingPath: [any CodingKey] { path.map(JSONPathKey.init) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        switch content {
        case .object: break
        case .nothing: content = .object([])
        default: failure = "encodes itself in two different ways"
        }
        return KeyedEncodingContainer(JSONKeyedEncodingContainer<Key>(node: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch content {
        case .array: break
        case .nothing: content = .array([])
        default: failure = "encodes itself in two different ways"
        }
        return JSONUnkeyedEncodingContainer(node: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleValueEncodingContainer(node: self)
    }

    /// The number of elements encoded so far.
    var count: Int {
        guard case .array(let nodes) = content else { return 0 }
        return nodes.count
    }

    /// A new member; a name that is there already is replaced when the tree is finished.
    func member(_ name: String) -> JSONEncodingNode {
        let node = JSONEncodingNode(path: path + [.key(name)], bytes: bytes)
        guard case .object(var members) = content else { return node }
        // Emptied first, so that the array is not copied for every member.
        content = .nothing
        members.append((name, node))
        content = .object(members)
        return node
    }

    /// A new element.
    func element() -> JSONEncodingNode {
        let node = JSONEncodingNode(path: path + [.index(count)], bytes: bytes)
        guard case .array(var nodes) = content else { return node }
        content = .nothing
        nodes.append(node)
        content = .array(nodes)
        return node
    }

    func set(_ json: JSON) {
        guard case .nothing = content else {
            failure = "encodes itself in two different ways"
            return
        }
        content = .scalar(json)
    }

    func encode(_ value: Double) throws {
        guard value.isFinite else { throw JSONEncodingError(path: path, reason: "\(value) is not a JSON number") }
        set(.double(value))
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else { throw JSONEncodingError(path: path, reason: "\(value) is not a JSON number") }
        // The shortest text of the float, not of the double with the same value: 0.1, not 0.10000000149011612.
        guard let whole = Int64(whole: Double(value)) else {
            return set(.number(JSONNumber(verified: value.description)))
        }
        set(.integer(whole))
    }

    func encodeInteger(_ value: some FixedWidthInteger) {
        set(Int64(exactly: value).map(JSON.integer) ?? .number(JSONNumber(verified: String(value))))
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        // By the type: an empty array of anything could be taken for one of bytes.
        if let bytes, Value.self == [UInt8].self, let content = value as? [UInt8] {
            return set(.string(bytes(content)))
        }
        switch value {
        case let value as JSON: set(value)
        case let value as JSONObject: set(.object(value))
        case let value as String: set(.string(value))
        case let value as Bool: set(.bool(value))
        case let value as Double: try encode(value)
        case let value as Float: try encode(value)
        case let value as any DictionaryOfEncodables: try value.encodeSorted(into: self)
        case let value as any FixedWidthInteger: encodeInteger(value)
        default: try encodeComposite(value)
        }
    }

    private func encodeComposite(_ value: some Encodable) throws {
        do {
            try value.encode(to: self)
        } catch let error as JSONEncodingError {
            throw error
        } catch let error as EncodingError {
            throw JSONEncodingError(error)
        } catch {
            throw JSONEncodingError(path: path, reason: "\(error)")
        }
    }

    /// The finished value.
    func json() throws(JSONEncodingError) -> JSON {
        if let failure { throw JSONEncodingError(path: path, reason: failure) }
        switch content {
        case .nothing:
            throw JSONEncodingError(path: path, reason: "encodes nothing")
        case .scalar(let json):
            return json
        case .array(let nodes):
            var elements: [JSON] = []
            elements.reserveCapacity(nodes.count)
            for node in nodes { elements.append(try node.json()) }
            return .array(elements)
        case .object(let entries):
            var object = JSONObject()
            object.reserveCapacity(entries.count)
            for entry in entries { object.append(entry.name, try entry.node.json()) }
            return .object(object.firstDuplicateIndex() == nil ? object : object.keepingLastDuplicates())
        }
    }
}

extension JSONObject {
    /// Each name once, at the place of its last member.
    fileprivate func keepingLastDuplicates() -> JSONObject {
        var seen = Set<ExactName>()
        return JSONObject(members.reversed().filter { seen.insert(ExactName(text: $0.name)).inserted }.reversed())
    }
}

/// A dictionary with string keys; encoded in the order of its names, since its own order changes from run to run.
protocol DictionaryOfEncodables {
    func encodeSorted(into node: JSONEncodingNode) throws
    func writeSorted(into encoder: JSONTextEncoder) throws
}

extension Dictionary: DictionaryOfEncodables where Key == String, Value: Encodable {
    func encodeSorted(into node: JSONEncodingNode) throws {
        _ = node.container(keyedBy: JSONPathKey.self)
        for (name, value) in sorted(by: { $0.key < $1.key }) { try node.member(name).encode(value) }
    }

    func writeSorted(into encoder: JSONTextEncoder) throws {
        try encoder.object {
            for (name, value) in sorted(by: { $0.key < $1.key }) {
                encoder.name(name)
                try encoder.write(value)
            }
        }
    }
}
