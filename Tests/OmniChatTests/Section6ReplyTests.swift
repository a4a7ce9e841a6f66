import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// Section 6.3: deterministic replies, pieces and the timeline.
struct Section6ReplyTests {
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.mint(Harness.test, life: .days(1))
    }

    private func filler(_ model: String, _ quoted: String) -> String {
        Reply.fillers[Int("\(model)\n\(quoted)".fnv1a64 % 8)]
    }

    @Test func `6.3 there are eight fillers of 8 to 24 words`() {
        expectEqual(Reply.fillers.count, 8)
        expectEqual(Set(Reply.fillers).count, 8)
        for sentence in Reply.fillers {
            #expect((8...24).contains(sentence.split(separator: " ").count))
            #expect(sentence.hasSuffix("."))
        }
    }

    @Test func `6.3 FNV-1a is the published function`() {
        expectEqual("".fnv1a64, 0xCBF2_9CE4_8422_2325)
        expectEqual("a".fnv1a64, 0xAF63_DC4C_8601_EC8C)
        expectEqual("foobar".fnv1a64, 0x8594_4171_F739_67E8)
    }

    @Test func `6.3 odd replies have one paragraph, even ones two`() throws {
        let id = try harness.create(token, model: "gemini-2.0-flash-exp")
        for number in 1...4 {
            let text = try harness.ask("  Hello there \n", in: id, token).text(at: "content")
            let head =
                "You said: \"Hello there\". This is reply \(number) in this conversation, written by gemini-2.0-flash-exp."
            let gap = number.isMultiple(of: 2) ? "\n\n" : " "
            expectEqual(text, head + gap + filler("gemini-2.0-flash-exp", "Hello there"))
        }
    }

    @Test func `6.3 the number counts the user's messages, those without a reply too`() throws {
        let id = try harness.create(token)
        _ = try harness.stream("one", to: id, token, leaveAfter: 0)
        #expect(try harness.ask("two", in: id, token).text(at: "content").contains("This is reply 2 in"))
        let seeded = try harness.ask("x", in: "conv_longer_000000001", token).text(at: "content")
        #expect(seeded.contains("This is reply 5 in this conversation, written by claude-3-5-sonnet-20241022."))
    }

    @Test(arguments: [199, 200, 201, 500])
    func `6.3 the quotation is cut after 200 grapheme clusters`(count: Int) {
        let family = "👩‍👩‍👧‍👦"
        let content = String(repeating: family, count: count)
        let quoted = String(repeating: family, count: min(count, 200)) + (count > 200 ? "…" : "")
        let text = Reply.text(to: content, number: 1, model: "m")
        #expect(text.hasPrefix("You said: \"\(quoted)\". This is reply 1 in this conversation, written by m. "))
        #expect(text.hasSuffix(filler("m", quoted)))
    }

    @Test func `6.3 trimming comes before the cut`() {
        let text = Reply.text(
            to: String(repeating: " ", count: 300) + "x" + String(repeating: "\n", count: 300),
            number: 1,
            model: "m"
        )
        #expect(text.hasPrefix("You said: \"x\"."))
    }

    @Test func `6.3 a reply depends on neither clock, ids nor world`() throws {
        let other = try Harness(seed: 7, start: Harness.noon + .days(400))
        let otherToken = try other.mint(Harness.test)
        let mine = try harness.ask("Same?", in: "conv_welcome_00000001", token).text(at: "content")
        let theirs = try other.ask("Same?", in: "conv_welcome_00000001", otherToken).text(at: "content")
        expectEqual(mine, theirs)
    }

    // MARK: Pieces

    @Test func `6.3 a piece is a word with the white space before it`() {
        let pieces = Reply.pieces(of: " one  two\n\nthree four five six seven eight nine \n")
        expectEqual(pieces, [" one", "  two", "\n\nthree", " four", " five", " six", " seven", " eight", " nine \n"])
    }

    @Test func `6.3 words are cut every 24 characters`() {
        func word(_ count: Int) -> String { String(repeating: "é", count: count) }
        let rest = " a b c d e f g h"
        expectEqual(Reply.pieces(of: word(24) + rest).first, word(24))
        expectEqual(Array(Reply.pieces(of: word(25) + rest).prefix(3)), [word(24), word(1), " a"])
        expectEqual(
            Array(Reply.pieces(of: "x  " + word(49) + rest).prefix(5)),
            [
                "x", "  " + word(24), word(24), word(1), " a",
            ]
        )
        expectEqual(Array(Reply.pieces(of: word(48) + rest).prefix(3)), [word(24), word(24), " a"])
    }

    @Test(arguments: [
        "", "a", "ab", "one two", "seven words are not enough for eight", "👩‍👩‍👧‍👦é", "   ", "abcdefghij", "\r\n",
    ])
    func `6.3 there are always at least eight pieces, which join to the text`(text: String) {
        let pieces = Reply.pieces(of: text)
        expectEqual(pieces.count, 8)
        #expect(pieces.joined().unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test func `6.3 any text is its pieces joined`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var stream = SeededStream(seed: seed)
        let alphabet = [
            "a", "b", "é", "e\u{301}", "👩‍👩‍👧‍👦", " ", "  ", "\n", "\r\n", "\u{2028}", "\t", "مرحبا", "…", "word",
        ]
        for _ in 0..<300 {
            let text = (0..<stream.below(120)).map { _ in alphabet[stream.below(alphabet.count)] }.joined()
            let pieces = Reply.pieces(of: text)
            #expect(pieces.count >= 8, "seed \(seed)")
            #expect(pieces.joined().unicodeScalars.elementsEqual(text.unicodeScalars), "seed \(seed)")
            let longest = pieces.map { $0.drop(while: \.isWhitespace).count { !$0.isWhitespace } }.max() ?? 0
            #expect(longest <= 24, "seed \(seed)")
        }
    }

    // MARK: Timeline

    @Test func `6.3 the timeline is 0, 60, every 20, 20 more, and the end at once`() throws {
        let stream = try harness.stream("Hi", to: "conv_welcome_00000001", token)
        let events = stream.events
        let pieces = events.count - 3
        expectEqual(events[0].at, 0)
        for place in 0..<pieces { expectEqual(events[1 + place].at, Int64(60 + 20 * place)) }
        expectEqual(events[1 + pieces].at, Int64(60 + 20 * pieces))
        expectEqual(events[2 + pieces].at, Int64(60 + 20 * pieces))
        expectEqual(stream.duration, Int64(60 + 20 * pieces))
        expectEqual(stream.ending, .ended)
    }

    @Test func `6.3 a frozen clock does not stop the waits, and an advance ends them`() throws {
        let id = "conv_welcome_00000001"
        let stream = try harness.stream("Hi", to: id, token)
        try expectEqual(harness.now, Harness.noon)
        #expect(stream.duration > 0)
        let state = try harness.state { state, _ in state.settings }
        let steps = ReplyStream(messageID: "m", settings: state).steps(text: "a b c d e f g h", completion: .effect(0))
        for case .wait(_, let waiting) in steps { expectEqual(waiting, .either) }
        #expect(steps.contains(.effect(0)))
    }

    // MARK: Cost (8.3)

    @Test(arguments: [
        ("gpt-4o-mini", 4, 4, 1), ("gpt-4o", 4, 4, 1), ("gpt-4o", 200, 0, 2), ("gpt-4o", 0, 4_000, 21),
        ("gpt-4.1", 4_000, 0, 17), ("gpt-4.1-mini", 4_000, 0, 4), ("gpt-4.1-nano", 4_000, 0, 1),
        ("o3-mini", 4_000, 0, 9),
        ("claude-3-5-sonnet-20241022", 4_000, 0, 30), ("claude-3-5-haiku-20241022", 4_000, 0, 8),
        ("gemini-2.0-flash", 4_000, 0, 1), ("grok-3", 4_000, 0, 30), ("grok-3-mini", 4_000, 0, 2),
        ("deepseek-chat", 4_000, 0, 3), ("anything", 4_000, 0, 10), ("anything", 4_001, 0, 11),
        ("anything", 3_997, 0, 10),
        ("anything", 1, 1, 1), ("gpt-4o-mini", 400_000, 0, 122), ("gpt-4o-mini", 400_004, 0, 123),
    ])
    func `8.3 a reply costs its tokens times the model's rate, rounded up`(
        model: String,
        input: Int,
        output: Int,
        cost: Int
    ) {
        let text = String(repeating: "a", count: input)
        expectEqual(Reply.cost(model: model, input: text, output: String(repeating: "b", count: output)), cost)
    }
}
