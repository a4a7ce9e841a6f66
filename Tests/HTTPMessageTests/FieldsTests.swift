import CivilTime
import HTTPMessage
import TestSupport
import Testing

@Suite struct FieldsTests {
    @Test func `repeats, order and spelling are kept`() {
        var fields = Fields()
        fields.append("x-MiXeD", "1")
        fields.append(.host, "a")
        fields.append("X-Mixed", "2")
        expectEqual(fields.pairs.map(\.name), ["x-MiXeD", "Host", "X-Mixed"])
        expectEqual(fields.values("X-MIXED"), ["1", "2"])
        expectEqual(fields["x-mixed"], "1")
        expectEqual(fields.bytes(.host).map(Array.init), Array("a".utf8))
        expectEqual(String(decoding: fields.wire, as: UTF8.self), "x-MiXeD: 1\r\nHost: a\r\nX-Mixed: 2\r\n")
        expectNil(fields[.allow])
        expectNil(fields.bytes(.allow))
    }

    @Test(arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\u{0}", "\u{1}", "a\u{7F}"])
    func `a value that would break out of its line is refused and changes nothing`(value: String) {
        var fields: Fields = ["Host": "a", "Allow": "GET"]
        let before = fields
        let results = [fields.append(.host, value), fields.set(.host, value), fields.set(.location, value)]
        expectEqual(results, [false, false, false])
        expectEqual(fields, before)
        expectEqual(fields.wire, before.wire)
    }

    @Test func `tabs and bytes above ASCII may stand in a value`() {
        var fields = Fields()
        let appended = fields.append(.host, "a\té")
        #expect(appended)
        expectEqual(fields[.host], "a\té")
    }

    @Test(arguments: [(0, "0"), (-5, "0"), (7, "7"), (10, "10"), (99, "99"), (100, "100"), (Int.max, "\(Int.max)")])
    func `a number is written in decimal, and a negative one as 0`(number: Int, text: String) {
        var fields: Fields = ["A": "b"]
        fields.append("X-RateLimit-Limit", decimal: number)
        expectEqual(String(decoding: fields.wire, as: UTF8.self), "A: b\r\nX-RateLimit-Limit: \(text)\r\n")
        expectEqual(fields["x-ratelimit-limit"], text)
        expectEqual(fields.count, 2)
    }

    @Test(arguments: [Instant.Precision.seconds, .milliseconds, .microseconds])
    func `an instant is written as ISO 8601 has it`(precision: Instant.Precision) {
        for instant in [Instant.epoch, Instant(microseconds: 1_735_732_799_999_999), Instant(microseconds: -1)] {
            var fields = Fields()
            fields.append("X-RateLimit-Reset", instant, precision)
            expectEqual(fields["X-RateLimit-Reset"], instant.iso8601(precision))
        }
    }

    @Test func `a copy of a head keeps what it had when another is changed`() {
        let head = RequestHead(method: .get, target: RequestTarget(rawPath: "/a", rawQuery: "q"), fields: ["Host": "h"])
        var other = head
        other.method = .post
        other.target.rawPath = "/b"
        other.version = .http10
        other.fields.append("X", "1")
        #expect(head.method == .get && head.rawPath == "/a" && head.version == .http11 && !head.contains("X"))
        #expect(other.isMethod(.post) && other.rawPath == "/b" && other.rawQuery == "q" && other.version == .http10)
        expectEqual(other.value(of: .host), "h")
        expectEqual(other.values(of: "x"), ["1"])
        expectEqual(other.bytes(of: "x").map(Array.init), [0x31])
    }

    @Test(arguments: ["", " ", "a b", "a:", "é", "a\r\n", "(", "a\u{0}"])
    func `a name that is not a token is refused`(name: String) {
        expectNil(FieldName(name))
    }

    @Test func `setting replaces all at the place of the first`() {
        var fields: Fields = ["A": "1", "B": "2", "a": "3", "C": "4"]
        let isSet = fields.set("a", "5")
        #expect(isSet)
        expectEqual(fields.pairs.map(\.value), ["5", "2", "4"])
        fields.set("D", "6")
        expectEqual(fields.pairs.map(\.value), ["5", "2", "4", "6"])
    }

    @Test func `removing takes out every field of the name`() {
        var fields: Fields = ["A": "1", "B": "2", "a": "3"]
        fields.remove("a")
        expectEqual(fields.pairs.map(\.name), ["B"])
        fields.remove("Z")
        expectEqual(fields.count, 1)
        fields.remove("b")
        #expect(fields.isEmpty)
        #expect(fields.wire.isEmpty)
    }

    @Test func `parsed lines are kept raw and survive changes around them`() {
        var fields = Fields()
        fields.appendChecked(line: Array("hOst:   a  \r\n".utf8)[...], name: 0..<4, value: 8..<9)
        fields.append(.allow, "GET")
        fields.set(.allow, "PUT")
        expectEqual(fields[.host], "a")
        expectEqual(String(decoding: fields.wire, as: UTF8.self), "hOst:   a  \r\nAllow: PUT\r\n")
    }

    @Test func `list elements are trimmed, lower-cased and joined over lines`() {
        let fields: Fields = ["Connection": "Close, ,\t Upgrade ", "connection": "x", "Other": "y"]
        expectEqual(fields.listElements(.connection), ["close", "upgrade", "x"])
        expectEqual(fields.listElements(.host), [])
    }

    @Test func `a comma with a combining mark after it still separates list elements`() {
        let fields: Fields = ["Connection": "close,\u{301}x"]
        expectEqual(fields.listElements(.connection).count, 2)
        expectEqual(fields.listElements(.connection).first, "close")
    }

    @Test func `equality does not look at the case of names or at white space`() {
        var raw = Fields()
        raw.appendChecked(line: Array("HOST:a\r\n".utf8)[...], name: 0..<4, value: 5..<6)
        expectEqual(raw, ["Host": "a"])
        #expect(raw != ["Host": "A"])
        #expect(raw != ["Host": "a", "B": "c"])
    }
}
