/// Writes members into an object node.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: JSONEncodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    func encodeNil(forKey key: Key) { node.member(key.stringValue).set(.null) }
    func encode(_ value: Bool, forKey key: Key) { node.member(key.stringValue).set(.bool(value)) }
    func encode(_ value: String, forKey key: Key) { node.member(key.stringValue).set(.string(value)) }
    func encode(_ value: Double, forKey key: Key) throws { try node.member(key.stringValue).encode(value) }
    func encode(_ value: Float, forKey key: Key) throws { try node.member(key.stringValue).encode(value) }
    func encode(_ value: Int, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }
    func encode(_ value: Int8, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }
    func encode(_ value: Int16, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }
    func encode(_ value: Int32, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }
    func encode(_ value: Int64, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }
    func encode(_ value: UInt, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }
    func encode(_ value: UInt8, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }
    func encode(_ value: UInt16, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }
    func encode(_ value: UInt32, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }
    func encode(_ value: UInt64, forKey key: Key) { node.member(key.stringValue).encodeInteger(value) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try node.member(key.stringValue).encode(value)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        node.member(key.stringValue).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        node.member(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { node.member("super") }

    func superEncoder(forKey key: Key) -> any Encoder { node.member(key.stringValue) }
}

/// Writes elements into an array node.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
    let node: JSONEncodingNode

    var codingPath: [any CodingKey] { node.codingPath }
    var count: Int { node.count }

    func encodeNil() { node.element().set(.null) }
    func encode(_ value: Bool) { node.element().set(.bool(value)) }
    func encode(_ value: String) { node.element().set(.string(value)) }
    func encode(_ value: Double) throws { try node.element().encode(value) }
    func encode(_ value: Float) throws { try node.element().encode(value) }
    func encode(_ value: Int) { node.element().encodeInteger(value) }
    func encode(_ value: Int8) { node.element().encodeInteger(value) }
    func encode(_ value: Int16) { node.element().encodeInteger(value) }
    func encode(_ value: Int32) { node.element().encodeInteger(value) }
    func encode(_ value: Int64) { node.element().encodeInteger(value) }
    func encode(_ value: UInt) { node.element().encodeInteger(value) }
    func encode(_ value: UInt8) { node.element().encodeInteger(value) }
    func encode(_ value: UInt16) { node.element().encodeInteger(value) }
    func encode(_ value: UInt32) { node.element().encodeInteger(value) }
    func encode(_ value: UInt64) { node.element().encodeInteger(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try node.element().encode(value) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        node.element().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.element().unkeyedContainer() }

    func superEncoder() -> any Encoder { node.element() }
}

/// Writes the one value of a node.
struct JSONSingleValueEncodingContainer: SingleValueEncodingContainer {
    let node: JSONEncodingNode

    var codingPath: [any CodingKey] { node.codingPath }

    func encodeNil() { node.set(.null) }
    func encode(_ value: Bool) { node.set(.bool(value)) }
    func encode(_ value: String) { node.set(.string(value)) }
    func encode(_ value: Double) throws { try node.encode(value) }
    func encode(_ value: Float) throws { try node.encode(value) }
    func encode(_ value: Int) { node.encodeInteger(value) }
    func encode(_ value: Int8) { node.encodeInteger(value) }
    func encode(_ value: Int16) { node.encodeInteger(value) }
    func encode(_ value: Int32) { node.encodeInteger(value) }
    func encode(_ value: Int64) { node.encodeInteger(value) }
    func encode(_ value: UInt) { node.encodeInteger(value) }
    func encode(_ value: UInt8) { node.encodeInteger(value) }
    func encode(_ value: UInt16) { node.encodeInteger(value) }
    func encode(_ value: UInt32) { node.encodeInteger(value) }
    func encode(_ value: UInt64) { node.encodeInteger(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try node.encode(value) }
}
