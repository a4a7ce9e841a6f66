import TestSupport
import Testing
import Traffic

/// The text of a line (clients contract, section 3).
@Suite struct TrafficTextTests {
    private func line() -> TrafficLine {
        var line = TrafficLine()
        line.at = "2025-01-01T12:00:00.123Z"
        line.api = "omnichat"
        line.method = "GET"
        line.path = "/api/v1/conversations"
        line.query = "limit=5"
        line.status = 200
        line.milliseconds = 3.214
        line.responseBytes = 165
        return line
    }

    @Test func `3 a line has time, API, method, path with query, status, duration and size`() {
        let text = TrafficText(isColored: false).line(line())
        let words = text.split(separator: " ").joined(separator: " ")
        expectEqual(words, "12:00:00.123 omnichat GET /api/v1/conversations?limit=5 200 3.2 ms 165 B")
    }

    @Test func `3 a line is this, to the byte`() {
        let text = TrafficText(isColored: false)
        expectEqual(
            text.line(line()),
            "12:00:00.123  omnichat     GET    /api/v1/conversations?limit=5                 200    3.2 ms      165 B"
        )
        var other = line()
        (other.api, other.world, other.method, other.path) = (
            "a", "w", "GREETINGS", "/" + String(repeating: "x", count: 50)
        )
        (other.query, other.status, other.milliseconds, other.responseBytes) = ("", 0, 61_000, 12_345_678_901)
        expectEqual(
            text.line(other),
            "12:00:00.123  a @w         GREETINGS /" + String(repeating: "x", count: 50)
                + "  ---  1 min 1 s  11773.8 MiB"
        )
        expectEqual(
            TrafficText(isColored: true).line(line()),
            text.line(line()).replacing("200", with: "\u{1B}[32m200\u{1B}[0m")
        )
    }

    @Test func `3 columns are aligned while they fit`() {
        var other = line()
        other.method = "DELETE"
        other.api = "trafikskola"
        other.path = "/x"
        other.query = ""
        let text = TrafficText(isColored: false)
        let places = [line(), other].map { line in
            Array(text.line(line)).firstIndex(of: "2").map { _ in
                text.line(line).split(separator: "200", maxSplits: 1)[0].count
            }
        }
        expectEqual(places[0], places[1])
    }

    @Test func `1 the path's column gives way on a narrow terminal, and what does not fit stays whole`() {
        for (width, columns) in [(nil, 44), (200, 44), (104, 44), (103, 43), (80, 20), (76, 16), (40, 16)]
            as [(Int?, Int)]
        {
            var line = line()
            line.query = ""
            line.path = "/" + String(repeating: "x", count: columns - 1)
            let text = TrafficText(isColored: false, width: width).line(line)
            expectEqual(text.count, 60 + columns)
            #expect(text.contains(line.path + "  200"))
            line.path += "yz"
            expectEqual(TrafficText(isColored: false, width: width).line(line).count, 62 + columns)
        }
    }

    @Test func `3 numbers carry a unit`() {
        let sizes: [(Int64, String)] = [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_048_575, "1024.0 KiB"), (1_048_576, "1.0 MiB"),
        ]
        for (size, text) in sizes { expectEqual(TrafficText.size(size), text) }
        let durations: [(Double?, String)] = [
            (nil, "-"), (0, "0.0 ms"), (0.05, "0.1 ms"), (999.9, "999.9 ms"), (999.96, "1.00 s"), (1_050, "1.05 s"),
            (59_994, "59.99 s"), (60_000, "1 min 0 s"), (.infinity, "-"), (1e300, "-"),
        ]
        for (duration, text) in durations { expectEqual(TrafficText.duration(duration), text) }
        expectEqual(TrafficText.time("2025-01-01T12:00:00.123456Z"), "12:00:00.123")
        expectEqual(TrafficText.time("now"), "now")
    }

    @Test func `3 another world, an outcome and marks are shown`() {
        var line = line()
        line.world = "checkout"
        line.outcome = "cut"
        (line.fault, line.scenario, line.gate, line.replayOf) = ("flt_1", "omnichat/file-gone", "g1", "req_3")
        line.isUnmatched = true
        line.nearest = "/api/v1/conversations"
        let text = TrafficText(isColored: false).line(line)
        #expect(text.contains("omnichat @checkout"))
        #expect(text.contains("  200 cut  "))
        #expect(
            text.hasSuffix(
                "  fault flt_1  scenario  gate g1  replay  unmatched: did you mean /api/v1/conversations?"
            )
        )
        line.differs = "query: page is 3, recorded 1"
        #expect(TrafficText(isColored: false).line(line).hasSuffix("unmatched: query: page is 3, recorded 1"))
        line.differs = nil
        line.nearest = nil
        #expect(TrafficText(isColored: false).line(line).hasSuffix("  unmatched"))
    }

    @Test func `3 statuses are coloured by class on a terminal alone`() {
        var line = line()
        for (status, color) in [(200, "32"), (301, "36"), (404, "33"), (503, "31"), (0, "31")] {
            line.status = status
            #expect(TrafficText(isColored: true).line(line).contains("\u{1B}[\(color)m"))
            #expect(!TrafficText(isColored: false).line(line).contains("\u{1B}"))
        }
    }

    @Test func `3 control characters of the request are escaped`() {
        var line = line()
        line.path = "/a\u{1B}[31m\u{9B}\n\u{202E}é"
        line.query = "\u{0}=\u{7F}"
        let text = TrafficText(isColored: false).line(line)
        #expect(text.contains(#"/a\u001b[31m\u009b\n\u202eé?\u0000=\u007f"#), "\(text)")
    }

    @Test(
        arguments: [
            (nil, "-"), (0.04, "0.0 ms"), (999.94, "999.9 ms"), (999.96, "1.00 s"), (1_530, "1.53 s"),
            (65_000, "1 min 5 s"),
        ] as [(Double?, String)]
    )
    func `9 a duration carries its unit`(milliseconds: Double?, text: String) {
        expectEqual(TrafficText.duration(milliseconds), text)
    }

    @Test(arguments: [(0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_048_576, "1.0 MiB")] as [(Int64, String)])
    func `9 a size carries its unit`(bytes: Int64, text: String) { expectEqual(TrafficText.size(bytes), text) }
}
