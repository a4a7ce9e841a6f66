import Foundation
import TrendyOnboarding

// The examples of what an app gives the service.

struct LoggingTransport: OnboardingTransport {
    let inner: any OnboardingTransport

    func send(_ request: OnboardingRequest) async throws -> OnboardingResponse {
        let response = try await inner.send(request)
        log("\(request.method.rawValue) \(request.path): \(response.status)")
        return response
    }
}

func request() -> OnboardingRequest {
    let request = OnboardingRequest(method: .get, path: "/api/v1/users/onboarding")
    return request
}

func pause() -> String? {
    let response = OnboardingResponse(status: 429, headers: ["Retry-After": "60"])
    let pause = response.header("retry-after")
    return pause
}

struct StandingClock: OnboardingClock {
    let now: Date
}

struct ThriftySleeper: OnboardingSleeper {
    func sleep(for duration: Duration) async throws {
        try await Task.sleep(for: duration, tolerance: .milliseconds(100))
    }
}

func deviceTime() -> (Date, any OnboardingSleeper) {
    let date = SystemClock().now
    let sleeper: any OnboardingSleeper = SystemSleeper()
    return (date, sleeper)
}
