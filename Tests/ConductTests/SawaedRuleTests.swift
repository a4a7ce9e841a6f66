import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules of Sawaed (section 7): the breach, and what comes as close as is allowed.
@Suite struct SawaedRuleTests {
    private static let base = "/api/mobile/v1"
    private let access = Calls.token("access")
    private let refresh = Calls.token("refresh")

    @Test func `7 sawaed no-bearer-after-dead-refresh: a bearer as soon as the refusal is known`() {
        func found(_ begin: Int64, status: Int = 400, session: String = "s1") -> JudgementReport.Status? {
            state("sawaed/no-bearer-after-dead-refresh") {
                $0.add("POST", "/api/mobile/auth/refresh", at: 0, status, body: ["refreshToken": .string(refresh)])
                $0.add(
                    "GET",
                    "\(Self.base)/profile/me?locale=ar",
                    at: begin,
                    401,
                    token: Calls.token("access", session)
                )
            }
        }
        expectEqual(found(10), .failed)
        expectEqual(found(9), .passed)
        expectEqual(found(10, session: "s2"), .passed)
        expectEqual(found(10, status: 401), .failed)
        expectEqual(found(10, status: 500), .notExercised)
        expectEqual(found(10, status: 429), .notExercised)
    }

    @Test func `7 sawaed no-bearer-after-dead-refresh is told for each route`() {
        var calls = Calls("sawaed")
        calls.add("POST", "/api/mobile/auth/refresh", at: 0, 400, body: ["refreshToken": .string(refresh)])
        for place in 0..<4 {
            let path = "\(Self.base)/profile/\(place.isMultiple(of: 2) ? "me" : "awards")?locale=ar"
            calls.add("GET", path, at: 9_000 + 9_000 * Int64(place), 401, token: access)
        }
        let found = calls.report.findings.filter { $0.rule == "sawaed/no-bearer-after-dead-refresh" }
        expectEqual(found.map(\.route), ["\(Self.base)/profile/me", "\(Self.base)/profile/awards"])
        expectEqual(found.map(\.requests), [["req_1", "req_2"], ["req_1", "req_3"]])
    }

    @Test(
        arguments: [
            ("ar", nil, true), ("en-GB,ar;q=0.5", nil, true), ("AR-sa", nil, true), ("fr, en", nil, false),
            (nil, nil, false), ("", "ar", true), (nil, "EN", true), (nil, "fr", false),
        ] as [(String?, String?, Bool)]
    )
    func `7 sawaed sends-language: the header's beginning, or the query`(
        header: String?,
        locale: String?,
        isClean: Bool
    ) {
        let result = state("sawaed/sends-language") {
            $0.add(
                "GET",
                "\(Self.base)/events" + (locale.map { "?locale=\($0)" } ?? ""),
                at: 0,
                headers: header.map { [("Accept-Language", $0)] } ?? []
            )
        }
        expectEqual(result, isClean ? .passed : .failed)
    }

    @Test func `7 sawaed sends-language: the localised steps of onboarding too`() {
        for path in ["save-draft-details", "complete"] {
            let result = state("sawaed/sends-language") {
                $0.add("POST", "\(Self.base)/onboarding/\(path)", at: 0, token: access, body: ["a": 1])
            }
            expectEqual(result, .failed)
        }
        expectEqual(
            state("sawaed/sends-language") {
                $0.add("POST", "\(Self.base)/onboarding/save-draft-taxonomies", at: 0, token: access, body: ["a": 1])
            },
            .notExercised
        )
    }

    @Test func `7 sawaed continues-conversation: per skill, and only what arrived`() {
        func sent(
            _ second: JSON,
            at begin: Int64 = 9_000,
            outcome: ConductExchange.Outcome = .delivered
        ) -> JudgementReport.Status? {
            state("sawaed/continues-conversation") {
                $0.add(
                    "POST",
                    "/api/chat/send",
                    at: 0,
                    token: access,
                    body: ["skillId": "s", "message": "a"],
                    answer: ["conversationId": "c"],
                    outcome: outcome
                )
                $0.add("POST", "/api/chat/send", at: begin, 500, token: access, body: second)
            }
        }
        expectEqual(sent(["skillId": "s", "message": "b"]), .failed)
        expectEqual(sent(["skillId": "s", "message": "b", "conversationId": ""]), .failed)
        expectEqual(sent(["skillId": "s", "message": "b", "conversationId": "c"]), .passed)
        expectEqual(sent(["skillId": "t", "message": "b"]), .passed)
        expectEqual(sent(["skillId": "s", "message": "b"], at: 9), .passed)
        expectEqual(sent(["skillId": "s", "message": "b"], outcome: .cut), .notExercised)
    }

