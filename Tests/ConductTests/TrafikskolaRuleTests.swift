import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules of Trafikskola (section 7): the breach, and what comes as close as is allowed.
@Suite struct TrafikskolaRuleTests {
    private static let base = "/api/mobile"
    private static let mail = "anna@example.com"
    private let access = Calls.token("access")
    private let refresh = Calls.token("refresh")

    private static func issued(_ number: Int = 0) -> JSON {
        ["data": ["accessToken": .string(Calls.token("access")), "refreshToken": .string(Calls.token("refresh"))]]
    }

    /// A sign-in of Anna at the start, after which her refresh token is good.
    private static func signIn(_ calls: inout Calls, device: String? = nil, at begin: Int64 = 0) {
        var body: JSONObject = ["email": .string(mail), "password": "x"]
        if let device { body.append("deviceInfo", ["deviceId": .string(device)]) }
        calls.add("POST", "\(base)/auth/login", at: begin, user: mail, body: .object(body), answer: issued())
    }

    @Test func `7 trafikskola recovers-before-sign-in: within a minute of the 401`() {
        func found(
            _ begin: Int64,
            path: String = "login",
            mail: String = TrafikskolaRuleTests.mail,
            refreshes: Bool = false,
            agent: String? = nil
        ) -> JudgementReport.Status? {
            state("trafikskola/recovers-before-sign-in") {
                Self.signIn(&$0)
                $0.add("GET", "\(Self.base)/bookings", at: 9_000, 401, token: access, user: Self.mail)
                if refreshes {
                    $0.add(
                        "POST",
                        "\(Self.base)/auth/refresh",
                        at: 9_500,
                        401,
                        body: ["refreshToken": .string(refresh)]
                    )
                }
                $0.add(
                    "POST",
                    "\(Self.base)/auth/\(path)",
                    at: begin,
                    500,
                    body: ["email": .string(mail)],
                    agent: agent
                )
            }
        }
        expectEqual(found(69_010), .failed)
        expectEqual(found(69_011), .passed)
        expectEqual(found(20_000, path: "request-otp"), .failed)
        expectEqual(found(20_000, mail: "bo@example.com"), .passed)
        expectEqual(found(20_000, refreshes: true), .passed)
        expectEqual(found(20_000, agent: "App/2"), .passed)
        expectEqual(found(9_009), .passed)
    }

    @Test func `7 trafikskola refreshes-a-stale-session: after more than seven days`() {
        let week: Int64 = 7 * 86_400_000
        func found(_ begin: Int64, refreshes: Bool = false) -> JudgementReport.Status? {
            state("trafikskola/refreshes-a-stale-session") {
                $0.add("GET", "\(Self.base)/bookings", at: 0, token: access)
                if refreshes {
                    $0.add(
                        "POST",
                        "\(Self.base)/auth/refresh",
                        at: begin - 9_000,
                        body: ["refreshToken": .string(refresh)]
                    )
                }
                $0.add("GET", "\(Self.base)/bookings", at: begin, 401, token: access)
            }
        }
        expectEqual(found(week), .notExercised)
        expectEqual(found(week + 1), .failed)
        expectEqual(found(week + 60_000, refreshes: true), .passed)
    }

    @Test func `7 trafikskola refreshes-only-on-401: within a second of another error`() {
        func found(_ begin: Int64, status: Int = 500, end: Int64 = 864_000, refused: Bool = false) -> JudgementReport
            .Status?
        {
            state("trafikskola/refreshes-only-on-401") {
                let token = Calls.token("access", end: end)
                if refused { $0.add("GET", "\(Self.base)/invoices", at: 500, 401, token: token) }
                $0.add("GET", "\(Self.base)/bookings", at: 1_000, status, token: token)
                $0.add("POST", "\(Self.base)/auth/refresh", at: begin, body: ["refreshToken": .string(refresh)])
            }
        }
        expectEqual(found(2_010), .failed)
        expectEqual(found(2_011), .passed)
        for status in [400, 403, 404, 409, 429, 502, 503] { expectEqual(found(1_500, status: status), .failed) }
        for status in [401, 402, 410, 422] { expectEqual(found(1_500, status: status), .notExercised) }
        expectEqual(found(1_500, refused: true), .passed)
        // Five minutes are left 1.5 s after the start, and a second more.
        expectEqual(found(1_500, end: 301), .passed)
        expectEqual(found(1_500, end: 302), .failed)
        expectEqual(found(1_009), .passed)
    }

