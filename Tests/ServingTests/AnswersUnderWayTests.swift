import Backend
import CivilTime
import Engine
import HTTPMessage
import TestSupport
import Testing

@testable import Serving

/// Control contract, section 17: long answers on their way to slow readers hold a bounded amount of memory.
@Suite struct AnswersUnderWayTests {
    @Test func `17 no long answer is made while those under way hold too much`() throws {
        let hostTime = HostTime(wall: .epoch, monotonic: .epoch)
        let emulator = Emulator(apis: [], configuration: EmulatorConfiguration(), at: hostTime)
        let head = RequestHead(method: .get, target: RequestTarget(rawPath: "/__admin/health"))
        let address = try #require(emulator.address(of: head, entryPoint: .hub))
        let calls = (0...4).map {
            emulator.open(head, address: address, peer: "127.0.0.1", id: $0, at: hostTime)
        }
        var answers = AnswersUnderWay()
        answers.note(AnswersUnderWay.mostBytes, to: calls[1])
        #expect(answers.hasRoom, "at the limit")
        answers.note(1, to: calls[2])
        #expect(!answers.hasRoom, "one byte over it")
        expectEqual(answers.finished(calls[3]), false, "it had none")
        expectEqual(answers.finished(calls[2]), true)
        #expect(answers.hasRoom)
        answers.note(0, to: calls[4])
        expectEqual(answers.finished(calls[4]), false)
    }
}
