import JSON

/// Walks through JSON text and replaces texts and numbers in place; everything else keeps its bytes.
package struct JSONRewriter {
    fileprivate struct Level {
        /// The name of the present member; nil in an array.
        var name: String?
        var index = 0
    }

    /// The place of a value.
    package struct Place {
        fileprivate var levels: [Level]

        /// The name of the value: its own, or that of the nearest outer member.
        package var name: String { levels.last(where: { $0.name != nil })?.name ?? "" }

        /// `$.items[0].id`.
        package var text: String {
            let path = levels.map { level -> JSONPathElement in level.name.map { .key($0) } ?? .index(level.index) }
            return path.formattedJSONPath
        }
    }

    private let bytes: [UInt8]
    private var output: [UInt8] = []
    private var place = 0
    private var levels: [Level] = []

    /// Creates a rewriter for text that must be JSON.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the text with each string and number replaced by the closures' results; they get the value and its name.
    mutating func rewritten(
        string: (String, String) -> String,
        number: (String, String) -> String
    ) -> [UInt8] {
        rewrittenByPlace(string: { string($0, $1.name) }, number: { number($0, $1.name) })
    }

    /// Returns the same with closures that get the place of the value.
    package mutating func rewrittenByPlace(
        string: (String, Place) -> String,
        number: (String, Place) -> String
    ) -> [UInt8] {
        output.reserveCapacity(bytes.count + 64)
        while place < bytes.count {
            switch bytes[place] {
            case 0x22: takeString(string)
            case 0x7B, 0x5B:
                levels.append(Level(name: bytes[place] == 0x7B ? "" : nil))
                copy()
            case 0x7D, 0x5D:
                if !levels.isEmpty { levels.removeLast() }
                copy()
            case 0x2C:
                if !levels.isEmpty { levels[levels.count - 1].index += 1 }
                copy()
            case 0x30...0x39, 0x2D: takeNumber(number)
            default: copy()
            }
        }
        return output
    }

    private mutating func copy() {
        output.append(bytes[place])
        place += 1
    }

    private mutating func takeString(_ rewrite: (String, Place) -> String) {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != 0x22 { place += bytes[place] == 0x5C ? 2 : 1 }
        place = min(place + 1, bytes.count)
        let literal = Array(bytes[start..<place])
        guard let text = (try? JSONReader.read(literal))?.stringValue else {
            output += literal
            return
        }
        var next = place
        while next < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[next]) { next += 1 }
        if levels.last?.name != nil, next < bytes.count, bytes[next] == 0x3A {
            levels[levels.count - 1].name = text
            output += literal
            return
        }
        let rewritten = rewrite(text, Place(levels: levels))
        output += rewritten == text ? literal : JSON.string(rewritten).serialized()
    }

    private mutating func takeNumber(_ rewrite: (String, Place) -> String) {
        let start = place
        while place < bytes.count {
            switch bytes[place] {
            case 0x30...0x39, 0x2D, 0x2B, 0x2E, 0x45, 0x65:
                place += 1
                continue
            default: break
            }
            break
        }
        output += rewrite(String(decoding: bytes[start..<place], as: UTF8.self), Place(levels: levels)).utf8
    }
}
