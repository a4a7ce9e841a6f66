import Backend
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing

/// Random lists of faults on random requests: every response is a timeline with an end, and the journal names its
/// outcome.
@Suite struct FaultWalkTests {
    /// Writes random faults, most of them valid.
    private struct Writer {
        var random: SeededStream

        mutating func pick<Element>(_ items: [Element]) -> Element { items[random.below(items.count)] }

        mutating func effect() -> String {
            let number = pick([0, 1, 2, 7, 50, 1_000, 1_000_000])
            let delay = pick([
                #"{"ms":\#(number)}"#, #"{"uniform":[0,\#(number)]}"#, #"{"lognormal":{"median":5,"p95":5000000}}"#,
                #"{"exponential":{"mean":3},"max":\#(number)}"#,
            ])
            let path = pick(["id", "text", "a.b[0].*", "*", "[0]", "no.such"])
            // Every effect of the list, and more of those with numbers.
            let listed = FaultEffects.declarations.flatMap(\.examples).map { JSON.object($0).text }
            let drawn = [
                #"{"status":\#(pick([200, 204, 302, 304, 400, 429, 503, 599])),"retryAfter":\#(number)}"#,
                #"{"delay":\#(delay)}"#, #"{"throttle":{"bytesPerSecond":\#(number + 1)}}"#,
                #"{"dribble":{"chunks":\#(number % 10_000 + 1),"overMs":\#(number)}}"#, #"{"connection":"reset"}"#,
                #"{"connection":"reset","afterBytes":\#(number)}"#, #"{"connection":"empty"}"#,
                #"{"connection":"stall"}"#,
                #"{"connection":"stall","forMs":\#(number)}"#, #"{"connection":"truncate"}"#,
                #"{"connection":"truncate","afterBytes":\#(number)}"#, #"{"connection":"garbage"}"#,
                #"{"connection":"malformed-chunk"}"#, #"{"body":"html"}"#, #"{"body":"invalid-json"}"#,
                #"{"body":"empty"}"#,
                #"{"body":"truncated-json"}"#, #"{"body":"wrong-content-type"}"#, #"{"drift":{"remove":"\#(path)"}}"#,
                #"{"drift":{"set":"\#(path)","to":{"x":[\#(number)]}}}"#, #"{"drift":{"null":"\#(path)"}}"#,
                #"{"drift":{"add":{"path":"\#(path)","value":null}}}"#,
                #"{"drift":{"retype":"\#(path)","as":"\#(pick(["string", "number", "boolean", "object", "array", "null"]))"}}"#,
                #"{"drift":{"auto":"additive"}}"#, #"{"drift":{"auto":"breaking"}}"#,
                #"{"stream":{"cutAfterEvents":\#(number)}}"#, #"{"stream":{"errorAfterEvents":\#(number)}}"#,
                #"{"stream":{"gapMs":\#(number),"afterEvents":\#(pick([0, 1, 9]))}}"#, #"{"stream":{"gapMs":1}}"#,
                #"{"stream":{"duplicate":\#(max(number, 1))}}"#, #"{"stream":{"splitUtf8":true}}"#,
                #"{"tokens":"expire"}"#,
                #"{"tokens":"revoke"}"#, #"{"upload":{"rejectEarly":413}}"#,
            ]
            return pick(drawn + listed)
        }

