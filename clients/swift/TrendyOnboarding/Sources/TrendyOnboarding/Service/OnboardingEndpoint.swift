import Foundation

/// The forms of the onboarding endpoint: its requests, and the meaning of its responses.
struct OnboardingEndpoint: Sendable {
    let transport: any OnboardingTransport

    static let path = "/api/v1/users/onboarding"

    /// Sends a request and reads the record of a user from the response.
    ///
    /// Runs outside the main actor, so that a transport which computes for long does not hold up the screen.
    @concurrent
    func record(
        _ method: OnboardingRequest.Method,
        _ change: UpdateOnboardingStatusRequest? = nil,
        of userId: String,
        token: String
    ) async -> Result<APIOnboardingStatus, Failure> {
        var request = OnboardingRequest(method: method, path: Self.path)
        request.headers = [
            "Authorization": "Bearer \(token)",
            "Accept": "application/json",
            "X-Request-ID": UUID().uuidString.lowercased(),
        ]
        let response: OnboardingResponse
        do {
            if let change {
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                request.body = try encoder.encode(change)
                request.headers["Content-Type"] = "application/json"
            }
            response = try await transport.send(request)
        } catch {
            return .failure(Failure(.network(reason: "\(error)")))
        }
        return Self.read(response, userId)
    }

    /// An error, with the pause that the backend asks for.
    struct Failure: Error, Equatable {
        var error: OnboardingError
        var retryAfter: RetryAfter?

        init(_ error: OnboardingError, retryAfter: RetryAfter? = nil) {
            self.error = error
            self.retryAfter = retryAfter
        }
    }

    private static func read(
        _ response: OnboardingResponse,
        _ userId: String
    ) -> Result<APIOnboardingStatus, Failure> {
        switch response.status {
        case 200...299: break
        case 401: return .failure(Failure(.unauthorized))
        default:
            let error = OnboardingError.refused(status: response.status, message: message(response))
            return .failure(Failure(error, retryAfter: response.header("Retry-After").flatMap(RetryAfter.init)))
        }
        do {
            let record = try JSONDecoder().decode(APIOnboardingStatus.self, from: response.body)
            guard record.userId.lowercased() == userId else { return .failure(Failure(.answerOfAnotherUser)) }
            return .success(record)
        } catch {
            return .failure(Failure(.unreadableAnswer(reason: "\(error)")))
        }
    }

    private struct ErrorBody: Decodable {
        var error: String?
        var userMessage: String?
        var detail: String?

        enum CodingKeys: String, CodingKey {
            case error, detail
            case userMessage = "user_message"
        }
    }

    /// The text of an error in the plain form, the problem form, or the router's form.
    private static func message(_ response: OnboardingResponse) -> String? {
        if let body = try? JSONDecoder().decode(ErrorBody.self, from: response.body),
            let text = body.error ?? body.userMessage ?? body.detail
        {
            return text
        }
        guard response.header("Content-Type")?.hasPrefix("text/plain") == true else { return nil }
        return String(decoding: response.body.prefix(200), as: UTF8.self)
    }
}
