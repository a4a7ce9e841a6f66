import CivilTime
import Foundation
import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// A client that behaves well, whatever it meets: no rule may find anything (section 1).
struct GoodClient {
    var traffic = Traffic()
    var chance: SeededGenerator
    private var time: Int64 = 0
    private var session = 0
    private var token: String?
    private var refresh = ""
    private var tags: [String: String] = [:]
    private var lives: [String: Int64] = [:]
    private var freshUntil: [String: Int64] = [:]
    private var number = 0
    private var connections = 1

    init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

    /// Moves on in time, and now and then moves the world's clock too.
    private mutating func pass(_ least: Int64) {
        time += least + Int64(chance.below(4_000))
        if chance.below(40) == 0 { traffic.ahead += Int64(chance.below(100_000)) }
    }

    private mutating func signIn() {
        pass(2_000)
        session += 1
        token = "access-\(session)-0-long"
        refresh = "refresh-\(session)-0-long"
        traffic.signIn(at: time, access: token ?? "", refresh: refresh)
    }

    private mutating func signOut() {
        guard let token else { return }
        pass(2_000)
        traffic.add("POST /v1/sign-out", at: time, token: token, body: ["refreshToken": .string(refresh)])
        self.token = nil
    }

    /// Refreshes; false when the session is over.
    private mutating func renew() -> Bool {
        for attempt in 0..<3 {
            pass(1_500 * Int64(1 << attempt))
            number += 1
            switch chance.below(10) {
            case 0:
                traffic.refresh(refresh, at: time, 401)
                token = nil
                return false
            case 1:
                traffic.refresh(refresh, at: time, 503)
                time += 2_000 * Int64(1 << attempt)
            default:
                let rotates = chance.below(2) == 0
                let fresh = "refresh-\(session)-\(number)-long"
                // Made within one second, it may be equal to the former one.
                if chance.below(3) > 0 { token = "access-\(session)-\(number)-long" }
                let same: String? = chance.below(2) == 0 ? refresh : nil
                traffic.refresh(refresh, at: time, access: token ?? "", new: rotates ? fresh : same)
                if rotates { refresh = fresh }
                return true
            }
        }
        // The tokens stay; the client comes back later.
        time += 120_000
        return false
    }

    /// Makes one protected call as it should be made: with growing pauses, one refresh, and an end.
    private mutating func call(_ name: String, body: JSON? = nil, answer: JSON? = nil, key: String? = nil) {
        guard token != nil else { return signIn() }
        var hasRefreshed = false
        var pause: Int64 = 1_500
        for _ in 0..<4 {
            pass(1_200)
            let headers = key.map { [("Idempotency-Key", $0)] } ?? []
            switch chance.below(14) {
            case 0 where !hasRefreshed:
                traffic.add(name, at: time, 401, token: token, headers: headers, body: body)
                hasRefreshed = true
                if !renew() { return }
                continue
            case 1:
                traffic.add(
                    name,
                    at: time,
                    503,
                    token: token,
                    headers: headers,
                    body: body,
                    answers: [("Retry-After", "5")]
                )
                time += 6_000
            case 2:
                traffic.add(name, at: time, 500, token: token, headers: headers, body: body)
            case 3:
                traffic.add(name, at: time, token: token, headers: headers, body: body, outcome: .cut)
            case 4:
                traffic.add(name, at: time, 429, token: token, headers: headers, body: body)
                time += 15_000
            case 5:
                traffic.add(name, at: time, 404, token: token, headers: headers, body: body)
                time += 61_000
                return
            default:
                traffic.add(name, at: time, token: token, headers: headers, body: body, answer: answer)
                return
            }
            if name.hasPrefix("POST"), key == nil { return time += 61_000 }
            time += pause
            pause *= 2
            if hasRefreshed { time += 5_000 }
        }
        time += 61_000
    }

