import Backend
import CivilTime
import TestSupport
import Testing

@testable import Control

/// Transport contract, section 8: pairing as values.
@Suite struct DevicePairingTests {
    private let now = Instant.epoch

    private func refusal(_ book: inout DevicePairing, _ code: String, at time: Instant) -> Problem? {
        do throws(Problem) {
            try book.pair(code, token: "t", now: time)
            return nil
        } catch {
            return error
        }
    }

    @Test func `8 a code is good once and for less than five minutes`() {
        var book = DevicePairing(world: "main", code: "abc", now: now)
        var late = book
        expectEqual(refusal(&late, "abc", at: now + .minutes(5))?.slug, .pairingRefused)
        expectNil(refusal(&book, "abc", at: now + .minutes(5) - .milliseconds(1)))
        #expect(book.knows("t"))
        #expect(!book.knows(""))
        expectEqual(refusal(&book, "abc", at: now)?.slug, .pairingRefused)
    }

    @Test func `8 nine wrong codes leave pairing open and ten end it`() {
        for (wrong, isOpen) in [(9, true), (10, false)] {
            var book = DevicePairing(world: "main", code: "abc", now: now)
            for _ in 0..<wrong { expectEqual(refusal(&book, "x", at: now)?.slug, .pairingRefused) }
            expectEqual(refusal(&book, "abc", at: now) == nil, isOpen)
            expectEqual(book.knows("t"), isOpen)
        }
    }
}
