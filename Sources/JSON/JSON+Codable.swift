extension JSON: Codable {
    /// Takes the value as it is from this module's decoder; from any other, what its containers tell.
    ///
    /// Another decoder does not tell the spelling of numbers or the order of members; members are sorted by name then.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = decoder.value
        } else if let container = try? decoder.container(keyedBy: JSONPathKey.self) {
            var object = JSONObject()
            for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                object.append(key.stringValue, try container.decode(JSON.self, forKey: key))
            }
            self = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
            self = .array(elements)
        } else {
            self = try JSON(scalar: decoder.singleValueContainer())
        }
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    /// Gives the value as it is to this module's encoder, piece by piece to any other.
    public func encode(to encoder: any Encoder) throws {
        if let node = encoder as? JSONEncodingNode { return node.set(self) }
        if let text = encoder as? JSONTextEncoder { return try text.single { try text.write(self) } }
        switch self {
        case .object(let object):
            var container = encoder.container(keyedBy: JSONPathKey.self)
            for member in object.members {
                try container.encode(member.value, forKey: JSONPathKey(stringValue: member.name))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value.double)
            case .string(let value): try container.encode(value)
            case .null, .array, .object: try container.encodeNil()
            }
        }
    }
}

extension JSONObject: Codable {
    /// Takes the object as it is; any other value is a mismatch.
    public init(from decoder: any Decoder) throws {
        guard case .object(let object) = try JSON(from: decoder) else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "expected an object")
            throw DecodingError.typeMismatch(JSONObject.self, context)
        }
        self = object
    }

    /// Gives the object as it is.
    public func encode(to encoder: any Encoder) throws {
        try JSON.object(self).encode(to: encoder)
    }
}
