public import Foundation

/// A request to the backend.
///
/// ```swift
/// let request = OnboardingRequest(method: .get, path: "/api/v1/users/onboarding")
/// ```
public struct OnboardingRequest: Hashable, Sendable {
    /// A method of the onboarding endpoint.
    public enum Method: String, Hashable, Sendable {
        /// Reads the record.
        case get = "GET"
        /// Changes members of the record.
        case patch = "PATCH"
        /// Resets the record.
        case delete = "DELETE"
    }

    /// The method.
    public var method: Method
    /// The path below the backend's base URL, with a leading slash.
    public var path: String
    /// The header fields.
    public var headers: [String: String]
    /// The content; nil for none.
    public var body: Data?

    /// Creates a request.
    ///
    /// ```swift
    /// let request = OnboardingRequest(
    ///     method: .get,
    ///     path: "/api/v1/users/onboarding",
    ///     headers: ["Authorization": "Bearer \(token)"]
    /// )
    /// ```
    public init(method: Method, path: String, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }
}

/// A response of the backend.
///
/// ```swift
/// let response = OnboardingResponse(status: 429, headers: ["Retry-After": "60"])
/// let pause = response.header("retry-after")
/// ```
public struct OnboardingResponse: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: [String: String]
    /// The content.
    public var body: Data

    /// Creates a response.
    ///
    /// ```swift
    /// let response = OnboardingResponse(status: 429, headers: ["Retry-After": "60"])
    /// ```
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Returns the value of a header field; names in any case.
    ///
    /// ```swift
    /// let pause = response.header("retry-after")
    /// ```
    public func header(_ name: String) -> String? {
        headers.first { $0.key.caseInsensitiveCompare(name) == .orderedSame }?.value
    }
}

/// A connection to the backend: sends a request once, and returns the response.
///
/// A call ends in finite time, and soon after its task is cancelled. One that does not delays later calls of the same user;
/// it delays no deadline.
///
/// ```swift
/// struct LoggingTransport: OnboardingTransport {
///     let inner: any OnboardingTransport
///
///     func send(_ request: OnboardingRequest) async throws -> OnboardingResponse {
///         let response = try await inner.send(request)
///         log("\(request.method.rawValue) \(request.path): \(response.status)")
///         return response
///     }
/// }
/// ```
public protocol OnboardingTransport: Sendable {
    /// Sends a request; throws if no response came, whatever its status.
    func send(_ request: OnboardingRequest) async throws -> OnboardingResponse
}
