import HTTPWire
import TestSupport
import Testing

/// The wire vectors, each fed in every way that its README names.
@Suite struct VectorTests {
    private static let strayBytes: [UInt8] = [0x00, 0x0A, 0x0D, 0x20, 0x09, 0x3A, 0x80, 0xFF]
    private static let longInput = 1024

    private static func transcript(_ vector: Vector, _ pieces: [ArraySlice<UInt8>]) -> [[UInt8]] {
        var conversation = Conversation(bodyLimit: vector.bodyLimit)
        for piece in pieces { conversation.feed(piece) }
        return conversation.transcript
    }

    /// Every place of a short input; of a long one a sample with both ends.
    private static func places(_ vector: Vector) -> [Int] {
        let count = vector.input.count
        guard count > longInput else { return Array(0..<count) }
        return Array(0..<24) + Array(stride(from: 24, to: count - 24, by: count / 24)) + Array(count - 24..<count)
    }

    private static func readable(_ lines: [[UInt8]]) -> [String] { lines.map { String(decoding: $0, as: UTF8.self) } }

    @Test func `there are at least 250 vectors with unique titles, and each expects something`() {
        #expect(Vector.all.count >= 250)
        expectEqual(Set(Vector.all.map(\.title)).count, Vector.all.count)
        #expect(Vector.all.allSatisfy { !$0.input.isEmpty && !$0.transcript.isEmpty })
    }

    @Test(arguments: Vector.all)
    func `a vector gives its events whole`(_ vector: Vector) {
        let result = Self.transcript(vector, [vector.input[...]])
        expectEqual(result, vector.transcript, "\(Self.readable(result)) is not \(Self.readable(vector.transcript))")
    }

    @Test(arguments: Vector.all)
    func `a vector gives the same events one byte at a time`(_ vector: Vector) {
        var conversation = Conversation(bodyLimit: vector.bodyLimit)
        conversation.feedOneByOne(vector.input)
        let result = conversation.transcript
        expectEqual(result, vector.transcript, "\(Self.readable(result)) is not \(Self.readable(vector.transcript))")
    }

    @Test(arguments: Vector.all)
    func `a vector gives the same events wherever it is cut in two`(_ vector: Vector) {
        for place in Self.places(vector) {
            let result = Self.transcript(vector, [vector.input[..<place], vector.input[place...]])
            expectEqual(result, vector.transcript, "cut at \(place): \(Self.readable(result))")
        }
    }

    @Test(arguments: Vector.all.filter { $0.transcript.last == Array("open".utf8) && $0.transcript.count > 1 })
    func `a vector that leaves the connection open gives its events twice in a row`(_ vector: Vector) {
        let expected = vector.transcript.dropLast() + vector.transcript
        expectEqual(Self.transcript(vector, [(vector.input + vector.input)[...]]), Array(expected))
        var conversation = Conversation(bodyLimit: vector.bodyLimit)
        conversation.feedOneByOne(vector.input + vector.input)
        expectEqual(conversation.transcript, Array(expected))
    }

    @Test(arguments: Vector.all)
    func `the peer's end never makes a request or refusal of what is incomplete`(_ vector: Vector) {
        for place in Self.places(vector) {
            var conversation = Conversation(bodyLimit: vector.bodyLimit)
            conversation.feed(vector.input[..<place])
            let before = conversation.transcript.dropLast()
            conversation.endInput()
            let after = conversation.transcript
            expectEqual(after.dropLast(), before, "ended at \(place)")
            expectEqual(after.last, Array("closing".utf8), "ended at \(place)")
            #expect(vector.transcript.starts(with: before), "ended at \(place)")
        }
    }

    @Test(arguments: Vector.all)
    func `a damaged vector never crashes, never grows, and gives the same events whole and cut`(_ vector: Vector) {
        let bound = vector.input.count
        for place in Self.places(vector) {
            for byte in Self.strayBytes where vector.input[place] != byte {
                var damaged = vector.input
                damaged[place] = byte
                var whole = Conversation(bodyLimit: vector.bodyLimit)
                whole.feed(damaged)
                let cut = Self.transcript(vector, [damaged[..<place], damaged[place...]])
                expectEqual(whole.transcript, cut, "byte \(byte) at \(place)")
                #expect(whole.machine.bufferedBytes <= bound)
            }
        }
    }
}
