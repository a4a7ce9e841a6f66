import JSON
import TestSupport
import Testing

@Suite struct JSONPropertyTests {
    private static let sample = """
        { "a" : [ 1 , -2.5e+3, true , false, null ], "é\\u00e9\\ud83d\\ude00" : { "b" : "x\\n\\"y" , "c" : { } } }
        """

    @Test func `a text truncated at any byte is refused inside its own length`() {
        let bytes = utf8(Self.sample)
        #expect(throws: Never.self) { try JSONReader.read(bytes) }
        for length in bytes.indices {
            let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(bytes[..<length]) }
            #expect((error?.offset ?? .max) <= length)
        }
    }

    @Test func `random bytes never crash and what is accepted writes and reads back the same`() throws {
        var random = SeededGenerator.announced()
        let alphabet =
            utf8("{}[]:,\"\\u0123456789abcdefABDtrlsn+-.eE \n/") + [0x00, 0x80, 0xC3, 0xA9, 0xE2, 0xF0, 0xFF]
        var accepted = 0
        for _ in 0..<30_000 {
            let length = Int.random(in: 0...10, using: &random)
            let bytes = (0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            do {
                let value = try JSONReader.read(bytes)
                accepted += 1
                try expectEqual(JSONReader.read(value.serialized()), value)
            } catch {
                #expect(error.offset <= bytes.count && error.line >= 1 && error.column >= 1)
            }
        }
        #expect(accepted > 0)
    }

    @Test func `a valid text with one changed byte never crashes`() {
        var random = SeededGenerator.announced()
        let original = utf8(Self.sample)
        for _ in 0..<10_000 {
            var bytes = original
            let place = Int.random(in: bytes.indices, using: &random)
            bytes[place] = UInt8.random(in: 0...255, using: &random)
            do {
                let value = try JSONReader.read(bytes)
                try expectEqual(JSONReader.read(value.serialized()), value)
            } catch {
                #expect(error.offset <= bytes.count)
            }
        }
    }

    @Test func `random values come back from every way of writing them`() throws {
        var random = SeededGenerator.announced()
        let variations = [
            JSONWriter.Options(), JSONWriter.Options(escapeHTML: true), JSONWriter.Options(escapeLineSeparators: true),
            JSONWriter.Options(pretty: true),
            JSONWriter.Options(escapeHTML: true, escapeLineSeparators: true, pretty: true),
        ]
        for _ in 0..<1_000 {
            let value = random.json(depth: 4)
            for options in variations {
                let bytes = value.serialized(options: options)
                let read = try JSONReader.read(bytes)
                expectEqual(read, value, "\(String(decoding: bytes, as: UTF8.self))")
                expectEqual(read.hashValue, value.hashValue)
            }
        }
    }

    @Test func `the position of every part of a random value starts that part`() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<100 {
            let value = random.json(depth: 3)
            let bytes = value.serialized(options: JSONWriter.Options(pretty: true))
            let (read, positions) = try JSONReader.readWithPositions(bytes)
            try check(read, [], positions, String(decoding: bytes, as: UTF8.self))
        }
    }

    private func check(_ value: JSON, _ path: [JSONPathElement], _ positions: JSONPositions, _ text: String) throws {
        let place = try #require(positions.line(at: path))
        let line = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)[place.line - 1]
        let rest = String(String.UnicodeScalarView(line.dropFirst(place.column - 1)))
        expectEqual(rest.unicodeScalars.first, value.text.unicodeScalars.first)
        switch value {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try check(element, path + [.index(index)], positions, text)
            }
            expectNil(positions.line(at: path + [.index(elements.count)]))
        case .object(let object) where object.firstDuplicateName() == nil:
            for member in object.members { try check(member.value, path + [.key(member.name)], positions, text) }
        default: break
        }
    }
}
