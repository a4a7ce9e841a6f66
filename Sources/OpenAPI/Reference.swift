import JSON

/// A `$ref`, taken apart.
struct Reference {
    /// The reason why a reference leads nowhere.
    enum Problem: Error {
        /// To something that is not read, or must not be.
        case leadsOut(String)
        case leadsNowhere(String)
        case leadsInCircle

        var reason: String {
            switch self {
            case .leadsOut(let reason), .leadsNowhere(let reason): reason
            case .leadsInCircle: "the reference is circular"
            }
        }
    }

    /// The text before `#`.
    let base: String
    /// The text behind `#`, its escapes undone; nil if there is none.
    let fragment: String?

    init(_ text: String) {
        let pieces = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        base = pieces.first.map { String($0) } ?? ""
        fragment = pieces.count == 2 ? Self.decoded(String(pieces[1])) : nil
    }

    /// The steps of a JSON pointer (RFC 6901); nil if the fragment is none.
    var pointer: [String]? {
        guard let fragment else { return [] }
        guard !fragment.isEmpty else { return [] }
        guard fragment.utf8.first == UInt8(ascii: "/") else { return nil }
        return fragment.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            Self.unescaped(String(decoding: $0, as: UTF8.self))
        }
    }

    /// The path within the folder that a base leads to from a file.
    static func path(_ base: String, from file: String) throws(Problem) -> String {
        let base = decoded(base)
        let beforeSlash = base.utf8.prefix { $0 != UInt8(ascii: "/") }
        if beforeSlash.contains(UInt8(ascii: ":")) {
            throw .leadsOut("a reference to a place outside the API's folder is not followed")
        }
        guard base.utf8.first != UInt8(ascii: "/"), !base.utf8.contains(UInt8(ascii: "\\")), !base.utf8.contains(0)
        else {
            throw .leadsOut("a reference to an absolute path is not followed")
        }
        var segments = file.split(separator: "/").dropLast().map { String($0) }
        for segment in base.split(separator: "/", omittingEmptySubsequences: true) where segment != "." {
            guard segment != ".." else { throw .leadsOut("a reference with \"..\" is not followed") }
            segments.append(String(segment))
        }
        guard !base.utf8.contains(UInt8(ascii: "?")) else {
            throw .leadsOut("a reference with a query is not followed")
        }
        return segments.joined(separator: "/")
    }

    private static func unescaped(_ step: String) -> String {
        guard step.utf8.contains(UInt8(ascii: "~")) else { return step }
        var bytes: [UInt8] = []
        var rest = Array(step.utf8)[...]
        while let byte = rest.popFirst() {
            switch (byte, rest.first) {
            case (UInt8(ascii: "~"), UInt8(ascii: "0")):
                bytes.append(UInt8(ascii: "~"))
                rest.removeFirst()
            case (UInt8(ascii: "~"), UInt8(ascii: "1")):
                bytes.append(UInt8(ascii: "/"))
                rest.removeFirst()
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                rest.count >= 2
            {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
