import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client of the driving school: sign-in, profile, bookings, config.
public actor Client {
    /// The habits of a client, all good by default.
    public struct Habits: Sendable {
        /// Calls that find the token expired wait for one refresh, instead of one each.
        public var sharesRefresh = true
        /// A refresh's new refresh token takes the old one's place.
        public var keepsNewRefreshToken = true
        /// Checks whether a booking was made before it tries again.
        public var checksBeforeRetry = true
        /// The number of attempts at a call while the server is in trouble.
        public var attempts = 2
        /// Waits as long as the server asks.
        public var honoursRetryAfter = true

        /// Creates the habits of a correct client.
        public init() {}
    }

    /// An error for a screen to show.
    public enum Failure: Error, Equatable {
        case signedOut
        case server(Int)
        case noConnection
        case unreadable(String)
    }

    private struct Tokens {
        var access: String
        var refresh: String
    }

    private let base: URL
    private let habits: Habits
    private let sessions = Sessions()
    private let pause: @Sendable (Int) async -> Void
    private var tokens: Tokens?
    private var refreshing: Task<Tokens, any Error>?

    /// `pause` waits so many seconds; a test passes its own.
    public init(
        base: URL,
        habits: Habits = Habits(),
        pause: @escaping @Sendable (Int) async -> Void = { try? await Task.sleep(for: .seconds($0)) }
    ) {
        self.base = base
        self.habits = habits
        self.pause = pause
    }

    /// Tells whether a user is signed in.
    public var isSignedIn: Bool { tokens != nil }

    // MARK: Calls

    /// Signs a student in with a password.
    public func signIn(email: String, password: String) async throws {
        let answer: Envelope<SignIn> = try await send(
            "POST",
            "/api/mobile/auth/login",
            ["email": email, "password": password]
        )
        tokens = Tokens(access: answer.data.accessToken, refresh: answer.data.refreshToken)
    }

    /// The profile of the signed-in user.
    public func profile() async throws -> Profile {
        let answer: Envelope<Profile> = try await authorized("GET", "/api/mobile/student/profile")
        return answer.data
    }

    /// The lessons that are booked.
    public func bookings() async throws -> [Booking] {
        let answer: Envelope<Bookings> = try await authorized("GET", "/api/mobile/bookings")
        return answer.data.bookings
    }

    /// Books a lesson; when the answer is lost it looks first whether the lesson is booked by now.
    public func book(lesson: String, start: String, duration: Int) async throws -> String {
        let order = Order(type: "driving_lesson", lessonTypeId: lesson, startTime: start, duration: duration)
        do {
            let answer: Envelope<Booked> = try await authorized("POST", "/api/mobile/bookings", order)
            return answer.data.booking.id
        } catch Failure.noConnection {
            if habits.checksBeforeRetry,
                let made = try await bookings().first(where: {
                    Self.isSame($0.startTime, start) && $0.status == "confirmed"
                })
            {
                return made.id
            }
            let answer: Envelope<Booked> = try await authorized("POST", "/api/mobile/bookings", order)
            return answer.data.booking.id
        }
    }

    /// Servers write a moment with milliseconds or without.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        func plain(_ text: String) -> String { text.replacingOccurrences(of: ".000Z", with: "Z") }
        return plain(one) == plain(other)
    }

    /// Tells whether bookings are enabled; returns true if the server can't be reached.
    public func bookingsAreOn(domain: String) async -> Bool {
        let path = "/api/mobile/config?domain=\(domain)"
        let answer: Envelope<Config>? = try? await send("GET", path)
        return answer?.data.features.bookings ?? true
    }

    // MARK: Tokens

    private func authorized<Answer: Decodable>(
        _ method: String,
        _ path: String,
        _ body: (any Encodable & Sendable)? = nil
    ) async throws -> Answer {
        guard let used = tokens else { throw Failure.signedOut }
        do {
            return try await send(method, path, body, token: used.access)
        } catch Failure.server(401) {
            let fresh = try await refreshed(after: used)
            return try await send(method, path, body, token: fresh.access)
        }
    }

    private func refreshed(after used: Tokens) async throws -> Tokens {
        if habits.sharesRefresh {
            // Somebody was faster.
            if let tokens, tokens.access != used.access { return tokens }
            if let refreshing { return try await refreshing.value }
        }
        let task = Task { try await refresh(used) }
        refreshing = task
        defer { refreshing = nil }
        return try await task.value
    }

    private func refresh(_ used: Tokens) async throws -> Tokens {
        do {
            let answer: Envelope<Refreshed> = try await send(
                "POST",
                "/api/mobile/auth/refresh",
                ["refreshToken": used.refresh]
            )
            var fresh = Tokens(access: answer.data.accessToken, refresh: used.refresh)
            if habits.keepsNewRefreshToken, let new = answer.data.refreshToken { fresh.refresh = new }
            tokens = fresh
            return fresh
        } catch Failure.server(401) {
            tokens = nil
            throw Failure.signedOut
        }
    }

    // MARK: HTTP

    private func send<Answer: Decodable>(
        _ method: String,
        _ path: String,
        _ body: (any Encodable & Sendable)? = nil,
        token: String? = nil
    ) async throws -> Answer {
        var attempt = 1
        while true {
            do {
                return try await once(method, path, body, token)
            } catch Retry.after(let seconds, let status) {
                guard attempt < habits.attempts else { throw Failure.server(status) }
                if habits.honoursRetryAfter { await pause(seconds) }
                attempt += 1
            } catch Failure.server(let status) where status >= 500 {
                guard attempt < habits.attempts else { throw Failure.server(status) }
                attempt += 1
            }
        }
    }

    private enum Retry: Error { case after(Int, status: Int) }

    private func once<Answer: Decodable>(
        _ method: String,
        _ path: String,
        _ body: (any Encodable & Sendable)?,
        _ token: String?
    ) async throws -> Answer {
        guard let url = URL(string: base.absoluteString + path) else { throw Failure.unreadable(path) }
        // An answer that takes longer is none: the user has put the phone away.
        var request = URLRequest(url: url, timeoutInterval: 5)
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONEncoder().encode(body)
        }
        let answer: (data: Data, response: URLResponse)
        do {
            answer = try await sessions.data(for: request)
        } catch {
            throw Failure.noConnection
        }
        guard let response = answer.response as? HTTPURLResponse else { throw Failure.noConnection }
        if response.statusCode == 429,
            let after = response.value(forHTTPHeaderField: "Retry-After").flatMap({ Int($0) })
        {
            throw Retry.after(after, status: 429)
        }
        guard (200...299).contains(response.statusCode) else { throw Failure.server(response.statusCode) }
        do {
            return try JSONDecoder().decode(Answer.self, from: answer.data)
        } catch {
            throw Failure.unreadable("\(error)")
        }
    }
}
