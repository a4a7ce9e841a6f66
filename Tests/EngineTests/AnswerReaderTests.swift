import Backend
import CivilTime
import Conditions
import Crypto
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Control contract, sections 8 and 17: what a worker has read of an answer changes nothing but the thread.
@Suite struct AnswerReaderTests {
    // {"user":{"id":7,"email":"ann@example.com"},"items":[{"name":"a","n":1},{"name":"b","n":2}]}
    private static let coded =
        "H4sIAAAAAAACAz3KMQqAMAwF0Lv8OQi6CJm8hzhEzVBoolgFoeTuIoLr41VcRQ9wRVrBPUFNUgZD3Ae9xfaszbIZgpBOtQIeK1xM3wOCg9ugn+aPupjiASq3bQBbAAAA"

    private static let stubs = [
        #"{"match":{"path":"/coded"},"response":{"headers":{"Content-Encoding":"gzip","ETag":"\"a\""},"base64":"\#(coded)"}}"#,
        #"{"match":{"path":"/odd"},"response":{"headers":{"Content-Encoding":"br"},"base64":"\#(coded)"}}"#,
        #"{"match":{"path":"/events"},"response":{"events":[{"data":{"n":1}},{"data":{"m":2}}]}}"#,
        #"{"match":{"path":"/drawn"},"response":{"headers":{"Content-Encoding":"identity"},"body":{"n":"{{counter.n}}"}}}"#,
    ]

    /// A bench on which a worker makes and reads each answer ahead, or none does.
    private struct Run {
        let harness: EngineHarness
        let isAhead: Bool
        private var count: UInt64 = 0

        init(isAhead: Bool) throws {
            self.isAhead = isAhead
            harness = try EngineHarness()
            for stub in AnswerReaderTests.stubs { try harness.stub(stub) }
        }

        private func speculativeResponse(of exchange: Exchange) throws -> SpeculativeResponse? {
            guard isAhead else { return nil }
            let part = harness.emulator.part(of: exchange)
            let speculativeResponse = try #require(
                harness.emulator.speculativeResponse(of: exchange, in: part, at: harness.hostTime)
            )
            speculativeResponse.work()
            #expect(harness.emulator.holds(speculativeResponse, in: part, at: harness.hostTime))
            return speculativeResponse
        }

        /// Sends a request; `meanwhile` happens when the worker is done.
        mutating func begin(
            _ method: HTTPMessage.HTTPMethod,
            _ path: String,
            _ fields: Fields = Fields(),
            by responder: (any Responder)? = nil,
            meanwhile: (EngineHarness) throws -> Void = { _ in }
        ) throws -> Exchange {
            let body = method == .post ? #"{"text":"milk"}"# : ""
            let head = RequestHead(method: method, target: RequestTarget(rawPath: path), fields: fields)
            let address = try #require(harness.emulator.address(of: head, entryPoint: .api(0)))
            count += 1
            let exchange = harness.emulator.open(
                head,
                address: address,
                peer: "127.0.0.1",
                id: count,
                at: harness.hostTime
            )
            harness.emulator.receive(HTTPRequest(head: head, body: RequestBody(Array(body.utf8))), of: exchange)
            if let responder { exchange.use(responder) }
            let speculativeResponse = try speculativeResponse(of: exchange)
            try meanwhile(harness)
            harness.emulator.answer(exchange, speculative: speculativeResponse, at: harness.hostTime)
            return exchange
        }

