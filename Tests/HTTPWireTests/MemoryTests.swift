import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// The buffer's bound.
@Suite struct MemoryTests {
    @Test func `twenty thousand requests on one connection leave no trace`() throws {
        var conversation = Conversation()
        let request = Array("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello".utf8)
        var largest = 0
        for _ in 0..<20_000 {
            conversation.machine.received(request, now: .epoch)
            var output: [UInt8] = []
            while let event = conversation.machine.nextEvent(now: .epoch) {
                switch event {
                case .head: conversation.machine.admit(conversation.admission, now: .epoch, into: &output)
                case .request:
                    let response = Response(status: .ok)
                    _ = conversation.machine.send(response: response, now: .epoch, date: Wire.date, into: &output)
                case .refused, .closeConnection: Issue.record("the connection ended")
                }
            }
            largest = max(largest, conversation.machine.bufferCapacity)
        }
        #expect(largest <= 4096)
    }

    @Test func `pipelined requests cut at odd places do not grow the buffer`() throws {
        var conversation = Conversation()
        let input = Array(String(repeating: Wire.get, count: 5000).utf8)
        var largest = 0
        for start in stride(from: 0, to: input.count, by: 1000) {
            conversation.feed(input[start..<min(start + 1000, input.count)])
            largest = max(largest, conversation.machine.bufferCapacity)
        }
        expectEqual(conversation.requestCount, 5000)
        #expect(largest < 64 * 1024)
        expectEqual(conversation.machine.bufferedBytes, 0)
    }

    @Test func `a large content leaves a small buffer`() throws {
        var conversation = Conversation(bodyLimit: 8 << 20)
        conversation.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4194304\r\n\r\n".utf8)
        let piece = [UInt8](repeating: 0x78, count: 64 * 1024)
        for _ in 0..<64 {
            conversation.feed(piece)
            expectEqual(conversation.machine.bufferedBytes, 0)
        }
        expectEqual(conversation.requestCount, 1)
        #expect(conversation.machine.bufferCapacity <= 4096)
    }

    @Test func `an endless line, an endless section and an endless chunk line are refused with little stored`() {
        for start in ["", "GET / HTTP/1.1\r\n", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"] {
            var conversation = Conversation()
            conversation.feed(start.utf8)
            var fed = 0
            while !conversation.hasEnded, fed < 1_000_000 {
                conversation.feed([UInt8](repeating: 0x31, count: 100))
                fed += 100
                #expect(conversation.machine.bufferedBytes <= 65_536 + 200)
            }
            #expect(conversation.hasEnded)
            #expect(fed <= 65_700)
        }
    }

    @Test func `endless empty input between requests is refused`() {
        var conversation = Conversation()
        conversation.feed("\r\n\r\n\r\n".utf8)
        #expect(conversation.hasEnded)
    }
}

/// Limits as an owner may set them.
@Suite struct LimitTests {
    @Test(arguments: [Int.max, Int.min, 0])
    func `no limit is so large or small that it traps`(_ limit: Int) {
        var limits = WireLimits()
        limits.requestLine = limit
        limits.headerSection = limit
        limits.headerFields = limit
        limits.chunkLine = limit
        limits.chunkExtensions = limit
        limits.drain = limit
        limits.lingerBytes = limit
        limits.headTime = Interval(microseconds: Int64(limit))
        limits.bodyTime = Interval(microseconds: Int64(limit))
        limits.idleTime = Interval(microseconds: Int64(limit))
        limits.lingerTime = Interval(microseconds: Int64(limit))
        for vector in Vector.all where vector.input.count < 1000 {
            var conversation = Conversation(bodyLimit: max(limit, 0) >> 2, limits: limits)
            conversation.feedOneByOne(vector.input)
            #expect(conversation.machine.bufferedBytes <= vector.input.count)
            conversation.machine.deadlineReached(now: Instant(microseconds: .max))
            conversation.endInput()
            #expect(conversation.hasEnded)
        }
    }
}
