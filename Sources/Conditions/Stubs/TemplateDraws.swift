package import Backend
package import JSON
package import Templates

/// Values that the placeholders of an answer draw by chance and count, for an API in its world (own-API contract, section 9).
package struct TemplateDraws: Sendable {
    private let api: String
    private var randomness: Randomness
    private var counters: Counters
    /// Tells whether something was drawn or counted, which the world then has to keep.
    private var hasDrawn = false

    /// Creates the draws of an API, which go on from those of a world.
    package init(_ api: String, _ core: WorldCore?) {
        self.api = api
        randomness = core?.randomness ?? Randomness(seed: 0)
        counters = core?.counters ?? Counters()
    }

    /// Returns the value of a placeholder that is drawn or counted; nil for the others.
    package mutating func value(of placeholder: Placeholder) -> JSON? {
        switch placeholder {
        case .uuid: return .string(draw { $0.uuid() })
        case .chance(let range): return .integer(draw { $0.number(in: range) })
        case .pick(let words): return words.isEmpty ? nil : .string(draw { words[$0.below(words.count)] })
        case .counter(let name):
            hasDrawn = true
            randomness.noteCount()
            // A reset of the API takes away what begins with its name.
            return .integer(Int64(clamping: counters.next("\(api).counter.\(name)")))
        default: return nil
        }
    }

    /// Keeps in a world what was drawn and counted.
    package func keep(in core: inout WorldCore) {
        guard hasDrawn else { return }
        core.randomness = randomness
        core.counters = counters
    }

    private mutating func draw<Value>(_ make: (inout SeededStream) -> Value) -> Value {
        hasDrawn = true
        var stream = randomness.stream("template", of: api)
        return make(&stream)
    }
}

extension SeededStream {
    /// Returns a number within bounds.
    package mutating func number(in range: ClosedRange<Int64>) -> Int64 {
        // Zero stands for all numbers of 64 bits.
        let span = UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1
        let offset = span == 0 ? next() : next().multipliedFullWidth(by: span).high
        return range.lowerBound &+ Int64(bitPattern: offset)
    }

    /// Returns a version 4 UUID (RFC 9562 section 5.4).
    package mutating func uuid() -> String {
        let high = next() & ~0xF000 | 0x4000
        let low = next() & ~(3 << 62) | 1 << 63
        var digits = Self.hexadecimal(high) + Self.hexadecimal(low)
        for place in [20, 16, 12, 8] { digits.insert(UInt8(ascii: "-"), at: place) }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func hexadecimal(_ number: UInt64) -> [UInt8] {
        let alphabet = Array("0123456789abcdef".utf8)
        return (0..<16).map { alphabet[Int(number >> UInt64(60 - 4 * $0) & 15)] }
    }
}
