import Backend
import CivilTime
import JSON
import TestSupport
import Testing

@Suite struct TimestampTests {
    private let epoch = Epoch(start: Instant(microseconds: 1_735_740_000_123_456))

    @Test func `T0 is the start floored to the second, D0 the day's beginning`() {
        expectEqual(epoch.t0, Instant(seconds: 1_735_740_000))
        expectEqual(epoch.d0.iso8601(.seconds), "2025-01-01T00:00:00Z")
        let before = Epoch(start: Instant(microseconds: -1))
        expectEqual(before.t0.seconds, -1)
        expectEqual(before.d0.iso8601(.seconds), "1969-12-31T00:00:00Z")
    }

    @Test(
        arguments: [
            ("T0", "2025-01-01T14:00:00Z"), ("T0-PT2H", "2025-01-01T12:00:00Z"), ("T0+P1D", "2025-01-02T14:00:00Z"),
            ("D0", "2025-01-01T00:00:00Z"), ("D0-PT1S", "2024-12-31T23:59:59Z"), ("D0+P1W", "2025-01-08T00:00:00Z"),
            ("2024-02-29T01:02:03Z", "2024-02-29T01:02:03Z"),
        ]
    )
    func `a stored time is an anchor and an offset, or an instant`(text: String, instant: String) throws {
        let time = try #require(Timestamp(text))
        expectEqual(time.resolved(in: epoch).iso8601(.seconds), instant)
        expectEqual(Timestamp(time.text), time)
    }

    @Test(arguments: [
        "", "T", "T1", "T0 ", "T0PT2H", "T0-", "T0+", "T0--PT2H", "T0-+PT2H", "T0++PT2H", "T0*PT2H", "T0-2H", "D0-P1M",
        "t0", "D0 -P1D", "2024-02-30T00:00:00Z", "2024-02-29", "now",
    ])
    func `anything else is no stored time`(text: String) {
        expectNil(Timestamp(text))
    }

    @Test func `the text reads back the same`() {
        var random = SeededGenerator.announced()
        let seed = random.seed
        for _ in 0..<2_000 {
            let offset = Interval(microseconds: Int64.random(in: -(1 << 52)...(1 << 52), using: &random))
            let instant = Instant(
                microseconds: Int64.random(in: -62_000_000_000_000_000...250_000_000_000_000_000, using: &random)
            )
            for time in [Timestamp.sinceT0(offset), .sinceD0(offset), .at(instant)] {
                expectEqual(Timestamp(time.text), time, "seed \(seed), \(time)")
            }
        }
    }

    @Test func `a wrong time in JSON says what is right`() throws {
        let decoded = try JSONDecoding.decode([Timestamp].self, from: ["T0-PT2H"])
        expectEqual(decoded, [.sinceT0(.hours(-2))])
        let error = #expect(throws: JSONDecodingError.self) {
            try JSONDecoding.decode([Timestamp].self, from: ["T0-PT2H", "soon"])
        }
        expectEqual(error?.formattedPath, "$[1]")
        expectEqual(error?.reason.contains("T0-PT2H"), true)
    }
}
