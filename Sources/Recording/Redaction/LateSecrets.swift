import HTTPMessage
import JSON

/// Takes secrets out of text of an archive that was written before they were known.
///
/// The text keeps its length, so that everything behind it stays where it is: the room for the stand-ins is that of the
/// indentation, and what is left of it becomes blanks.
package struct LateSecrets: Sendable {
    private var search = SecretSearch()
    /// Each secret as it may be spelled, with its stand-in.
    private var standIns: [[UInt8]: [UInt8]] = [:]
    private let pseudonyms: Pseudonyms

    package init(_ secrets: some Sequence<String>, _ pseudonyms: Pseudonyms) {
        self.pseudonyms = pseudonyms
        for secret in secrets {
            let standIn = Array(pseudonyms.standIn(for: secret, .token).utf8)
            var escaped = JSON.string(secret).serialized()
            escaped = Array(escaped.dropFirst().dropLast())
            for spelling in [Array(secret.utf8), escaped, Array(secret.percentEncodedComponent.utf8)]
            where standIns[spelling] == nil {
                standIns[spelling] = standIn
                search.add(SecretSearch.marks(of: spelling))
            }
        }
    }

    package var isEmpty: Bool { standIns.isEmpty }

    /// Where any of them lies.
    package func places(in text: [UInt8]) -> [Range<Int>] {
        search.find(in: text) { standIns[Array($0)] != nil }.filter { Pseudonyms.isWhole($0, text) }
    }

    /// The text of an entry without them, as long as before; nil where they are not in it or there is no room.
    package func cleaned(_ text: [UInt8]) -> [UInt8]? {
        guard var output = replaced(text) else { return nil }
        if output.count > text.count { output = Self.withoutIndentation(output) }
        guard output.count <= text.count else { return nil }
        return output + [UInt8](repeating: 0x20, count: text.count - output.count)
    }

    /// Any text without them; nil where they are not in it.
    package func replaced(_ text: [UInt8]) -> [UInt8]? {
        let places = places(in: text).sorted { ($0.lowerBound, -$0.upperBound) < ($1.lowerBound, -$1.upperBound) }
        guard !places.isEmpty else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        for range in places where range.lowerBound >= place {
            output += text[place..<range.lowerBound]
            output += standIns[Array(text[range])] ?? []
            place = range.upperBound
        }
        return output + text[place...]
    }

    private static func withoutIndentation(_ json: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(json.count)
        var isInString = false
        var isEscaped = false
        for byte in json {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isInString = false
                }
            } else if byte == 0x22 {
                isInString = true
            } else if byte == 0x20 || byte == 0x0A {
                continue
            }
            output.append(byte)
        }
        return output
    }
}
