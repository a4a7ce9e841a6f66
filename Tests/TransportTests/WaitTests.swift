import CivilTime
import HTTPMessage
import TestSupport
import Testing
import Transport

/// Control contract, section 5: the events that end a wait.
@Suite struct WaitTests {
    private let start = Instant(seconds: 100)
    private let world = Instant(seconds: 1_735_732_800)

    private func reading(_ seconds: Int64, rate: Double) -> ClockReading {
        ClockReading(now: world + .seconds(seconds), rate: rate)
    }

    @Test func `real time alone ends it with a frozen clock`() {
        let wait = Wait(.seconds(30), .either, now: start, clock: reading(0, rate: 0))
        expectEqual(wait.end, start + .seconds(30))
    }

    @Test func `only the world's clock ends a wait on the world, so a frozen one never does`() {
        let wait = Wait(.seconds(30), .world, now: start, clock: reading(0, rate: 0))
        expectNil(wait.end)
    }

    @Test func `an advance by its length ends it, by one microsecond less does not`() throws {
        var wait = Wait(.seconds(30), .world, now: start, clock: reading(0, rate: 0))
        let almost = ClockReading(now: world + .seconds(30) - .microseconds(1), rate: 0)
        wait.clockChanged(to: almost, now: start + .seconds(1))
        expectNil(wait.end)
        wait.clockChanged(to: reading(30, rate: 0), now: start + .seconds(2))
        #expect(try #require(wait.end) <= start + .seconds(2))
    }

    @Test func `a faster clock ends it sooner`() {
        let wait = Wait(.seconds(30), .either, now: start, clock: reading(0, rate: 10))
        expectEqual(wait.end, start + .seconds(3))
    }

    @Test func `a slower clock does not make it longer than real time unless only the world counts`() {
        expectEqual(Wait(.seconds(10), .either, now: start, clock: reading(0, rate: 0.5)).end, start + .seconds(10))
        expectEqual(Wait(.seconds(10), .world, now: start, clock: reading(0, rate: 0.5)).end, start + .seconds(20))
    }

    @Test func `movement before a freeze counts`() {
        var wait = Wait(.seconds(10), .world, now: start, clock: reading(0, rate: 1))
        wait.clockChanged(to: reading(4, rate: 0), now: start + .seconds(4))
        expectNil(wait.end)
        wait.clockChanged(to: reading(4, rate: 1), now: start + .seconds(60))
        expectEqual(wait.end, start + .seconds(66))
    }

    @Test func `a clock set back neither ends it nor takes back what had passed`() {
        var wait = Wait(.seconds(10), .world, now: start, clock: reading(0, rate: 1))
        wait.clockChanged(to: reading(-86_400, rate: 1), now: start + .seconds(4))
        expectEqual(wait.end, start + .seconds(10))
    }

    @Test func `lengths beyond all bounds do not overflow`() throws {
        let wait = Wait(Interval(microseconds: .max), .either, now: start, clock: reading(0, rate: 0.000_001))
        #expect(try #require(wait.end) > start + .days(100_000))
    }
}
