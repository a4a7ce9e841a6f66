import Backend
import CivilTime
import TestSupport
import Testing

/// Control contract, section 5.
@Suite struct WorldClockTests {
    private let start = Instant(seconds: 1_700_000_000)
    private let past = Instant(seconds: 1_000_000_000)

    private func hostTime(_ seconds: Int64, wall: Int64? = nil) -> HostTime {
        HostTime(wall: start + .seconds(wall ?? seconds), monotonic: Instant(seconds: 50 + seconds))
    }

    @Test func `a real clock follows the machine's, jumps included`() {
        let clock = WorldClock(.real, at: hostTime(0))
        expectEqual(clock.now(hostTime(0)), start)
        expectEqual(clock.now(hostTime(5, wall: 900)), start + .seconds(900))
        expectEqual(clock.mode, .real)
        expectEqual(clock.speed, 1)
    }

    @Test func `an offset clock starts there and follows the monotonic clock alone`() {
        let clock = WorldClock(.offset(past, rate: 1), at: hostTime(0))
        expectEqual(clock.now(hostTime(0)), past)
        expectEqual(clock.now(hostTime(7, wall: -9_999)), past + .seconds(7))
    }

    @Test(arguments: [0.001, 0.5, 1, 2, 1_000_000.0])
    func `an offset clock runs at its rate`(rate: Double) {
        let clock = WorldClock(.offset(past, rate: rate), at: hostTime(0))
        expectEqual(clock.now(hostTime(1_000)), past + Interval(microseconds: Int64(1_000_000_000 * rate)))
        expectEqual(clock.speed, rate)
    }

    @Test(arguments: [(0.0, 0.001), (-3, 0.001), (0.0009, 0.001), (1_000_000.1, 1_000_000), (.infinity, 1_000_000)])
    func `a rate out of range is brought to its end`(rate: Double, used: Double) {
        expectEqual(WorldClock(.offset(past, rate: rate), at: hostTime(0)).rate, used)
    }

    @Test func `a frozen clock stands still, at the given moment or the present one`() {
        var clock = WorldClock(.frozen(past), at: hostTime(0))
        expectEqual(clock.now(hostTime(100)), past)
        expectEqual(clock.speed, 0)
        clock.set(.offset(past, rate: 2), at: hostTime(100))
        clock.set(.frozen(nil), at: hostTime(110))
        expectEqual(clock.now(hostTime(999)), past + .seconds(20))
    }

    @Test func `every change of mode takes effect at its moment`() {
        let settings: [WorldClock.Setting] = [.real, .offset(past, rate: 3), .frozen(past), .frozen(nil)]
        for first in settings {
            for second in settings {
                var clock = WorldClock(first, at: hostTime(0))
                let before = clock.now(hostTime(10))
                clock.set(second, at: hostTime(10))
                let expected: (Instant, Instant) =
                    switch second {
                    case .real: (start + .seconds(10), start + .seconds(20))
                    case .offset(let at, let rate): (at, at + .seconds(10 * Int64(rate)))
                    case .frozen(let at): (at ?? before, at ?? before)
                    }
                expectEqual(clock.now(hostTime(10)), expected.0, "\(first) to \(second)")
                expectEqual(clock.now(hostTime(20)), expected.1, "\(first) to \(second)")
            }
        }
    }

    @Test func `an advanced real clock becomes an offset one`() {
        var clock = WorldClock(.real, at: hostTime(0))
        clock.advance(by: .days(91), at: hostTime(3))
        expectEqual(clock.mode, .offset)
        expectEqual(clock.rate, 1)
        expectEqual(clock.now(hostTime(4)), start + .days(91) + .seconds(4))
    }

    @Test func `an advanced offset clock keeps its rate, an advanced frozen one stays frozen`() {
        var running = WorldClock(.offset(past, rate: 2), at: hostTime(0))
        running.advance(by: .seconds(30), at: hostTime(10))
        expectEqual(running.now(hostTime(10)), past + .seconds(50))
        expectEqual(running.now(hostTime(11)), past + .seconds(52))
        var frozen = WorldClock(.frozen(past), at: hostTime(0))
        frozen.advance(by: .seconds(30), at: hostTime(10))
        expectEqual(frozen.mode, .frozen)
        expectEqual(frozen.now(hostTime(99)), past + .seconds(30))
    }

    @Test func `advancing never goes back`() {
        for setting in [WorldClock.Setting.real, .offset(past, rate: 1), .frozen(past)] {
            var clock = WorldClock(setting, at: hostTime(0))
            let before = clock.now(hostTime(0))
            clock.advance(by: .seconds(-5), at: hostTime(0))
            expectEqual(clock.now(hostTime(0)), before)
        }
    }

    @Test func `a PUT may go back`() {
        var clock = WorldClock(.frozen(start), at: hostTime(0))
        clock.set(.frozen(past), at: hostTime(0))
        expectEqual(clock.now(hostTime(0)), past)
        clock.set(.offset(past - .days(1), rate: 1), at: hostTime(0))
        expectEqual(clock.now(hostTime(0)), past - .days(1))
    }

    @Test func `no way leads out of the years that print with four digits`() {
        let far = Instant(microseconds: .max)
        let early = Instant(microseconds: .min)
        for setting in [WorldClock.Setting.offset(far, rate: 1), .frozen(far)] {
            expectEqual(WorldClock(setting, at: hostTime(0)).now(hostTime(5)), WorldClock.latest)
        }
        for setting in [WorldClock.Setting.offset(early, rate: 1), .frozen(early)] {
            expectEqual(WorldClock(setting, at: hostTime(0)).now(hostTime(0)), WorldClock.earliest)
        }
        let wild = HostTime(wall: far, monotonic: Instant(seconds: 50))
        expectEqual(WorldClock(.real, at: wild).now(wild), WorldClock.latest)
        for setting in [WorldClock.Setting.real, .offset(past, rate: 1_000_000), .frozen(past)] {
            var clock = WorldClock(setting, at: hostTime(0))
            clock.advance(by: Interval(microseconds: .max), at: hostTime(1))
            expectEqual(clock.now(hostTime(1)), WorldClock.latest)
        }
        let fast = WorldClock(.offset(past, rate: 1_000_000), at: hostTime(0))
        expectEqual(fast.now(HostTime(wall: start, monotonic: far)), WorldClock.latest)
    }

    @Test func `a monotonic clock of another origin does not turn time back`() {
        let clock = WorldClock(.offset(past, rate: 1_000_000), at: hostTime(0))
        expectEqual(clock.now(HostTime(wall: start, monotonic: Instant(microseconds: .min))), past)
    }

    @Test func `equal times are equal, whatever happened before`() {
        var clock = WorldClock(.offset(past, rate: 3.7), at: hostTime(0))
        var last = clock.now(hostTime(0))
        for second in 1..<200 {
            if second % 7 == 0 { clock.advance(by: .milliseconds(Int64(second)), at: hostTime(Int64(second))) }
            let now = clock.now(hostTime(Int64(second)))
            #expect(now > last)
            expectEqual(clock.now(hostTime(Int64(second))), now)
            last = now
        }
    }
}
