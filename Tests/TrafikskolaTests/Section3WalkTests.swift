import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import Trafikskola

/// A random walk of the session model against a small model.
struct Section3WalkTests {
    private struct Line {
        var user: Int
        var device: Int?
        var isEnded = false
        var access: [(token: String, end: Instant)] = []
        /// The newest last; all before it are rotated.
        var refresh: [(token: String, end: Instant)] = []
    }

    @Test(arguments: (1...12).map { UInt64($0) &* 7_919 })
    func `3.3 to 3.5 sessions follow a small model`(seed: UInt64) throws {
        var chance = SeededStream(seed: seed)
        let harness = try Harness()
        let users = [Harness.anna, Harness.other]
        var lines: [Line] = []
        for _ in 0..<220 {
            let now = try harness.now
            let place = lines.isEmpty ? 0 : chance.below(lines.count)
            switch chance.below(lines.isEmpty ? 1 : 9) {
            case 0:
                let user = chance.below(2)
                let device = chance.below(4)
                let tokens = try harness.logIn(users[user], device: device == 3 ? nil : "d\(device)")
                var line = Line(user: user, device: device == 3 ? nil : device)
                line.access.append((tokens.access, now.flooredToSecond + .seconds(3_600)))
                line.refresh.append((tokens.refresh, now.flooredToSecond + .days(90)))
                lines.append(line)
            case 1, 2, 3:
                let number =
                    chance.below(4) == 0 ? chance.below(lines[place].refresh.count) : lines[place].refresh.count - 1
                let token = lines[place].refresh[number]
                let isNewest = number == lines[place].refresh.count - 1
                let reply = try harness.refresh(token.token)
                if now >= token.end || lines[place].isEnded {
                    expectEqual(reply.error, "401 INVALID_REFRESH_TOKEN", "seed \(seed)")
                } else if isNewest {
                    expectEqual(reply.status, 200, "seed \(seed): \(reply.text)")
                    lines[place].access.append(
                        (reply.text(at: "data.accessToken"), now.flooredToSecond + .seconds(3_600))
                    )
                    lines[place].refresh.append((reply.text(at: "data.refreshToken"), now.flooredToSecond + .days(90)))
                } else {
                    expectEqual(reply.error, "401 REFRESH_TOKEN_REUSED", "seed \(seed)")
                    for other in lines.indices where lines[other].user == lines[place].user {
                        lines[other].isEnded = true
                    }
                }
            case 4, 5:
                let token = lines[place].access[chance.below(lines[place].access.count)]
                let works = now < token.end && !lines[place].isEnded
                try expectEqual(harness.check(token.token), works ? 200 : 401, "seed \(seed)")
            case 6:
                guard let token = lines[place].access.last else { continue }
                let works = now < token.end && !lines[place].isEnded
                let reply = try harness.post("/api/mobile/auth/logout", token: token.token)
                expectEqual(reply.status, works ? 200 : 401, "seed \(seed)")
                guard works else { continue }
                lines[place].isEnded = true
                for other in lines.indices
                where lines[other].user == lines[place].user && lines[place].device != nil
                    && lines[other].device == lines[place].device
                { lines[other].isEnded = true }
            case 7: try harness.advance(.seconds(Int64(chance.below(1_800))))
            default: if chance.below(8) == 0 { try harness.advance(.days(Int64(chance.below(40)))) }
            }
        }
    }
}
