/// The members of one object as a decoding container.
struct JSONKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let members: JSONObjectIndex
    let path: [JSONPathElement]
    private let journal: MemberJournal?
    private let place: Int

    init(_ object: JSONObject, path: [JSONPathElement], journal: MemberJournal?) {
        members = JSONObjectIndex(object)
        self.path = path
        self.journal = journal
        place = journal?.open(object, at: path) ?? 0
    }

    var codingPath: [any CodingKey] { path.map(JSONPathKey.init) }

    var allKeys: [Key] {
        let keys = members.names.compactMap(Key.init(stringValue:))
        for key in keys { journal?.ask(key.stringValue, in: place) }
        return keys
    }

    func contains(_ key: Key) -> Bool { find(key.stringValue) != nil }

    private func find(_ name: String) -> JSON? {
        journal?.ask(name, in: place)
        return members[name]
    }

    private func decoder(_ name: String) throws -> JSONValueDecoder {
        guard let value = find(name) else { throw JSONDecodingError(path: path + [.key(name)], reason: "missing") }
        return JSONValueDecoder(value: value, path: path + [.key(name)], journal: journal)
    }

    // Paths are made for errors only: a path for each member costs more than all the rest of its decoding.

    func decodeNil(forKey key: Key) throws -> Bool {
        if let value = find(key.stringValue) { return value.isNull }
        return try decoder(key.stringValue).value.isNull
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        if let value = find(key.stringValue)?.boolValue { return value }
        return try decoder(key.stringValue).decode(type)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        if let value = find(key.stringValue)?.stringValue { return value }
        return try decoder(key.stringValue).decode(type)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key.stringValue).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key.stringValue).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(key.stringValue).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(key.stringValue).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(key.stringValue).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(key.stringValue).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(key.stringValue).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(key.stringValue).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(key.stringValue).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(key.stringValue).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(key.stringValue).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(key.stringValue).decode(type) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key.stringValue).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key.stringValue).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder("super") }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key.stringValue) }
}
