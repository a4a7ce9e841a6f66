extension JSON {
    /// The beginning of the value as compact JSON text: all of it if it has at most so many bytes, else at least as many.
    ///
    /// The rest is not read, however long it is.
    package func text(upTo most: Int) -> String {
        var writer = JSONWriter()
        writer.write(self, upTo: most)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ value: JSON, upTo most: Int) {
        switch value {
        case .null, .bool, .integer: write(value)
        case .number(let number): self.number(JSONNumber(verified: Self.beginning(number.text, most)))
        case .string(let text): string(Self.beginning(text, most))
        case .array(let elements):
            beginArray()
            for element in elements {
                guard bytes.count <= most else { break }
                write(element, upTo: most)
            }
            endArray()
        case .object(let object):
            beginObject()
            for member in object.members {
                guard bytes.count <= most else { break }
                name(Self.beginning(member.name, most))
                write(member.value, upTo: most)
            }
            endObject()
        }
    }

    private static func beginning(_ text: String, _ most: Int) -> String {
        guard text.utf8.count > most else { return text }
        var beginning = String.UnicodeScalarView()
        beginning.append(contentsOf: text.unicodeScalars.prefix(most + 1))
        return String(beginning)
    }
}

extension String {
    /// The text as an error quotes it: all of it, or its first hundred characters (control contract, section 17).
    package var cut: String {
        guard utf8.count > Self.mostQuoted else { return self }
        guard
            let end = unicodeScalars.index(unicodeScalars.startIndex, offsetBy: Self.mostQuoted, limitedBy: endIndex),
            end < endIndex
        else { return self }
        return String(self[..<end]) + "…"
    }

    private static var mostQuoted: Int { 100 }
}