    @Test func `7 trafikskola server-trouble-is-no-logout: within a minute of a refresh that failed`() {
        func found(
            _ second: (path: String, body: JSON),
            at begin: Int64 = 20_000,
            status: Int = 502,
            answer: JSON? = nil,
            outcome: ConductExchange.Outcome = .delivered
        ) -> JudgementReport.Status? {
            state("trafikskola/server-trouble-is-no-logout") {
                $0.add("GET", "\(Self.base)/bookings", at: -9_000, token: access, user: Self.mail)
                $0.add(
                    "POST",
                    "\(Self.base)/auth/refresh",
                    at: 0,
                    status,
                    user: Self.mail,
                    body: ["refreshToken": .string(refresh)],
                    answer: answer,
                    outcome: outcome
                )
                $0.add("POST", "\(Self.base)/auth/\(second.path)", at: begin, 500, user: Self.mail, body: second.body)
            }
        }
        let login = (path: "login", body: ["email": .string(Self.mail)] as JSON)
        let other = (
            path: "refresh", body: ["refreshToken": .string(Calls.token("refresh", "s1", "anna", end: 9))] as JSON
        )
        let same = (path: "refresh", body: ["refreshToken": .string(refresh)] as JSON)
        expectEqual(found(login, at: 60_010), .failed)
        expectEqual(found(login, at: 60_011), .passed)
        expectEqual(found(other), .failed)
        expectEqual(found(same), .passed)
        // Of users whom nobody knows, none is the other.
        let unknown = state("trafikskola/server-trouble-is-no-logout") {
            $0.add("POST", "\(Self.base)/auth/refresh", at: 0, 500, body: ["refreshToken": "unknown-refresh-1"])
            $0.add("POST", "\(Self.base)/auth/refresh", at: 9_000, body: ["refreshToken": "unknown-refresh-2"])
        }
        #expect(unknown != .failed)
        expectEqual(found((path: "login", body: ["email": "bo@example.com"])), .passed)
        expectEqual(found(login, outcome: .cut), .failed)
        expectEqual(found(login, status: 429), .failed)
        // A page instead of the tokens.
        expectEqual(found(login, status: 200), .failed)
        expectEqual(found(login, status: 401), .notExercised)
        expectEqual(found(login, outcome: .interrupted), .notExercised)
        expectEqual(found(login, status: 200, answer: Self.issued()), .notExercised)
    }

    @Test func `7 trafikskola stable-device: one name, and a registration within 30 seconds`() {
        func devices(_ second: String, agent: String? = nil, mail: String = "anna@example.com") -> JudgementReport
            .Status?
        {
            state("trafikskola/stable-device") {
                for (time, id, agent, mail) in [
                    (0, "a", nil, "Anna@example.com"), (90_000, second, agent, mail),
                ] as [(Int64, String, String?, String)] {
                    $0.add(
                        "POST",
                        "\(Self.base)/auth/login",
                        at: time,
                        401,
                        body: ["email": .string(mail), "deviceInfo": ["deviceId": .string(id)]],
                        agent: agent
                    )
                }
            }
        }
        expectEqual(devices("a"), .passed)
        expectEqual(devices("b"), .failed)
        expectEqual(devices("b", agent: "App/2"), .passed)
        expectEqual(devices("b", mail: "erik@example.com"), .passed, "two users on two phones")
        func next(_ begin: Int64, registers: Bool = false) -> JudgementReport.Status? {
            state("trafikskola/stable-device") {
                Self.signIn(&$0)
                if registers {
                    $0.add("POST", "\(Self.base)/device/register", at: 9_000, token: access, body: ["deviceId": "a"])
                }
                $0.add("GET", "\(Self.base)/bookings", at: begin, token: access)
            }
        }
        expectEqual(next(30_010), .passed)
        expectEqual(next(30_011), .failed)
        expectEqual(next(90_000, registers: true), .passed)
    }

