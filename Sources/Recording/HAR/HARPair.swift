package import HTTPMessage

/// A name with its value: a header field, a query parameter.
package struct HARPair: Sendable, Equatable {
    package var name: String
    package var value: String
    /// `_charset`: the value was no UTF-8, so that each of its letters is a byte of ISO-8859-1.
    package private(set) var isLatin1 = false

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Creates a pair of a value's bytes.
    init(_ name: String, _ bytes: ArraySlice<UInt8>) {
        self.name = name
        if let text = String(validating: bytes, as: UTF8.self) {
            value = text
        } else {
            value = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            isLatin1 = true
        }
    }

    /// Returns the pair with another value in the same charset.
    func with(_ value: String) -> HARPair {
        var copy = self
        copy.value = value
        return copy
    }

    /// Returns the pair with its value in ISO-8859-1, if that has all of its letters.
    func inLatin1() -> HARPair {
        var copy = self
        copy.isLatin1 = value.unicodeScalars.allSatisfy { $0.value <= 0xFF }
        return copy
    }

    /// The bytes of the value as they are sent.
    package var bytes: [UInt8] {
        isLatin1 ? value.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } : Array(value.utf8)
    }

    /// Returns the fields of a message, in order.
    package static func fields(_ fields: Fields) -> [HARPair] {
        (0..<fields.count).map { place in
            HARPair(String(decoding: fields.nameBytes(at: place), as: UTF8.self), fields.valueBytes(at: place))
        }
    }
}