    @Test func `7 sawaed: what one answer tells, and what does not`() {
        func code(_ status: Int, _ code: String) -> JudgementReport.Status? {
            state("sawaed/clean-code") {
                $0.add(
                    "POST",
                    "/api/mobile/auth/verify-otp",
                    at: 0,
                    status,
                    body: ["email": "a@b.se"],
                    answer: ["success": false, "error": ["code": .string(code)]]
                )
            }
        }
        expectEqual(code(400, "verify_otp_failed"), .failed)
        expectEqual(code(400, "invalid_code"), .passed)
        expectEqual(code(401, "verify_otp_failed"), .passed)
        func origin(_ code: String) -> JudgementReport.Status? {
            state("sawaed/no-origin-header") {
                $0.add(
                    "POST",
                    "/api/mobile/auth/signin",
                    at: 0,
                    403,
                    body: ["email": "a@b.se"],
                    answer: ["error": ["code": .string(code)]]
                )
            }
        }
        expectEqual(origin("invalid_origin"), .failed)
        expectEqual(origin("blocked"), .passed)
        func send(_ status: Int) -> JudgementReport.Status? {
            state("sawaed/complete-chat-body") {
                $0.add("POST", "/api/mobile/v1/chat/send", at: 0, status, token: access, body: ["message": "a"])
            }
        }
        expectEqual(send(400), .failed)
        expectEqual(send(429), .passed)
        expectEqual(send(200), .passed)
    }

    @Test func `7 sawaed caches-reference-data: another language is another list`() {
        func read(_ second: String, _ language: String = "ar", status: Int = 200) -> JudgementReport.Status? {
            state("sawaed/caches-reference-data") {
                $0.add(
                    "GET",
                    "\(Self.base)/locations/regions",
                    at: 0,
                    status,
                    token: access,
                    headers: [("Accept-Language", "ar")]
                )
                $0.add(
                    "GET",
                    "\(Self.base)/\(second)",
                    at: 20_000,
                    token: access,
                    headers: [("Accept-Language", language)]
                )
            }
        }
        expectEqual(read("locations/regions"), .failed)
        expectEqual(read("locations/regions", "en"), .passed)
        expectEqual(read("locations/cities"), .passed)
        expectEqual(read("locations/regions", status: 500), .passed)
    }

    @Test func `7 sawaed resend-pause: another address, and a request that failed`() {
        func asked(_ mail: String, status: Int = 200, at begin: Int64 = 60_000) -> JudgementReport.Status? {
            state("sawaed/resend-pause") {
                $0.add("POST", "/api/mobile/v1/auth/request-otp", at: 0, status, body: ["email": "a@b.se"])
                $0.add("POST", "/api/mobile/v1/auth/request-otp", at: begin, body: ["email": .string(mail)])
            }
        }
        expectEqual(asked("a@b.se"), .failed)
        expectEqual(asked("c@b.se"), .passed)
        expectEqual(asked("a@b.se", status: 500), .passed)
        expectEqual(asked("a@b.se", at: 120_009), .failed)
        expectEqual(asked("a@b.se", at: 120_010), .passed)
    }

    @Test func `7 sawaed upload-in-order: the upload ends between address and completion`() {
        let picture = "\(Self.base)/profile/picture"
        func steps(_ upload: Int64?, status: Int = 200, took: Int64 = 10) -> JudgementReport.Status? {
            state("sawaed/upload-in-order") {
                if let upload, upload < 1_000 { $0.add("POST", "/api/storage/upload", at: upload, status) }
                $0.add("GET", "\(picture)/upload-url", at: 1_000, token: access)
                if let upload, upload >= 1_000 {
                    $0.add("POST", "/api/storage/upload", at: upload, took: took, status)
                }
                $0.add("POST", "\(picture)/complete", at: 3_000, token: access, body: ["storageId": "x"])
            }
        }
        expectEqual(steps(2_000), .passed)
        expectEqual(steps(nil), .failed)
        expectEqual(steps(0), .failed)
        expectEqual(steps(2_000, status: 400), .failed)
        expectEqual(steps(2_000, took: 1_000), .passed)
        expectEqual(steps(2_000, took: 1_001), .failed)
    }

    @Test func `7 sawaed normalised-email: only case and blanks around, and only of one client`() {
        func mails(_ second: String, agent: String = "App/1") -> JudgementReport.Status? {
            state("sawaed/normalised-email") {
                $0.add("POST", "/api/mobile/auth/signin", at: 0, 500, body: ["email": "anna@b.se"], agent: "App/1")
                $0.add(
                    "POST",
                    "/api/mobile/v1/auth/request-otp",
                    at: 90_000,
                    500,
                    body: ["email": .string(second)],
                    agent: agent
                )
            }
        }
        expectEqual(mails("Anna@b.se"), .failed)
        expectEqual(mails("anna@b.se\n"), .failed)
        expectEqual(mails("anna@b.se"), .passed)
        expectEqual(mails("an na@b.se"), .passed)
        expectEqual(mails("Anna@b.se", agent: "App/2"), .passed)
    }

    @Test(arguments: [
        ("page=1", false), ("q=", false), ("isRegistrationRequired=false", false), ("allowWaitlist=0", false),
        ("isRegistrationRequired=true", true), ("allowWaitlist=1", true), ("from=0", true), ("capacityMin=0", true),
        ("cursor=0", true), ("pageSize=20", true),
    ])
    func `7 sawaed backend-gaps: page, q, and boolean filters that are off`(query: String, isClean: Bool) {
        let result = state("sawaed/backend-gaps") { $0.add("GET", "\(Self.base)/events?\(query)&locale=ar", at: 0) }
        expectEqual(result, isClean ? .passed : .failed)
    }
}
