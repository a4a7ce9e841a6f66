import Backend
import CivilTime
import TestSupport
import Testing

@Suite struct FixedWindowsTests {
    private let start = Instant(seconds: 1_000_000)
    private let length = Interval.seconds(60)

    @Test func `a window is the same at its very end and another a microsecond later`() {
        var windows = FixedWindows()
        let end = start + length
        expectEqual(windows.count("a", length: length, now: start), FixedWindows.Count(used: 1, end: end))
        expectEqual(windows.count("a", length: length, now: end), FixedWindows.Count(used: 2, end: end))
        expectEqual(windows.current("a", now: end)?.used, 2)
        let later = end + .microseconds(1)
        expectNil(windows.current("a", now: later))
        expectEqual(windows.count("a", length: length, now: later), FixedWindows.Count(used: 1, end: later + length))
    }

    @Test func `keys are counted each for itself`() {
        var windows = FixedWindows()
        for _ in 0..<5 { _ = windows.count("a", length: length, now: start) }
        expectEqual(windows.count("b", length: length, now: start).used, 1)
        expectEqual(windows.current("a", now: start)?.used, 5)
        windows.removeAll()
        expectNil(windows.current("a", now: start))
    }

    @Test func `a clock that was moved back before the window opens a new one`() {
        var windows = FixedWindows()
        _ = windows.count("a", length: length, now: start)
        let past = start - .days(1)
        expectEqual(windows.count("a", length: length, now: past), FixedWindows.Count(used: 1, end: past + length))
        // Within the window it is still the same one.
        var others = FixedWindows()
        _ = others.count("a", length: length, now: start)
        expectEqual(others.count("a", length: length, now: start).used, 2)
    }

    @Test func `ended windows make room at 4,096 keys, open ones are kept`() {
        var windows = FixedWindows()
        for number in 0..<4_095 { _ = windows.count("old \(number)", length: length, now: start) }
        let later = start + length + .microseconds(1)
        _ = windows.count("open", length: length, now: later)
        _ = windows.count("new", length: length, now: later)
        expectEqual(windows.current("open", now: later)?.used, 1)
        expectNil(windows.current("old 7", now: start))
    }

    @Test func `invented keys can't fill the memory`() {
        var windows = FixedWindows()
        for number in 0..<4_096 { _ = windows.count("\(number)", length: length, now: start) }
        #expect(windows.current("0", now: start) != nil)
        _ = windows.count("one more", length: length, now: start)
        expectNil(windows.current("0", now: start))
        expectEqual(windows.current("one more", now: start)?.used, 1)
    }

    @Test func `what is spent is spent for every key, until its end and not before its window`() {
        var windows = FixedWindows()
        let end = start + .seconds(30)
        windows.spend(100, until: end)
        for key in ["a", "b"] {
            expectEqual(windows.count(key, length: length, now: start), FixedWindows.Count(used: 101, end: end))
        }
        expectEqual(windows.count("a", length: length, now: end).used, 102)
        expectEqual(windows.count("c", length: length, now: end + .microseconds(1)).used, 1)
        expectEqual(windows.count("d", length: length, now: start - .days(1)).used, 1)
        windows.spend(5, until: end)
        windows.removeAll()
        expectEqual(windows.count("e", length: length, now: start).used, 1)
    }

    @Test func `a copy counts on its own`() {
        var windows = FixedWindows()
        _ = windows.count("a", length: length, now: start)
        var copy = windows
        _ = copy.count("a", length: length, now: start)
        expectEqual(windows.current("a", now: start)?.used, 1)
        expectEqual(copy.current("a", now: start)?.used, 2)
    }
}
