import Backend
import CivilTime
import TestSupport
import Testing

/// Control contract, section 12.
@Suite struct OutboxTests {
    private func message(_ to: String, _ api: String = "notes") -> Outbox.Message {
        Outbox.Message(to: to, kind: .otp, api: api, code: "123456", at: .epoch)
    }

    @Test func `it keeps 10,000 messages and lets the oldest go at 10,001`() {
        var outbox = Outbox()
        for number in 0..<Outbox.usualCapacity { outbox.post(message("\(number)")) }
        expectEqual(outbox.messages.count, 10_000)
        expectEqual(outbox.messages.first?.to, "0")
        outbox.post(message("last"))
        expectEqual(outbox.messages.count, 10_000)
        expectEqual(outbox.messages.first?.to, "1")
        expectEqual(outbox.messages.last?.to, "last")
    }

    @Test func `one API's messages can be taken out`() {
        var outbox = Outbox()
        outbox.post(message("a", "one"))
        outbox.post(message("b", "two"))
        outbox.post(message("c", "one"))
        var copy = outbox
        copy.removeAll(api: "one")
        expectEqual(copy.messages.map(\.to), ["b"])
        expectEqual(outbox.messages.map(\.to), ["a", "b", "c"])
    }

    @Test func `of a full box one API's messages go, the others stay in their order, and counting goes on`() {
        var outbox = Outbox()
        for number in 0..<12_000 { outbox.post(message("\(number)", number % 3 == 0 ? "one" : "two")) }
        outbox.removeAll(api: "one")
        outbox.removeAll(api: "none")
        expectEqual(outbox.messages.map(\.to), (2_000..<12_000).filter { $0 % 3 != 0 }.map { "\($0)" })
        outbox.post(message("next", "one"))
        expectEqual(outbox.messages.last?.id, "12001")
        outbox.removeAll(api: "two")
        expectEqual(outbox.messages.map(\.to), ["next"])
    }
}
