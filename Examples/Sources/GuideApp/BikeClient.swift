import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client of `apis/bikes`: sign-in, and a list that refreshes an expired token once.
public actor BikeClient {
    /// A bike of the list.
    public struct Bike: Decodable, Equatable, Sendable {
        /// The id.
        public var id: String
        /// The name that is painted on it.
        public var name: String
        /// The word that tells if it can be rented.
        public var status: String
    }

    /// A response that is not a success.
    public struct Failure: Error, Equatable {
        /// The status of the response.
        public var status: Int

        /// A response with this status.
        public init(status: Int) {
            self.status = status
        }
    }

    private struct Tokens: Decodable {
        var accessToken: String
        var refreshToken: String
    }

    private struct Page: Decodable {
        var items: [Bike]
    }

    private let base: URL
    private var tokens: Tokens?

    /// A client of the backend at this address.
    public init(base: URL) {
        self.base = base
    }

    /// Signs a user in.
    public func signIn(email: String, password: String) async throws {
        tokens = try await send("POST", "v2/sessions", ["email": email, "password": password])
    }

    /// The bikes of the first page.
    public func bikes() async throws -> [Bike] {
        do {
            let page: Page = try await send("GET", "v2/bikes")
            return page.items
        } catch let failure as Failure where failure.status == 401 {
            guard let old = tokens else { throw failure }
            tokens = try await send("POST", "v2/sessions/refresh", ["refreshToken": old.refreshToken])
            let page: Page = try await send("GET", "v2/bikes")
            return page.items
        }
    }

    private func send<Answer: Decodable>(
        _ method: String,
        _ path: String,
        _ body: [String: String]? = nil
    ) async throws -> Answer {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = method
        if let body {
            request.httpBody = try JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        } else if let tokens {
            request.setValue("Bearer \(tokens.accessToken)", forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw Failure(status: status) }
        return try JSONDecoder().decode(Answer.self, from: data)
    }
}
