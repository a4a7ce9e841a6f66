public import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport over `URLSession`, without caches and cookies.
///
/// ```swift
/// let transport = URLSessionTransport(baseURL: backend, timeout: 20)
/// ```
public struct URLSessionTransport: OnboardingTransport {
    /// The backend's base URL; the paths of the API follow it.
    public let baseURL: URL
    /// The seconds without a byte after which a request fails.
    public let timeout: Double
    /// The time after which an exchange fails, however many bytes still come.
    public let limit: Duration
    private let sleeper: any OnboardingSleeper
    private let session: URLSession

    /// Creates a transport to a backend.
    ///
    /// `timeout` is the number of seconds without a byte after which a request fails, and `limit` the time that a whole
    /// exchange may take.
    ///
    /// ```swift
    /// let transport = URLSessionTransport(baseURL: backend, timeout: 10, limit: .seconds(30))
    /// ```
    public init(
        baseURL: URL,
        timeout: Double = 30,
        limit: Duration = .seconds(60),
        sleeper: any OnboardingSleeper = SystemSleeper()
    ) {
        self.baseURL = baseURL
        self.timeout = timeout
        self.limit = limit
        self.sleeper = sleeper
        session = URLSession(configuration: Self.configuration(limit))
    }

    /// An ephemeral configuration alone still keeps cookies and answers in memory.
    static func configuration(_ limit: Duration) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.timeoutIntervalForResource = limit / .seconds(1)
        return configuration
    }

    /// Sends a request, and returns the response whatever its status; cancelling the task ends it.
    ///
    /// ```swift
    /// let response = try await transport.send(request)
    /// ```
    public func send(_ request: OnboardingRequest) async throws -> OnboardingResponse {
        var base = baseURL.absoluteString
        while base.hasSuffix("/") { base.removeLast() }
        guard let url = URL(string: base + request.path) else { throw URLError(.badURL) }
        var order = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeout)
        order.httpMethod = request.method.rawValue
        order.httpBody = request.body
        for (name, value) in request.headers { order.setValue(value, forHTTPHeaderField: name) }
        // Not every platform keeps the session's limit of a whole exchange.
        return try await withThrowingTaskGroup(of: OnboardingResponse.self) { group in
            group.addTask { [order] in try await exchange(order) }
            group.addTask {
                try await sleeper.sleep(for: limit)
                throw URLError(.timedOut)
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() else { throw URLError(.unknown) }
            return response
        }
    }

    private func exchange(_ order: URLRequest) async throws -> OnboardingResponse {
        let (data, response) = try await data(for: order)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        return OnboardingResponse(status: response.statusCode, headers: headers, body: data)
    }

    private func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        #if canImport(FoundationNetworking)
        // libcurl repeats a request by itself when a used connection ends without an answer, even a write, and then without
        // the body. A connection of its own can't be a used one.
        if request.httpMethod != OnboardingRequest.Method.get.rawValue {
            let own = URLSession(configuration: Self.configuration(limit))
            defer { own.finishTasksAndInvalidate() }
            return try await DataExchange.data(for: request, in: own)
        }
        return try await DataExchange.data(for: request, in: session)
        #else
        return try await session.data(for: request)
        #endif
    }
}
