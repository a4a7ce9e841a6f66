/// The `Encoder` that writes the text of a value at once, without a tree of its parts.
///
/// It covers types that encode each member once and in order, as synthesized conformances do. For anything else
/// (containers inside containers, two containers at one level, a value that encodes nothing) it sets `isBeyond`, and the
/// caller takes the tree.
final class JSONTextEncoder: Encoder {
    /// The container that a value has opened for itself.
    private enum Level { case nothing, scalar, array, object }

    private(set) var writer: JSONWriter
    /// Tells that the text is not that of the value.
    private(set) var isBeyond = false
    private var level = Level.nothing
    /// Makes the text of an array of bytes.
    private let bytes: (@Sendable ([UInt8]) -> String)?

    init(bytes: (@Sendable ([UInt8]) -> String)?) {
        self.bytes = bytes
        writer = JSONWriter()
    }

    /// Empty: only errors name it, and the tree makes those.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        open(.object)
        return KeyedEncodingContainer(JSONTextKeyedContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        open(.array)
        return JSONTextUnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONTextValueContainer(encoder: self) }

    private func open(_ new: Level) {
        guard level == .nothing else { return isBeyond = true }
        level = new
        if new == .object { writer.beginObject() } else { writer.beginArray() }
    }

    /// Takes what only the tree can write.
    func giveUp() -> JSONEncodingNode {
        isBeyond = true
        return JSONEncodingNode(path: [], bytes: bytes)
    }

    // MARK: Members, elements and values

    func name(_ key: some CodingKey) { writer.name(key.stringValue) }

    func null() { writer.null() }
    func write(_ value: Bool) { writer.bool(value) }
    func write(_ value: String) { writer.string(value) }

    func write(_ value: Double) {
        guard value.isFinite else { return isBeyond = true }
        writer.double(value)
    }

    func writeInteger(_ value: some FixedWidthInteger) {
        if let value = Int64(exactly: value) { writer.integer(value) } else { writer.raw(String(value)) }
    }

    /// The one value of a level.
    func single(_ write: () throws -> Void) rethrows {
        guard level == .nothing else { return isBeyond = true }
        try write()
        level = .scalar
    }

    func write<Value: Encodable>(_ value: Value) throws {
        guard !isBeyond else { return }
        // By the type: an empty array of anything could be taken for one of bytes.
        if let bytes, Value.self == [UInt8].self, let content = value as? [UInt8] {
            return writer.string(bytes(content))
        }
        if Value.self == String.self, let value = value as? String { return writer.string(value) }
        if Value.self == Int.self, let value = value as? Int { return writeInteger(value) }
        if Value.self == UInt64.self, let value = value as? UInt64 { return writeInteger(value) }
        if Value.self == JSON.self, let value = value as? JSON { return writer.write(value) }
        if Value.self == JSONObject.self, let value = value as? JSONObject { return writer.write(object: value) }
        if let value = value as? any DictionaryOfEncodables { return try value.writeSorted(into: self) }
        try writeComposite(value)
    }

    private func writeComposite(_ value: some Encodable) throws {
        let outer = level
        level = .nothing
        try value.encode(to: self)
        switch level {
        case .nothing: isBeyond = true
        case .scalar: break
        case .array: writer.endArray()
        case .object: writer.endObject()
        }
        level = outer
    }

    /// An object of those members, in order.
    func object(_ write: () throws -> Void) rethrows {
        writer.beginObject()
        try write()
        writer.endObject()
    }

    func name(_ name: String) { writer.name(name) }
}

/// Writes the members of an object.
private struct JSONTextKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONTextEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { named(key).null() }
    func encode(_ value: Bool, forKey key: Key) { named(key).write(value) }
    func encode(_ value: String, forKey key: Key) { named(key).write(value) }
    func encode(_ value: Double, forKey key: Key) { named(key).write(value) }
    func encode(_ value: Float, forKey key: Key) { _ = encoder.giveUp() }
    func encode(_ value: Int, forKey key: Key) { named(key).writeInteger(value) }
    func encode(_ value: Int8, forKey key: Key) { named(key).writeInteger(value) }
    func encode(_ value: Int16, forKey key: Key) { named(key).writeInteger(value) }
    func encode(_ value: Int32, forKey key: Key) { named(key).writeInteger(value) }
    func encode(_ value: Int64, forKey key: Key) { named(key).writeInteger(value) }
    func encode(_ value: UInt, forKey key: Key) { named(key).writeInteger(value) }
    func encode(_ value: UInt8, forKey key: Key) { named(key).writeInteger(value) }
    func encode(_ value: UInt16, forKey key: Key) { named(key).writeInteger(value) }
    func encode(_ value: UInt32, forKey key: Key) { named(key).writeInteger(value) }
    func encode(_ value: UInt64, forKey key: Key) { named(key).writeInteger(value) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try named(key).write(value) }

    private func named(_ key: Key) -> JSONTextEncoder {
        encoder.name(key)
        return encoder
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.giveUp().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.giveUp().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.giveUp() }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.giveUp() }
}

/// Writes the elements of an array.
private struct JSONTextUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: JSONTextEncoder
    var count = 0

    var codingPath: [any CodingKey] { [] }

    init(encoder: JSONTextEncoder) { self.encoder = encoder }

    mutating func encodeNil() { next().null() }
    mutating func encode(_ value: Bool) { next().write(value) }
    mutating func encode(_ value: String) { next().write(value) }
    mutating func encode(_ value: Double) { next().write(value) }
    mutating func encode(_ value: Float) { _ = next().giveUp() }
    mutating func encode(_ value: Int) { next().writeInteger(value) }
    mutating func encode(_ value: Int8) { next().writeInteger(value) }
    mutating func encode(_ value: Int16) { next().writeInteger(value) }
    mutating func encode(_ value: Int32) { next().writeInteger(value) }
    mutating func encode(_ value: Int64) { next().writeInteger(value) }
    mutating func encode(_ value: UInt) { next().writeInteger(value) }
    mutating func encode(_ value: UInt8) { next().writeInteger(value) }
    mutating func encode(_ value: UInt16) { next().writeInteger(value) }
    mutating func encode(_ value: UInt32) { next().writeInteger(value) }
    mutating func encode(_ value: UInt64) { next().writeInteger(value) }
    mutating func encode<Value: Encodable>(_ value: Value) throws { try next().write(value) }

    private mutating func next() -> JSONTextEncoder {
        count += 1
        return encoder
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder.giveUp().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.giveUp().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.giveUp() }
}

/// Writes the one value of a type that has no container.
private struct JSONTextValueContainer: SingleValueEncodingContainer {
    let encoder: JSONTextEncoder

    var codingPath: [any CodingKey] { [] }

    func encodeNil() { encoder.single { encoder.null() } }
    func encode(_ value: Bool) { encoder.single { encoder.write(value) } }
    func encode(_ value: String) { encoder.single { encoder.write(value) } }
    func encode(_ value: Double) { encoder.single { encoder.write(value) } }
    func encode(_ value: Float) { _ = encoder.giveUp() }
    func encode(_ value: Int) { encoder.single { encoder.writeInteger(value) } }
    func encode(_ value: Int8) { encoder.single { encoder.writeInteger(value) } }
    func encode(_ value: Int16) { encoder.single { encoder.writeInteger(value) } }
    func encode(_ value: Int32) { encoder.single { encoder.writeInteger(value) } }
    func encode(_ value: Int64) { encoder.single { encoder.writeInteger(value) } }
    func encode(_ value: UInt) { encoder.single { encoder.writeInteger(value) } }
    func encode(_ value: UInt8) { encoder.single { encoder.writeInteger(value) } }
    func encode(_ value: UInt16) { encoder.single { encoder.writeInteger(value) } }
    func encode(_ value: UInt32) { encoder.single { encoder.writeInteger(value) } }
    func encode(_ value: UInt64) { encoder.single { encoder.writeInteger(value) } }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.single { try encoder.write(value) } }
}
