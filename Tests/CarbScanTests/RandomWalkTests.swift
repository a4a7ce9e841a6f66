import Backend
import CivilTime
import EngineTesting
import JSON
import TestSupport
import Testing

@testable import CarbScan

/// Random walks against small models; a failure names its seed.
struct RandomWalkTests {
    /// The state of a device: the server's meals by id, and the uploads without a response.
    private struct Device {
        var mark: JSON = .null
        var known: [Int64: String] = [:]
        var queue: [(localId: String, carbs: Int64)] = []
        var made = 0
    }

    private static func text(_ meal: JSON) -> String {
        "\(meal.string("name")) \(meal["carbEstimate"]?.intValue ?? -1)"
    }

    @Test(arguments: UInt64(1)...40)
    func `7.13 two devices converge, whatever is interleaved or lost`(seed: UInt64) throws {
        let harness = try Harness()
        var random = SeededStream(seed: seed, purpose: "devices", ordinal: 1)
        let token = try harness.mint(Harness.relay)
        var devices = [Device(), Device()]
        var uploaded: Set<String> = []
        func synchronise(_ place: Int) throws {
            let sent = devices[place].queue
            let meals = sent.map { Harness.localMeal($0.localId, name: $0.localId, carbs: .integer($0.carbs)) }
            let data = try harness.sync(token, since: devices[place].mark, meals).data
            uploaded.formUnion(sent.map(\.localId))
            // Every so often the answer is lost; the device sends the same again.
            if random.next() % 4 == 0 { return }
            for (row, meal) in zip(data["syncedLocalMeals"]?.arrayValue ?? [], sent) {
                expectEqual(row.string("localId"), meal.localId, "seed \(seed)")
                devices[place].known[row["serverId"]?.intValue ?? 0] = "\(meal.localId) \(meal.carbs)"
            }
            for row in data["modifiedMeals"]?.arrayValue ?? [] {
                devices[place].known[row["id"]?.intValue ?? 0] = Self.text(row)
            }
            devices[place].queue = []
            devices[place].mark = data["serverTimestamp"] ?? .null
        }
        for _ in 0..<60 {
            let place = Int(random.next() % 2)
            switch random.next() % 7 {
            case 0, 1:
                devices[place].made += 1
                let id = "d\(place)-\(devices[place].made)"
                devices[place].queue.append((id, Int64(random.next() % 100)))
            case 2: _ = try harness.analyze(Harness.picture, token)
            case 3: try harness.advance(.microseconds(Int64(random.next() % 3_000)))
            case 4:
                let changed = try harness.state { state, core in
                    let meals = state.meals.rows.filter { $0.localId != nil }
                    guard !meals.isEmpty else { return false }
                    let meal = meals[Int(random.next() % UInt64(meals.count))]
                    state.editOnServer(meal.id, now: core.now, epoch: Epoch(start: core.now))
                    return true
                }
                if changed { try harness.advance(.zero) }
            default: try synchronise(place)
            }
        }
        // Until both have got an answer, and once more for what the other uploaded meanwhile.
        for _ in 0..<2 {
            for place in 0..<2 {
                repeat { try synchronise(place) } while !devices[place].queue.isEmpty
            }
        }
        for place in 0..<2 {
            let mark = devices[place].mark
            let before = devices[place].known.count
            repeat { try synchronise(place) } while devices[place].mark == .null && mark == .null
            #expect(devices[place].known.count >= before, "seed \(seed)")
        }
        var server: [Int64: String] = [:]
        for row in try harness.get("/meals?limit=100", token: token).at("meals").arrayValue ?? [] {
            server[row["id"]?.intValue ?? 0] = Self.text(row)
        }
        for place in 0..<2 {
            // One more answer that arrives for sure.
            let data = try harness.sync(token, since: devices[place].mark).data
            for row in data["modifiedMeals"]?.arrayValue ?? [] {
                devices[place].known[row["id"]?.intValue ?? 0] = Self.text(row)
            }
            expectEqual(devices[place].known, server, "seed \(seed), device \(place)")
            let next = try harness.sync(token, since: data["serverTimestamp"] ?? .null).data
            expectEqual(next["modifiedMeals"]?.count, 0, "seed \(seed)")
        }
        let stored = try harness.state { state, _ in state.meals.rows.compactMap(\.localId) }
        expectEqual(Set(stored), uploaded, "seed \(seed)")
        expectEqual(stored.count, uploaded.count, "seed \(seed)")
    }

