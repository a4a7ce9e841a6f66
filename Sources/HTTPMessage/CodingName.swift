/// A coding that content can be given (RFC 9110 section 8.4.1).
package enum CodingName: String, Sendable, CaseIterable {
    // The first is taken where a client likes several as much.
    case gzip
    case deflate

    /// Creates the coding of that name, `x-gzip` among them; nil for another one.
    package init?(named name: String) {
        switch name.lowercased() {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: return nil
        }
    }

    /// The names of all, as a field lists them.
    package static let list = allCases.map(\.rawValue).joined(separator: ", ")

    /// Returns the coding that a request prefers for the content of its response, by the weights of `Accept-Encoding`; nil
    /// where it prefers none (RFC 9110 section 12.5.3).
    package static func preferred(by head: RequestHead) -> CodingName? {
        guard head.contains(.acceptEncoding) else { return nil }
        return preferred(by: head.fields)
    }

    package static func preferred(by fields: Fields) -> CodingName? {
        var named: [CodingName: Int] = [:]
        var (plain, others): (Int?, Int?) = (nil, nil)
        for element in fields.listElements(.acceptEncoding) {
            guard let (name, weight) = weighted(element) else { continue }
            switch name {
            case "identity": plain = weight
            case "*": others = weight
            default: if let coding = CodingName(named: name) { named[coding] = max(named[coding] ?? 0, weight) }
            }
        }
        var best: (coding: CodingName, weight: Int)?
        for coding in allCases {
            let weight = named[coding] ?? others ?? 0
            if weight > best?.weight ?? 0 { best = (coding, weight) }
        }
        guard let best, best.weight >= plain ?? 0 else { return nil }
        return best.coding
    }

    /// Returns the name in an element and its weight in thousandths; nil for an element of another form.
    private static func weighted(_ element: String) -> (name: String, weight: Int)? {
        let pieces = element.split(separator: ";", omittingEmptySubsequences: false).map {
            Array($0.utf8)[...].trimmingFieldSpace
        }
        guard let name = pieces.first, !name.isEmpty else { return nil }
        var weight = 1_000
        // Parameters of other names mean nothing here.
        for parameter in pieces.dropFirst() where parameter.first == UInt8(ascii: "q") {
            guard let found = LanguagePreference.weight(parameter) else { return nil }
            weight = found
        }
        return (String(decoding: name, as: UTF8.self), weight)
    }
}

/// The content of a request as it came, in a coding (wire contract, section 3).
package struct CodedContent: Sendable {
    /// The result of decoding it.
    package enum Outcome: Sendable, Equatable {
        /// The request has the plain content in its place.
        case decoded
        /// The coding is one that can't be taken off here.
        case unknown
        /// The content is not in the coding.
        case broken
        /// The content ends before its coding does.
        case incomplete
        /// The plain content is over the limit; the request has its beginning.
        case tooLong
    }

    /// The name of the coding as it was sent, in lower case.
    package let name: String
    package let bytes: [UInt8]
    package let outcome: Outcome

    package init(name: String, bytes: [UInt8], outcome: Outcome) {
        self.name = name
        self.bytes = bytes
        self.outcome = outcome
    }
}

extension FieldName {
    package static let acceptEncoding: FieldName = "Accept-Encoding"
}
