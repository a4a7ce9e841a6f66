import CivilTime
import TestSupport
import Testing

@Suite struct IntervalTextTests {
    @Test(
        arguments: [
            ("P91D", Interval.days(91)), ("PT2S", .seconds(2)),
            ("PT1,5S", .milliseconds(1_500)), ("PT1.5M", .seconds(90)), ("P1.5D", .hours(36)), ("P0.5W", .hours(84)),
            ("PT0,25H", .minutes(15)),
            ("PT1H0.5M", .seconds(3_630)), ("P1DT2H3.5S", .days(1) + .hours(2) + .milliseconds(3_500)),
            ("P2W", .days(14)), ("PT0S", .zero), ("P0D", .zero), ("PT1M", .minutes(1)), ("PT90M", .minutes(90)),
            ("+PT1H", .hours(1)), ("-PT1H", .hours(-1)), ("-P1DT1S", .seconds(-86_401)),
            ("PT0.000001S", .microseconds(1)),
            ("PT0.0000019S", .microseconds(1)), ("PT1H2M3S", .seconds(3_723)), ("PT1H3S", .seconds(3_603)),
            ("PT007S", .seconds(7)), ("PT9223372036854.775807S", .microseconds(.max)),
            ("-PT9223372036854.775808S", .microseconds(.min)), ("P106751991DT4H54.775807S", .microseconds(.max)),
        ] as [(String, Interval)]
    )
    func `ISO 8601: a duration is its length`(text: String, interval: Interval) throws {
        try expectEqual(Interval(iso8601Duration: text), interval)
    }

    @Test(
        arguments: [
            ("", DurationError.malformed), ("P", .malformed), ("PT", .malformed), ("P1DT", .malformed),
            ("1D", .malformed),
            ("P1", .malformed), ("PD", .malformed), ("PTS", .malformed), ("P1S", .malformed), ("PT1D", .malformed),
            ("PT1S1M", .malformed), ("PT1M1M", .malformed), ("PT1M1H", .malformed), ("PT1.M", .malformed),
            ("PT1.S", .malformed),
            ("PT.5S", .malformed), ("PT1,S", .malformed), ("PT1.5,5S", .malformed), ("PT1.5H1M", .malformed),
            ("P1.5DT1H", .malformed), ("PT1.0123456789S", .malformed), ("P1.D", .malformed),
            ("P1W1D", .malformed), ("P1WT1S", .malformed), ("P1D1W", .malformed), ("p1d", .malformed),
            ("P1DT1S ", .malformed),
            (" P1D", .malformed), ("--P1D", .malformed), ("+-P1D", .malformed), ("P-1D", .malformed),
            ("PT+1S", .malformed),
            ("P1DT1S1", .malformed), ("P1D1D", .malformed), ("PY", .malformed), ("1h", .malformed),
            ("PT1S.5", .malformed),
            ("P1Y", .calendarUnit), ("P3M", .calendarUnit), ("-P1Y2M", .calendarUnit), ("P1MT1S", .calendarUnit),
            ("PT9223372036854.775808S", .overflow), ("-PT9223372036854.775809S", .overflow), ("P106751992D", .overflow),
            ("P18446744073709551615W", .overflow), ("P18446744073709551616D", .overflow),
            ("PT99999999999999999999999S", .overflow),
            ("P213503982DT8H1M49.551615S", .overflow), ("P213503982DT8H1M49.551616S", .overflow),
        ] as [(String, DurationError)]
    )
    func `ISO 8601: anything else is refused with its reason`(text: String, reason: DurationError) {
        #expect(throws: reason) { try Interval(iso8601Duration: text) }
    }

    @Test(
        arguments: [
            (Interval.zero, "PT0S"), (.seconds(1), "PT1S"), (.minutes(1), "PT1M"), (.seconds(90), "PT1M30S"),
            (.hours(1), "PT1H"),
            (.days(1), "P1D"), (.days(91), "P91D"), (.milliseconds(1_500), "PT1.5S"), (.microseconds(1), "PT0.000001S"),
            (.microseconds(-10), "-PT0.00001S"), (.seconds(-86_401), "-P1DT1S"),
            (.days(1) + .hours(2) + .minutes(3) + .milliseconds(4_250), "P1DT2H3M4.25S"),
            (.microseconds(.max), "P106751991DT4H54.775807S"), (.microseconds(.min), "-P106751991DT4H54.775808S"),
        ] as [(Interval, String)]
    )
    func `an interval prints as its shortest duration`(interval: Interval, text: String) {
        expectEqual(interval.iso8601, text)
    }

    @Test func `random intervals come back from their text`() throws {
        var random = SeededGenerator.announced()
        for round in 0..<20_000 {
            let bits = Int64(bitPattern: random.next()) >> Int64(round % 64)
            let interval = Interval(microseconds: bits)
            try expectEqual(Interval(iso8601Duration: interval.iso8601), interval)
        }
    }

    @Test func `every reason says what would be right`() {
        #expect(DurationError.malformed.description.contains("P91D"))
        #expect(DurationError.calendarUnit.description.contains("days"))
        expectEqual(DurationError.overflow.description, "the duration is too long")
    }
}