        mutating func fault() -> String {
            let match = pick(["{}", #"{"method":"POST"}"#, #"{"path":"/notes/**"}"#, #"{"body":{"text":"a"}}"#])
            let when = pick(["{}", #"{"skip":1}"#, #"{"times":1}"#, #"{"every":2}"#, #"{"probability":0.5}"#])
            let phase = pick(["", #""phase":"before","#, #""phase":"after","#])
            let clock = pick(["", #""on":"world","#])
            return #"{"match":\#(match),"when":\#(when),\#(clock)\#(phase)"effect":\#(effect())}"#
        }
    }

    /// The reason why a player can't end a timeline; nil if it can.
    private func objection(to response: Response) -> String? {
        let timeline = response.timeline
        guard
            let end = timeline.firstIndex(where: { step in
                switch step {
                case .end, .close, .abort, .hold: true
                default: false
                }
            })
        else { return "it has no end" }
        var heads = 0
        for step in timeline[...end] {
            switch step {
            case .head: heads += 1
            // Raw bytes have any head, or none.
            case .stray where heads == 0: return nil
            case .bytes where heads == 0: return "content before the head"
            case .wait(let length, _) where length < .zero: return "a negative wait"
            default: break
            }
        }
        if heads > 1 { return "two heads" }
        if case .end = timeline[end], heads == 0 { return "an end without a head" }
        return (response.status == .unanswered) == (heads == 0)
            ? nil : "status \(response.status.code) with \(heads) heads"
    }

    @Test func `8 random faults on random requests never break an answer, and replay alike`() throws {
        let seed: UInt64 = 20_250_101
        var writer = Writer(random: SeededStream(seed: seed))
        for round in 0..<400 {
            let faults = (0..<writer.random.below(6)).compactMap { _ -> String? in
                let text = writer.fault()
                // An upload is decided at the head, where a body can't be matched nor a phase chosen.
                return text.contains("upload") && (text.contains("body") || text.contains("after")) ? nil : text
            }
            let requests: [(HTTPMessage.HTTPMethod, String, String)] = (0..<6).map { _ in
                writer.pick([
                    (.get, "/notes/n1", ""), (.get, "/notes/none", ""), (.post, "/notes", #"{"text":"a"}"#),
                    (.post, "/notes", "no json"), (.post, "/slow", #"{"token":"x"}"#), (.get, "/numbered", ""),
                    (.delete, "/notes/n1", ""), (.get, "/", ""), (.head, "/notes/n1", ""),
                ])
            }
            func play() throws -> [String] {
                let harness = try EngineHarness()
                for fault in faults { try harness.fault(fault) }
                let bearer = "Bearer \(NotesAPI.token(issuer: "x"))"
                defer { #expect(harness.emulator.isIdle, "seed \(seed), round \(round)") }
                return try requests.map { method, path, body in
                    let exchange = try harness.begin(method, path, fields: ["Authorization": bearer], body: body)
                    let response = exchange.answer.response
                    if let objection = objection(to: response) {
                        Issue.record("seed \(seed), round \(round): \(objection): \(faults) \(method) \(path)")
                    }
                    for step in response.timeline {
                        if case .effect(let number) = step {
                            harness.emulator.perform(effect: number, of: exchange.number, at: harness.hostTime)
                        }
                    }
                    harness.finish(exchange, .cut, sent: 0)
                    let entry = try #require(try harness.journal().last)
                    expectEqual(entry.outcome, .cut)
                    return "\(response.timeline) \(entry.decisions.map { "\($0.id ?? "") \($0.acted)" })"
                }
            }
            try expectEqual(play(), play(), "seed \(seed), round \(round): \(faults)")
        }
    }

    @Test func `11 a request is meant exactly when nothing differs`() throws {
        let seed: UInt64 = 7
        var writer = Writer(random: SeededStream(seed: seed))
        var meant = 0
        for round in 0..<3_000 {
            let members = [
                writer.pick(["", #""method":"GET""#, #""method":"POST""#]),
                writer.pick(["", #""path":"/a/*""#, #""path":"/**""#, #""path":"/a/{b}""#]),
                writer.pick(["", #""query":{"q":1}"#, #""query":{"q":"2"}"#]), writer.pick(["", #""user":"u""#]),
                writer.pick(["", #""body":{"a":[1]}"#, #""body":[]"#, #""body":{"a":{"b":null}}"#]),
                writer.pick(["", #""headers":{"X":"1"}"#]),
            ].filter { !$0.isEmpty }
            let text = "{\(members.joined(separator: ","))}"
            var check = BodyCheck(try #require(JSONReader.read(text: text).objectValue))
            let matcher = Matcher(&check, apis: ["notes"])
            let call = Call(
                request: HTTPRequest(
                    head: RequestHead(
                        method: writer.pick([.get, .post]),
                        target: RequestTarget(rawPath: "/", rawQuery: writer.pick([nil, "q=1", "q=2&q=1"])),
                        fields: writer.pick([[:], ["X": "1"]])
                    ),
                    body: RequestBody(Array(writer.pick(["", "[]", #"{"a":[1,2]}"#, #"{"a":{"b":null}}"#]).utf8))
                ),
                path: try #require(Path(raw: writer.pick(["/a", "/a/b", "/a/b/c"]))),
                peer: "",
                now: .epoch,
                epoch: Epoch(start: .epoch),
                requestID: "r"
            )
            let user = writer.pick([nil, CallUser(id: "u", email: nil)])
            let subject = MatchSubject(call, api: "notes", user: user)
            let fits = matcher.matches(subject)
            if fits { meant += 1 }
            expectEqual(fits, matcher.differences(from: subject).isEmpty, "seed \(seed), round \(round): \(text)")
        }
        #expect(meant > 100)
    }
}
