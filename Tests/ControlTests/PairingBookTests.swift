import CivilTime
import Emulation
import Testing

@testable import Control

/// Transport contract, section 8: pairing as values.
@Suite struct PairingBookTests {
    private let now = Instant.epoch

    private func refusal(_ book: inout PairingBook, _ code: String, at time: Instant) -> Problem? {
        do throws(Problem) {
            try book.pair(code, token: "t", now: time)
            return nil
        } catch {
            return error
        }
    }

    @Test func `8 a code is good once and for less than five minutes`() {
        var book = PairingBook(world: "main", code: "abc", now: now)
        var late = book
        #expect(refusal(&late, "abc", at: now + .minutes(5))?.slug == .pairingRefused)
        #expect(refusal(&book, "abc", at: now + .minutes(5) - .milliseconds(1)) == nil)
        #expect(book.knows("t"))
        #expect(!book.knows(""))
        #expect(refusal(&book, "abc", at: now)?.slug == .pairingRefused)
    }

    @Test func `8 nine wrong codes leave pairing open and ten end it`() {
        for (wrong, isOpen) in [(9, true), (10, false)] {
            var book = PairingBook(world: "main", code: "abc", now: now)
            for _ in 0..<wrong { #expect(refusal(&book, "x", at: now)?.slug == .pairingRefused) }
            #expect((refusal(&book, "abc", at: now) == nil) == isOpen)
            #expect(book.knows("t") == isOpen)
        }
    }
}