    @Test(arguments: UInt64(1)...30)
    func `6 quotas follow a log of instants, forwards and backwards`(seed: UInt64) throws {
        let harness = try Harness()
        var random = SeededStream(seed: seed, purpose: "quotas", ordinal: 1)
        let isFree = random.next() % 2 == 0
        let token = try harness.mint(isFree ? Harness.new : Harness.web, life: .days(10_000))
        var scans: [Instant] = []
        var chats: [Instant] = []
        for _ in 0..<120 {
            let now = try harness.now
            let day = now.flooredToDay
            let date = now.civilDate
            func isCurrent(_ use: Instant) -> Bool {
                isFree ? use.flooredToDay == day : use.civilDate.month == date.month && use.civilDate.year == date.year
            }
            let scansLeft = (isFree ? 3 : 90) - scans.count(where: isCurrent)
            let chatsLeft = 3 - chats.count { $0.flooredToDay == day }
            switch random.next() % 5 {
            case 0, 1:
                let reply = try harness.analyze(Harness.picture, token)
                if scansLeft > 0 {
                    expectEqual(reply.at("scanUsage.remainingScans"), .integer(Int64(scansLeft - 1)), "seed \(seed)")
                    scans.append(now)
                } else {
                    expectEqual(reply.status, 403, "seed \(seed)")
                }
            case 2:
                let reply = try harness.ask("x", token)
                if chatsLeft > 0 {
                    expectEqual(reply.at("usage.remainingChats"), .integer(Int64(chatsLeft - 1)), "seed \(seed)")
                    chats.append(now)
                } else {
                    expectEqual(reply.status, 403, "seed \(seed)")
                }
            case 3: try harness.setClock(Harness.evening + .hours(Int64(random.next() % 1_000)))
            default:
                let status = try harness.status(token)
                expectEqual(status.at("scans.remaining"), .integer(Int64(scansLeft)), "seed \(seed)")
                expectEqual(status.at("chat.usedToday"), .integer(Int64(3 - chatsLeft)), "seed \(seed)")
            }
        }
    }

    @Test(arguments: UInt64(1)...20)
    func `5.1 tokens follow a model of sessions, in every profile`(seed: UInt64) throws {
        struct Session {
            var access: [(token: String, end: Instant)] = []
            var refresh: String
            var spent: [String] = []
            var end: Instant
            var isEnded = false
        }
        let harness = try Harness()
        var random = SeededStream(seed: seed, purpose: "tokens", ordinal: 1)
        let profile = ["documented", "blacklist", "rotation"][Int(random.next() % 3)]
        try harness.set(["tokens": ["profile": .string(profile)]])
        let life: Interval = profile == "rotation" ? .minutes(15) : .days(30)
        var sessions: [Session] = []
        for _ in 0..<80 {
            let now = try harness.now
            let place = sessions.isEmpty ? 0 : Int(random.next() % UInt64(sessions.count))
            switch sessions.isEmpty ? 0 : random.next() % 6 {
            case 0:
                let (access, refresh) = try harness.signIn(as: Harness.pro)
                sessions.append(
                    Session(
                        access: [(access, now.flooredToSecond + life)],
                        refresh: refresh,
                        end: now.flooredToSecond + .days(90)
                    )
                )
            case 1:
                let reply = try harness.refresh(sessions[place].refresh)
                guard !sessions[place].isEnded, now < sessions[place].end else {
                    expectEqual(reply.error, "401 UNAUTHORIZED", "seed \(seed)")
                    continue
                }
                sessions[place].access.append((reply.at("accessToken").stringValue ?? "", now.flooredToSecond + life))
                if profile == "rotation" {
                    sessions[place].spent.append(sessions[place].refresh)
                    sessions[place].refresh = reply.at("refreshToken").stringValue ?? ""
                    sessions[place].end = now.flooredToSecond + .days(90)
                } else {
                    expectEqual(reply.at("refreshToken"), .null, "seed \(seed)")
                }
            case 2 where !sessions[place].spent.isEmpty:
                try expectEqual(
                    harness.refresh(sessions[place].spent.last ?? "").error,
                    "401 UNAUTHORIZED",
                    "seed \(seed)"
                )
                sessions[place].isEnded = true
            case 3 where random.next() % 3 == 0:
                _ = try harness.post("/auth/revoke", json: ["refreshToken": .string(sessions[place].refresh)])
                if profile != "documented", now < sessions[place].end { sessions[place].isEnded = true }
            case 4: try harness.advance(.minutes(Int64(random.next() % 20_000)))
            default:
                for (token, end) in sessions[place].access {
                    let works = !sessions[place].isEnded && now < end
                    try expectEqual(harness.me(token).status, works ? 200 : 401, "seed \(seed)")
                }
            }
        }
    }
}