    private mutating func readCached() {
        pass(1_500)
        number += 1
        let target = "GET /v1/open?l=\(chance.below(3))"
        if let tag = tags[target] {
            let isSame = chance.below(3) > 0
            let fresh = isSame ? tag : "\"tag-\(number)\""
            // A fresh copy is used, and not asked for again.
            if let end = freshUntil[target], time + traffic.ahead < end { return }
            let life = chance.below(3) == 0 ? Int64(chance.below(20)) : nil
            traffic.add(
                target,
                at: time,
                isSame ? 304 : 200,
                headers: [("If-None-Match", tag)],
                answer: isSame ? nil : ["n": .integer(Int64(number))],
                answers: [("ETag", fresh)] + (life.map { [("Cache-Control", "max-age=\($0)")] } ?? [])
            )
            // A 304 that says nothing of it leaves the life as it was.
            lives[target] = life ?? (isSame ? lives[target] : nil)
            freshUntil[target] = lives[target].map { time + traffic.ahead + $0 * 1_000 }
            tags[target] = fresh
        } else {
            tags[target] = "\"tag-\(number)\""
            traffic.add(
                target,
                at: time,
                answer: ["n": .integer(Int64(number))],
                answers: [("ETag", tags[target] ?? "")]
            )
        }
    }

    private mutating func page() {
        number += 1
        let kind = "k\(number)"
        call("GET /v1/feed?kind=\(kind)", answer: ["items": [1], "nextCursor": .string("c-\(kind)")])
        guard token != nil, traffic.exchanges.last?.status == 200, traffic.exchanges.last?.path == "/v1/feed" else {
            return
        }
        call("GET /v1/feed?kind=\(kind)&cursor=c-\(kind)", answer: ["items": [2]])
    }

    private mutating func poll() {
        number += 1
        let target = "GET /v1/job?id=\(number)"
        for round in 0..<chance.below(6) {
            pass(2_000 + 1_000 * Int64(round))
            let isEnd = round == 4
            traffic.add(target, at: time, answer: ["status": isEnd ? "done" : "running", "n": .integer(Int64(round))])
        }
    }

    /// Reads different things at once.
    private mutating func readTogether() {
        guard let token else { return }
        pass(1_500)
        for offset in 0..<chance.below(5) {
            number += 1
            connections += 1
            traffic.add(
                "GET /v1/items/\(number)",
                at: time + Int64(offset),
                took: 300,
                token: token,
                connection: offset + 1
            )
        }
        time += 500
    }

    mutating func step() {
        number += 1
        switch chance.below(12) {
        case 0: signIn()
        case 1: signOut()
        case 2: readCached()
        case 3: page()
        case 4: poll()
        case 5: readTogether()
        case 6: call("POST /v1/items", body: ["n": .integer(Int64(number))], key: "key-\(number)")
        case 7: call("PATCH /v1/items/\(number % 7)", body: ["n": .integer(Int64(number))])
        case 8: call("DELETE /v1/items/\(number)")
        case 9: call("POST /v1/items", body: ["n": .integer(Int64(number))])
        default: call("GET /v1/items/\(number)", answer: ["n": .integer(Int64(number))])
        }
    }
}

/// Section 1: a rule never guesses.
@Suite struct WalkTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isLong = environment["UNDERSTUDY_LONG_WALKS"] != nil
    /// 200 walks; `make conduct-walks` makes them 10,000.
    static let count: UInt64 = isLong ? 10_000 : 200
    /// The seed of the first walk: the next one has the next.
    ///
    /// The long form begins anywhere unless it repeats a run.
    static let first: UInt64 =
        environment["UNDERSTUDY_WALK_SEED"].flatMap { UInt64($0) } ?? (isLong ? .random(in: 0...(1 << 40)) : 0)

    @Test func `1 a client that behaves well is never found`() {
        var passed: Set<String> = []
        print("\(Self.count) walks of a client that behaves well, from seed \(Self.first)")
        for seed in Self.first..<(Self.first + Self.count) {
            var client = GoodClient(seed: seed)
            for _ in 0..<40 { client.step() }
            let report = client.traffic.report()
            expectEqual(report.findings.map { "\(seed) \($0.rule) \($0.seen)" }, [])
            if !report.findings.isEmpty { return }
            passed.formUnion(report.rules.filter { $0.status == .passed }.map(\.id))
        }
        // The walks come by the situations, so that the innocence is worth something.
        #expect(passed.count >= 25, "\(passed.sorted())")
    }

    @Test func `8 the same exchanges give the same report`() {
        var client = GoodClient(seed: 7)
        for _ in 0..<60 { client.step() }
        client.traffic.add("GET /v1/itemz", at: 9_000_000, 404)
        expectEqual(client.traffic.report().json.text, client.traffic.report().json.text)
    }
}
