import JSON
import TestSupport
import Testing

@testable import Conduct
@testable import ConductKit

/// The rules of OmniChat (section 7): the breach, and what comes as close as is allowed.
@Suite struct OmniChatRuleTests {
    private static let base = "/api/v1"

    private static func issued(_ session: String, end: Int64 = 864_000) -> JSON {
        [
            "accessToken": .string(Calls.token("access", session, end: end)),
            "refreshToken": .string(Calls.token("refresh", session)),
        ]
    }

    @Test func `7 omnichat refreshes-ahead: the third token sent after its end`() {
        func late(_ tokens: Int64, by late: Int64 = 2_000) -> JudgementReport.Status? {
            state("omnichat/refreshes-ahead") {
                $0.add(
                    "POST",
                    "\(Self.base)/auth/apple",
                    at: 0,
                    body: ["idToken": "x"],
                    answer: Self.issued("s1", end: 100)
                )
                for number in 1...tokens {
                    let (end, token) = (100 * number, Calls.token("access", "s1", end: 100 * number))
                    $0.add("GET", "\(Self.base)/user/profile", at: end * 1_000 + late, 401, token: token)
                    $0.add(
                        "POST",
                        "\(Self.base)/auth/refresh",
                        at: end * 1_000 + late + 1_000,
                        body: ["refreshToken": .string(Calls.token("refresh"))],
                        answer: ["accessToken": .string(Calls.token("access", "s1", end: end + 100))]
                    )
                }
            }
        }
        expectEqual(late(3), .failed)
        expectEqual(late(2), .passed)
        expectEqual(late(3, by: 0), .passed)
    }

    @Test func `7 omnichat keeps-old-refresh-token: lost by a client that was given one`() {
        func refreshed(_ error: String, given: Bool = true, agent: String = "App/1") -> JudgementReport.Status? {
            state("omnichat/keeps-old-refresh-token") {
                let answer = given ? Self.issued("s1") : ["accessToken": .string(Calls.token("access"))]
                $0.add("POST", "\(Self.base)/auth/apple", at: 0, body: ["idToken": "x"], answer: answer, agent: "App/1")
                $0.add(
                    "POST",
                    "\(Self.base)/auth/refresh",
                    at: 90_000,
                    400,
                    body: [:],
                    answer: ["error": .string(error)],
                    agent: agent
                )
            }
        }
        expectEqual(refreshed("Missing refresh token"), .failed)
        expectEqual(refreshed("Invalid refresh token"), .passed)
        expectEqual(refreshed("Missing refresh token", given: false), .notExercised)
        expectEqual(refreshed("Missing refresh token", agent: "App/2"), .notExercised)
    }

    @Test func `7 omnichat no-needless-sign-in: the third further one within ten minutes`() {
        func signed(_ begins: [Int64], user: String = "anna", agent: String = "App/1") -> JudgementReport.Status? {
            state("omnichat/no-needless-sign-in") {
                for (number, begin) in begins.enumerated() {
                    let isFirst = number == 0
                    $0.add(
                        "POST",
                        "\(Self.base)/auth/apple",
                        at: begin,
                        user: isFirst ? "anna" : user,
                        body: ["idToken": .string("x\(number)")],
                        answer: Self.issued("s\(number)"),
                        agent: isFirst ? "App/1" : agent
                    )
                }
            }
        }
        expectEqual(signed([0, 10_000, 20_000, 610_000]), .failed)
        expectEqual(signed([0, 10_000, 20_000, 610_001]), .passed)
        expectEqual(signed([0, 10_000, 20_000]), .passed)
        expectEqual(signed([0, 10_000], user: "bo"), .notExercised)
        expectEqual(signed([0, 10_000], agent: "App/2"), .notExercised)
    }

    @Test func `7 omnichat no-needless-sign-in: a refused refresh token is a reason`() {
        let result = state("omnichat/no-needless-sign-in") {
            for number in 0..<5 {
                let (begin, session) = (Int64(number) * 20_000, "s\(number)")
                $0.add(
                    "POST",
                    "\(Self.base)/auth/apple",
                    at: begin,
                    user: "anna",
                    body: ["idToken": .string("x\(number)")],
                    answer: Self.issued(session)
                )
                $0.add(
                    "POST",
                    "\(Self.base)/auth/refresh",
                    at: begin + 9_000,
                    401,
                    body: ["refreshToken": .string(Calls.token("refresh", session))]
                )
            }
        }
        expectEqual(result, .notExercised)
    }

    private func answered(
        _ rule: String,
        _ method: String,
        _ path: String,
        _ status: Int,
        _ error: String = "",
        route: String? = nil
    ) -> JudgementReport.Status? {
        state(rule) {
            $0.add(
                method,
                "\(Self.base)/\(path)",
                at: 0,
                status,
                route: route.map { "\(Self.base)/\($0)" },
                token: Calls.token("access"),
                body: method == "POST" ? ["a": 1] : nil,
                answer: ["error": .string(error)]
            )
        }
    }

    @Test func `7 omnichat: what one answer tells, and what does not`() {
        let details = "omnichat/first-sign-in-details"
        expectEqual(answered(details, "POST", "auth/apple", 400, "Email required for new users"), .failed)
        expectEqual(answered(details, "POST", "auth/apple", 400, "Invalid token"), .passed)
        let (blank, route) = ("omnichat/no-blank-content", "conversations/{id}/messages")
        let text = "Message content is required"
        expectEqual(answered(blank, "POST", "conversations/7/messages", 400, text, route: route), .failed)
        expectEqual(answered(blank, "POST", "conversations/7/messages", 400, "Other", route: route), .passed)
        expectEqual(answered(blank, "POST", "conversations/7/messages", 200, route: route), .passed)
        expectEqual(answered("omnichat/checks-uploads", "POST", "upload", 400), .failed)
        expectEqual(answered("omnichat/checks-uploads", "POST", "upload", 413), .failed)
        expectEqual(answered("omnichat/checks-uploads", "POST", "upload", 429), .passed)
        expectEqual(answered("omnichat/checks-uploads", "POST", "upload", 500), .passed)
        expectEqual(answered("omnichat/own-files-only", "GET", "files/a/b", 403, route: "files/{key…}"), .failed)
        expectEqual(answered("omnichat/own-files-only", "GET", "files/a/b", 404, route: "files/{key…}"), .passed)
    }

    @Test func `7 omnichat complete-conversation: a title, and a model that was listed`() {
        func made(_ body: JSON, status: Int = 201, error: String? = nil, at begin: Int64 = 9_000) -> JudgementReport
            .Status?
        {
            state("omnichat/complete-conversation") {
                $0.add("GET", "/api/models", at: 0, answer: ["providers": ["openai": [["id": "gpt"]]]])
                $0.add(
                    "POST",
                    "\(Self.base)/conversations",
                    at: begin,
                    status,
                    token: Calls.token("access"),
                    body: body,
                    answer: error.map { ["error": .string($0)] }
                )
            }
        }
        expectEqual(made(["title": "a", "model": "gpt"]), .passed)
        expectEqual(made(["title": "a"]), .passed)
        expectEqual(made(["title": "a", "model": "gtp"]), .failed)
        expectEqual(made(["title": "a", "model": "gtp"], at: 9), .passed)
        expectEqual(made(["model": "gpt"], status: 400, error: "Title is required"), .failed)
        expectEqual(made(["model": "gpt"], status: 400, error: "Model is required"), .passed)
    }
}
