import JSON
import TestSupport
import Testing

@Suite struct JSONBytesTests {
    private struct Holder: Codable, Equatable {
        var bytes: [UInt8]
        var numbers: [Int]
        var more: [UInt8]?
    }

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String($0, radix: 16) }.joined(separator: ",") }

    private static func read(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ",")
        let bytes = parts.compactMap { UInt8($0, radix: 16) }
        return bytes.count == parts.count ? bytes : nil
    }

    @Test func `arrays of bytes are spelled as the caller wants, and no other array`() throws {
        let holder = Holder(bytes: [1, 255], numbers: [], more: [])
        let json = try JSONEncoding.encode(holder, bytes: Self.hex)
        expectEqual(json.text, #"{"bytes":"1,ff","numbers":[],"more":""}"#)
        let options = JSONDecoding.Options(bytes: Self.read)
        try expectEqual(JSONDecoding.decode(Holder.self, from: json, options: options), holder)
    }

    @Test func `without a spelling they are arrays of numbers`() throws {
        let holder = Holder(bytes: [1, 255], numbers: [3], more: nil)
        let json = try JSONEncoding.encode(holder)
        expectEqual(json.text, #"{"bytes":[1,255],"numbers":[3]}"#)
        try expectEqual(JSONDecoding.decode(Holder.self, from: json), holder)
    }

    @Test func `a text that is no bytes, and no text, are refused with their place`() {
        let options = JSONDecoding.Options(rejectUnknownMembers: true, bytes: Self.read)
        for value: JSON in ["xyz", 5, [1, 2]] {
            let json: JSON = ["bytes": value, "numbers": []]
            let error = #expect(throws: JSONDecodingError.self) {
                try JSONDecoding.decode(Holder.self, from: json, options: options)
            }
            expectEqual(error?.formattedPath, "$.bytes")
        }
    }
}
