/// The elements of one array as a decoding container.
struct JSONUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    private let elements: [JSON]
    let path: [JSONPathElement]
    private let journal: MemberJournal?
    private(set) var currentIndex = 0

    init(_ elements: [JSON], path: [JSONPathElement], journal: MemberJournal?) {
        self.elements = elements
        self.path = path
        self.journal = journal
    }

    var codingPath: [any CodingKey] { path.map(JSONPathKey.init) }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func decoder() throws -> JSONValueDecoder {
        let path = path + [.index(currentIndex)]
        guard !isAtEnd else { throw JSONDecodingError(path: path, reason: "missing") }
        return JSONValueDecoder(value: elements[currentIndex], path: path, journal: journal)
    }

    /// The next element, which counts as read only when reading it succeeds.
    private mutating func next<Value>(_ read: (JSONValueDecoder) throws -> Value) throws -> Value {
        let value = try read(decoder())
        currentIndex += 1
        return value
    }

    /// Passes over the next element, for which the reader has a stand-in.
    mutating func skip() { currentIndex += 1 }

    mutating func decodeNil() throws -> Bool {
        guard try decoder().value.isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try next { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next { try $0.decode(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next { try $0.decode(type) } }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.decode(type) } }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