    @Test func `7 trafikskola leaves-after-a-kick: all but the farewell, once for each route`() {
        func next(_ method: String, _ path: String, at begin: Int64 = 9_000, kicked: Bool = true) -> JudgementReport
            .Status?
        {
            state("trafikskola/leaves-after-a-kick") {
                $0.add(
                    "GET",
                    "\(Self.base)/notifications",
                    at: 0,
                    token: access,
                    answer: ["data": ["hasKick": .bool(kicked)]]
                )
                $0.add(method, "\(Self.base)/\(path)", at: begin, 403, token: access)
            }
        }
        expectEqual(next("GET", "bookings"), .failed)
        expectEqual(next("GET", "bookings", at: 10), .failed)
        expectEqual(next("GET", "bookings", at: 9), .passed)
        expectEqual(next("GET", "notifications"), .failed)
        expectEqual(next("POST", "notifications"), .passed)
        expectEqual(next("DELETE", "device/register"), .passed)
        expectEqual(next("POST", "auth/logout"), .passed)
        expectEqual(next("GET", "bookings", kicked: false), .notExercised)
    }

    @Test func `7 trafikskola: what one answer tells, and what does not`() {
        func config(_ status: Int, _ code: String) -> JudgementReport.Status? {
            state("trafikskola/checks-the-domain") {
                $0.add(
                    "GET",
                    "\(Self.base)/config?domain=x",
                    at: 0,
                    status,
                    answer: ["error": "No school", "errorCode": .string(code)]
                )
            }
        }
        expectEqual(config(404, "SCHOOL_NOT_FOUND"), .failed)
        expectEqual(config(404, "NOT_FOUND"), .passed)
        expectEqual(config(200, ""), .passed)
        func avatar(_ status: Int) -> JudgementReport.Status? {
            state("trafikskola/avatar-form") {
                $0.add("POST", "\(Self.base)/student/avatar", at: 0, status, token: access, body: ["a": 1])
            }
        }
        expectEqual(avatar(400), .failed)
        expectEqual(avatar(413), .passed)
        expectEqual(avatar(200), .passed)
    }

    @Test func `7 trafikskola config-fallback: the second repeat within a quarter of an hour`() {
        func found(_ last: Int64, second: Int = 500) -> JudgementReport.Status? {
            state("trafikskola/config-fallback") {
                for (time, status) in [(0, 500), (20_000, second), (last, 200)] as [(Int64, Int)] {
                    $0.add("GET", "\(Self.base)/config?domain=x", at: time, status)
                }
            }
        }
        expectEqual(found(900_010), .failed)
        expectEqual(found(900_011), .passed)
        expectEqual(found(90_000, second: 200), .passed)
    }

    @Test func `7 trafikskola app-secret: by clients that send it, below the mobile path, and nowhere else`() {
        func found(_ path: String, secret: Bool, sends: Bool = true, isFirst: Bool = false) -> JudgementReport.Status? {
            state("trafikskola/app-secret") {
                let fields = [("X-App-Secret", "s")]
                if !isFirst { $0.add("GET", "\(Self.base)/bookings", at: 0, headers: sends ? fields : []) }
                $0.add("GET", path, at: 9_000, headers: secret ? fields : [])
                if isFirst { $0.add("GET", "\(Self.base)/bookings", at: 20_000, headers: sends ? fields : []) }
            }
        }
        expectEqual(found("\(Self.base)/invoices", secret: true), .passed)
        expectEqual(found("\(Self.base)/invoices", secret: false), .failed)
        expectEqual(found("\(Self.base)/invoices", secret: false, isFirst: true), .failed)
        expectEqual(found("\(Self.base)/invoices", secret: false, sends: false), .notExercised)
        expectEqual(found("\(Self.base)/translations/{locale}", secret: false), .passed)
        for path in ["/logo.png", "/api/app-config"] {
            expectEqual(found(path, secret: true), .failed)
            expectEqual(found(path, secret: false), .passed)
        }
    }
}
