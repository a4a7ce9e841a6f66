/// A container that notes the members a type asks for.
struct SchemaKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: SchemaProbe

    var codingPath: [any CodingKey] { probe.codingPath }

    var allKeys: [Key] {
        probe.noteDynamicKeys()
        return []
    }

    func contains(_ key: Key) -> Bool {
        probe.noteOptional(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool {
        probe.noteNullable(key.stringValue)
        return false
    }

    private func required<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        let part = try probe.survey.value(of: type, at: probe.path + [.key(key.stringValue)])
        probe.noteProperty(key.stringValue, part.schema, isRequired: true)
        return part.value
    }

    /// Returns nil: an optional member need not satisfy the type's checks.
    private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        let schema = try probe.survey.schema(of: type, at: probe.path + [.key(key.stringValue)])
        probe.noteProperty(key.stringValue, schema, isRequired: false)
        return nil
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try required(type, key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try required(type, key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try required(type, key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try required(type, key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try required(type, key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try required(type, key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try required(type, key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try required(type, key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try required(type, key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try required(type, key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try required(type, key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try required(type, key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try required(type, key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try required(type, key) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try required(type, key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, key) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try optional(type, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<NestedKey> {
        probe.nest(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        probe.nest(key.stringValue).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { probe.nest("super") }

    func superDecoder(forKey key: Key) -> any Decoder { probe.nest(key.stringValue) }
}

/// Takes notes of the elements a type asks for; pretends to have one, and as many more as the type insists on.
struct SchemaUnkeyedContainer: UnkeyedDecodingContainer {
    let probe: SchemaProbe
    private(set) var currentIndex = 0

    init(probe: SchemaProbe) { self.probe = probe }

    var codingPath: [any CodingKey] { probe.codingPath }
    var count: Int? { nil }
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let part = try probe.survey.value(of: type, at: probe.path + [.index(currentIndex)])
        probe.noteElement(part.schema)
        currentIndex += 1
        return part.value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedDecodingContainer<NestedKey> {
        currentIndex += 1
        return probe.nest(nil).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        currentIndex += 1
        return probe.nest(nil).unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder {
        currentIndex += 1
        return probe.nest(nil)
    }
}

/// A container that notes the one value a type asks for.
struct SchemaSingleValueContainer: SingleValueDecodingContainer {
    let probe: SchemaProbe

    var codingPath: [any CodingKey] { probe.codingPath }

    func decodeNil() -> Bool {
        probe.noteNullable()
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let part = try probe.survey.value(of: type, at: probe.path)
        probe.noteSingle(part.schema)
        return part.value
    }
}
