import JSON
import TestSupport

extension SeededGenerator {
    mutating func string() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &self) {
            let ranges: [ClosedRange<UInt32>] = [
                0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x7F...0x7FF, 0x2028...0x2029, 0x800...0xD7FF, 0xE000...0xFFFF,
                0x10000...0x10FFFF,
            ]
            let range = ranges[Int.random(in: 0..<ranges.count, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    mutating func json(depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &self) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &self))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &self))
        case 3: return .double(Double(bitPattern: next()))
        case 4:
            return JSONNumber(text: ["1.0", "-0", "1E5", "12345678901234567890123"][Int(next() % 4)]).map(JSON.number)
                ?? .null
        case 5: return .string(string())
        case 6, 7:
            return .array((0..<Int.random(in: 0...4, using: &self)).map { _ in json(depth: depth - 1) })
        default:
            return .object(
                JSONObject(
                    (0..<Int.random(in: 0...4, using: &self)).map { _ in
                        JSONObject.Member(name: string(), value: json(depth: depth - 1))
                    }
                )
            )
        }
    }
}

/// The bytes of a text.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }
