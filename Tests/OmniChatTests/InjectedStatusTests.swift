import Backend
import CivilTime
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import OmniChat

/// OmniChat contract, sections 2.5, 2.7 and 9: bodies of injected statuses.
@Suite struct InjectedStatusTests {
    private func answer(
        _ status: Int,
        _ method: HTTPMessage.HTTPMethod = .get,
        _ route: String? = "/api/v1/conversations",
        message: String? = nil,
        _ state: OmniChatState = OmniChatState()
    ) throws -> Response {
        let path = route ?? "/nowhere"
        let now = Instant(seconds: 1_735_732_800)
        var call = Call(
            request: HTTPRequest(head: RequestHead(method: method, target: RequestTarget(rawPath: path))),
            path: try #require(Path(raw: "/x")),
            peer: "127.0.0.1",
            now: now,
            epoch: Epoch(start: now),
            requestID: "r"
        )
        call.route = route
        return OmniChatAPI.faultAnswer(
            InjectedStatus(Status(status), code: "ignored", message: message),
            state: state,
            call: call
        )
    }

    private func text(_ response: Response) -> String { String(decoding: response.body.content, as: UTF8.self) }

    @Test(arguments: [
        (500, HTTPMessage.HTTPMethod.get, "/api/v1/conversations", "Internal server error"),
        (500, .post, "/api/v1/auth/apple", "Authentication failed"),
        (500, .post, "/api/v1/auth/refresh", "Failed to refresh token"),
        (500, .post, "/api/v1/upload", "Upload failed"),
        (500, .get, "/api/v1/upload", "Internal server error"),
        (503, .get, "/api/v1/conversations", "Service Unavailable"),
        (401, .get, "/api/v1/conversations", "Unauthorized"), (404, .get, "/api/v1/conversations", "Not Found"),
        (418, .get, "/api/models", "I'm a teapot"), (429, .get, "/api/v1/conversations", "Too many requests"),
    ])
    func `2.7 an injected status has the envelope with its text`(
        status: Int,
        method: HTTPMessage.HTTPMethod,
        route: String,
        message: String
    ) throws {
        let response = try answer(status, method, route)
        expectEqual(response.status.code, status)
        expectEqual(text(response), JSON.object(["error": .string(message)]).text)
        expectEqual(response.fields[.contentType], "application/json")
        expectEqual(text(try answer(status, method, route, message: "mine")), #"{"error":"mine"}"#)
    }

    @Test func `9 an injected 401 on a web route is the text Unauthorized`() throws {
        let response = try answer(401, .get, "/api/models")
        expectEqual(text(response), "Unauthorized")
        expectEqual(response.fields[.contentType], "text/plain;charset=UTF-8")
    }

    @Test func `2.7 an injected 429 has the limiter's fields of the moment with nothing remaining`() throws {
        var state = OmniChatState()
        let now = Instant(seconds: 1_735_732_800)
        _ = state.windows.count("127.0.0.1", length: OmniChatAPI.window, now: now - .seconds(20))
        let response = try answer(429, state)
        expectEqual(response.fields["X-RateLimit-Limit"], "100")
        expectEqual(response.fields["X-RateLimit-Remaining"], "0")
        expectEqual(response.fields["X-RateLimit-Reset"], "2025-01-01T12:00:40.000Z")
        let upload = try answer(429, .post, "/api/v1/upload")
        expectEqual(upload.fields["X-RateLimit-Limit"], "20")
        expectEqual(upload.fields["X-RateLimit-Reset"], "2025-01-01T12:01:00.000Z")
        try expectNil(answer(503).fields["X-RateLimit-Limit"])
    }

    private func answer(_ status: Int, _ state: OmniChatState) throws -> Response {
        try answer(status, .get, "/api/v1/conversations", message: nil, state)
    }

    @Test func `2.5 an unknown path has the envelope too`() throws {
        expectEqual(text(try answer(502, .get, nil)), #"{"error":"Bad Gateway"}"#)
    }
}