        func release(_ exchange: Exchange, _ effect: String) throws {
            var check = BodyCheck(["effect": try JSONReader.read(text: effect)])
            let spec = FaultSpec.readEffect(&check, phase: .after)
            let release = harness.emulator.release("g", in: exchange.hosted, effect: spec, at: harness.hostTime)
            expectEqual(release.unanswered.count + release.resumed.count, 1)
            guard let waiting = release.unanswered.first else { return }
            #expect(
                harness.emulator.resume(
                    waiting,
                    speculative: try speculativeResponse(of: waiting),
                    at: harness.hostTime
                )
            )
        }

        var hits: [Int] { get throws { try harness.hosted("main").world.faults.faults.map(\.hits) } }
    }

    /// What a request came to.
    private struct Outcome: Equatable {
        var response: Response
        var reasons: [String?]
        var hits: [Int]
    }

    private func outcomes(isAhead: Bool, _ faults: [String]) throws -> [Outcome] {
        var run = try Run(isAhead: isAhead)
        for fault in faults { try run.harness.fault(fault) }
        let preferences: [Fields] = [
            [:], ["Prefer": "fault=invalid-json"], ["Prefer": "fault=truncated-json, wait=1"], ["Prefer": "wait=2"],
        ]
        var outcomes: [Outcome] = []
        for path in ["/coded", "/notes/n1", "/odd", "/events", "/drawn", "/notes", "/nowhere", "/coded"] {
            for (place, fields) in preferences.enumerated() {
                let method: HTTPMessage.HTTPMethod =
                    path == "/notes" ? .post : path == "/coded" && place == 3 ? .head : .get
                let exchange = try run.begin(method, path, fields)
                let decisions = try #require(try run.harness.journal().last).decisions
                let reasons = decisions.map { $0.acted ? nil : $0.reason }
                try outcomes.append(Outcome(response: exchange.response, reasons: reasons, hits: run.hits))
            }
        }
        return outcomes
    }

    @Test(
        arguments: [
            [],
            [#"{"effect":{"drift":{"set":"user.email","to":"x"}}}"#],
            [#"{"effect":{"drift":{"auto":"breaking"}}}"#],
            [#"{"phase":"before","effect":{"drift":{"auto":"additive"}}}"#],
            [#"{"when":{"skip":1,"times":2},"effect":{"drift":{"remove":"items.*.name"}}}"#],
            [#"{"when":{"probability":0.5},"effect":{"body":"invalid-json"}}"#],
            [#"{"phase":"before","effect":{"body":"truncated-json"}}"#],
            [
                #"{"effect":{"drift":{"null":"nothing.here"}}}"#, #"{"effect":{"delay":{"ms":5}}}"#,
                #"{"enabled":false,"effect":{"body":"invalid-json"}}"#, #"{"effect":{"drift":{"set":"n","to":0}}}"#,
                #"{"effect":{"body":"invalid-json"}}"#,
            ],
        ]
    )
    func `17 an answer that a worker has read is the one that would be read at once`(faults: [String]) throws {
        try expectEqual(outcomes(isAhead: true, faults), outcomes(isAhead: false, faults))
    }

    @Test(arguments: ["before", "after"], [#"{"drift":{"auto":"breaking"}}"#, #"{"body":"invalid-json"}"#])
    func `17 what a gate's release orders is read ahead, too`(phase: String, effect: String) throws {
        let responses = try [true, false].map { isAhead in
            var run = try Run(isAhead: isAhead)
            let phase = try #require(FaultSpec.Phase(rawValue: phase))
            _ = try run.harness.hosted("main").world.gates.add("g", Matcher(), phase)
            return try ["/coded", "/notes/n1", "/coded"].map { path in
                let exchange = try run.begin(.get, path)
                #expect(exchange.isHeld)
                try run.release(exchange, effect)
                return exchange.response
            }
        }
        expectEqual(responses[0], responses[1])
    }

    @Test func `17 recorded answers are read ahead`() throws {
        let recorded = Response(
            status: .ok,
            fields: ["Content-Encoding": "gzip"],
            body: .bytes(try #require(Base64.decode(Self.coded.utf8)))
        )
        let responses = try [true, false].map { isAhead in
            var run = try Run(isAhead: isAhead)
            try run.harness.fault(#"{"effect":{"drift":{"set":"user","to":1}}}"#)
            let responder = ReplayResponder { _, _, _ in .recorded(recorded) }
            return try run.begin(.get, "/any", by: responder).response
        }
        let plain = try #require(ContentCoding.decoded(responses[0].body.content, ["gzip"], limit: 1_000))
        #expect(String(decoding: plain, as: UTF8.self).hasPrefix(#"{"user":1,"#))
        expectEqual(responses[0], responses[1])
    }

    @Test func `17 what was read counts for that answer and that fault alone`() throws {
        func changed(isAhead: Bool, _ meanwhile: (EngineHarness) throws -> Void) throws -> Response {
            var run = try Run(isAhead: isAhead)
            try run.harness.fault(#"{"effect":{"drift":{"set":"user.email","to":"x"}}}"#)
            return try run.begin(.get, "/coded", meanwhile: meanwhile).response
        }
        let changes: [(EngineHarness) throws -> Void] = [
            { try $0.stub(#"{"match":{"path":"/coded"},"response":{"body":{"user":{"email":"other"}}}}"#) },
            {
                _ = try $0.hosted("main").world.faults.remove { _ in true }
                try $0.fault(#"{"effect":{"drift":{"set":"user.email","to":"y"}}}"#)
            },
            { try $0.fault(#"{"effect":{"status":500}}"#) },
            { _ = try $0.hosted("main").world.faults.setEnabled(false) },
        ]
        for change in changes {
            try expectEqual(changed(isAhead: true, change), changed(isAhead: false, change))
        }
    }

    @Test func `17 only answers that are long to read leave the loop`() throws {
        var run = try Run(isAhead: false)
        func readsLong(_ path: String, _ fields: Fields = [:]) throws -> Bool {
            let head = RequestHead(method: .get, target: RequestTarget(rawPath: path), fields: fields)
            let address = try #require(run.harness.emulator.address(of: head, entryPoint: .api(0)))
            let exchange = run.harness.emulator.open(
                head,
                address: address,
                peer: "127.0.0.1",
                id: 9,
                at: run.harness.hostTime
            )
            run.harness.emulator.receive(HTTPRequest(head: head), of: exchange)
            return run.harness.emulator.readsLong(exchange, at: run.harness.hostTime)
        }
        // The content of a short one that is asked for again and again is long.
        let most = 32 * 1_024
        for count in [most, most + 1] {
            try run.harness.stub(
                #"{"match":{"path":"/\#(count)"},"response":{"text":"\#(String(repeating: "x", count: count))"}}"#
            )
        }
        #expect(try !readsLong("/coded"))
        #expect(try readsLong("/coded", ["Prefer": "fault=invalid-json"]))
        #expect(try !readsLong("/coded", ["Prefer": "fault=html"]))
        try run.harness.fault(#"{"match":{"path":"/*"},"when":{"skip":9},"effect":{"drift":{"auto":"breaking"}}}"#)
        #expect(
            try readsLong("/coded") && readsLong("/\(most + 1)") && !readsLong("/\(most)") && !readsLong("/notes/n1")
        )
        try run.harness.fault(#"{"match":{"path":"/\#(most)"},"effect":{"body":"truncated-json"}}"#)
        #expect(try readsLong("/\(most)"))
        _ = try run.begin(.get, "/coded")
        try run.harness.hosted("main").world.faults.setEnabled(false)
        #expect(try !readsLong("/coded"))
    }
}
