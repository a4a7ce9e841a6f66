/// The `Decoder` over one JSON value.
struct JSONValueDecoder: Decoder {
    let value: JSON
    let path: [JSONPathElement]
    let journal: MemberJournal?

    var codingPath: [any CodingKey] { path.map(JSONPathKey.init) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw mismatch("an object") }
        let container = JSONKeyedDecodingContainer<Key>(object, path: path, journal: journal)
        guard let journal, journal.explains else { return KeyedDecodingContainer(container) }
        return KeyedDecodingContainer(ExplainingKeyedContainer(base: container, journal: journal))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw mismatch("an array") }
        let container = JSONUnkeyedDecodingContainer(elements, path: path, journal: journal)
        guard let journal, journal.explains else { return container }
        return ExplainingUnkeyedContainer(base: container, journal: journal)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func mismatch(_ expected: String) -> JSONDecodingError {
        JSONDecodingError(path: path, reason: "expected \(expected), found \(value.typeName)")
    }

    /// Decodes a type that is not one of the standard library's scalars, and gives every failure a path.
    func decodeComposite<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == JSON.self, let value = value as? Value { return value }
        if type == [UInt8].self, let read = journal?.bytes {
            guard let text = value.stringValue, let content = read(text) as? Value else {
                throw mismatch("the text of bytes")
            }
            return content
        }
        do {
            return try Value(from: self)
        } catch let error as JSONDecodingError {
            throw error
        } catch let error as DecodingError {
            if let found = value.stringValue, let allowed = rawNames(of: type) {
                throw JSONDecodingError(issues: [.notAmong(allowed, found: found, at: path)])
            }
            throw JSONDecodingError(error)
        } catch {
            throw JSONDecodingError(path: path, reason: "\(error)")
        }
    }

    func decodeInteger<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        if let whole = value.intValue {
            if let result = Value(exactly: whole) { return result }
        } else if case .number(let number) = value, let result = Value(number.text, radix: 10) {
            // Beyond Int64, but an unsigned type of 64 bits may hold it.
            return result
        }
        guard value.doubleValue != nil else { throw mismatch("an integer") }
        throw JSONDecodingError(
            path: path,
            reason: "expected an integer from \(Value.min) to \(Value.max), found \(value.abbreviatedText)"
        )
    }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard let result = value.boolValue else { throw mismatch("a boolean") }
        return result
    }

    func decode(_ type: String.Type) throws -> String {
        guard let result = value.stringValue else { throw mismatch("a string") }
        return result
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let result = value.doubleValue else { throw mismatch("a number") }
        guard result.isFinite else {
            throw JSONDecodingError(path: path, reason: "the number \(value.abbreviatedText) is out of range")
        }
        return result
    }

    func decode(_ type: Float.Type) throws -> Float {
        let result = Float(try decode(Double.self))
        guard result.isFinite else {
            throw JSONDecodingError(path: path, reason: "the number \(value.abbreviatedText) is out of range")
        }
        return result
    }

    func decode(_ type: Int.Type) throws -> Int { try decodeInteger(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decodeInteger(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decodeInteger(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decodeInteger(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decodeInteger(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try decodeInteger(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decodeInteger(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decodeInteger(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decodeInteger(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decodeInteger(type) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decodeComposite(type) }
}

/// A step of a path as a coding key.
struct JSONPathKey: CodingKey {
    let element: JSONPathElement

    init(_ element: JSONPathElement) { self.element = element }
    init(stringValue: String) { element = .key(stringValue) }
    init(intValue: Int) { element = .index(intValue) }

    var stringValue: String {
        switch element {
        case .key(let name): name
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? {
        guard case .index(let index) = element else { return nil }
        return index
    }
}

extension Array where Element == JSONPathElement {
    /// The path of keys that a type or this module made.
    init(codingPath: [any CodingKey]) {
        self = codingPath.map { ($0 as? JSONPathKey)?.element ?? .key($0.stringValue) }
    }
}

extension JSONDecodingError {
    /// The error of a type's own or synthesised initialiser.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path: Array(codingPath: context.codingPath) + [.key(key.stringValue)], reason: "missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(path: Array(codingPath: context.codingPath), reason: context.debugDescription)
        @unknown default:
            self.init(path: [], reason: "\(error)")
        }
    }
}

/// The raw values of an enumeration of strings that lists its cases.
func rawNames(of type: Any.Type) -> [String]? {
    guard let type = type as? any CaseIterable.Type else { return nil }
    return rawNames(type)
}

private func rawNames<Cases: CaseIterable>(_ type: Cases.Type) -> [String]? {
    let names = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    return names.isEmpty || names.count != type.allCases.count ? nil : names
}
