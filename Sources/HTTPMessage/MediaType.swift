/// A media type with its parameters (RFC 9110 section 8.3.1).
package struct MediaType: Sendable {
    /// In lower case.
    package let type: String
    /// In lower case.
    package let subtype: String
    private let fieldParameters: FieldParameters

    /// A type from outside; nil when it is not `type/subtype` with well-formed parameters, none of them twice.
    package init?(_ text: String) {
        self.init(bytes: Array(text.utf8)[...])
    }

    /// A type from outside; nil when it is not `type/subtype` with well-formed parameters, none of them twice.
    package init?(bytes: ArraySlice<UInt8>) {
        let trimmed = bytes.trimmingFieldSpace
        let end = trimmed.firstIndex { $0 == UInt8(ascii: ";") || $0 == 0x20 || $0 == 0x09 } ?? trimmed.endIndex
        let essence = trimmed[..<end]
        guard let slash = essence.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let type = essence[..<slash]
        let subtype = essence[(slash + 1)...]
        guard !type.isEmpty, !subtype.isEmpty, type.allSatisfy(\.isTokenByte), subtype.allSatisfy(\.isTokenByte),
            let parameters = FieldParameters(parsing: trimmed[end...], backslash: .quotesAnything)
        else { return nil }
        self.type = String(decoding: type.map(\.asciiLowercased), as: UTF8.self)
        self.subtype = String(decoding: subtype.map(\.asciiLowercased), as: UTF8.self)
        fieldParameters = parameters
    }

    /// `type/subtype`, in lower case, without parameters.
    package var essence: String { "\(type)/\(subtype)" }

    /// Names in lower case with their values, quotes taken off, in order.
    package var parameters: [(name: String, value: String)] {
        fieldParameters.pairs.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }
    }

    /// The value of a parameter, its name given in lower case.
    package func parameter(_ name: String) -> String? {
        fieldParameters[name].map { String(decoding: $0, as: UTF8.self) }
    }
}

extension ArraySlice<UInt8> {
    /// Without the spaces and tabs at both ends.
    var trimmingFieldSpace: ArraySlice<UInt8> {
        var start = startIndex
        var end = endIndex
        while start < end, self[start] == 0x20 || self[start] == 0x09 { start += 1 }
        while start < end, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return self[start..<end]
    }
}
