import Backend
package import CivilTime
package import HTTPMessage
package import Templates

/// The sign-in of a custom API as `auth` declares it (own-API contract, section 15).
package struct SignIn: Sendable {
    /// The form of the tokens.
    package enum Format: String, CaseIterable, Sendable { case jwt, opaque }

    /// The routes; one that is not declared is not there.
    package struct Routes: Sendable {
        package var login: String?
        package var register: String?
        package var codeRequest: String?
        package var codeVerify: String?
        package var refresh: String?
        package var logout: String?
        package var me: String?
        package var token: String?

        /// The routes at which tokens are issued, which ask for none.
        var issuing: [String] { [login, register, codeRequest, codeVerify, refresh, token].compactMap { $0 } }
    }

    /// The statuses of successes that the API chooses.
    package struct Statuses: Sendable, Equatable {
        package var login = Status.ok
        package var refresh = Status.ok
    }

    /// One-time codes.
    package struct Codes: Sendable, Equatable {
        package var lifetime = Interval.minutes(10)
        /// Tells whether a code is also sent to those who are not users yet, whom it makes users.
        package var registers = false
    }

    /// The name of the API.
    package let api: String
    /// The place of the users' table in the definition.
    package var users: Int
    /// The key of the users' table.
    package var key = "id"
    /// The member by which users are found, in either case.
    package var identifier = "email"
    /// The member that is compared with what a user sends.
    package var secret = "password"
    package var routes = Routes()
    /// Those of their paths that were declared with a slash at the end, without it.
    package var slashed: Set<String> = []
    package var codes = Codes()
    package var format = Format.jwt
    /// The time after the first use of a refresh token within which it may be used again.
    package var grace = Interval.zero
    /// The settings that a new world has.
    package var settings = SignInSettings()
    /// The members of a token's payload besides the registered ones.
    package var claims: Template?
    /// The member of a body that has the refresh token.
    package var refreshName = "refreshToken"
    /// The member of a body that has the one-time code.
    package var codeName = "code"
    /// The body of an answer that has tokens.
    package var response: Template
    /// The paths that ask for no token.
    package var open: [OpenPath] = []
    /// The statuses of answers that have tokens.
    package var statuses = Statuses()

    /// Creates the sign-in of those in a table, with the defaults of the contract.
    package init(api: String, users: Int, response: Template) {
        self.api = api
        self.users = users
        self.response = response
    }

    /// Tells whether a password is part of any way to sign in.
    var hasPasswords: Bool { routes.login != nil || routes.token != nil }

    /// Tells whether a path is declared to ask for no token.
    func isOpen(_ call: Call) -> Bool { isOpen(call.method, call.path.segments) }

    /// Tells the same of a method, nil for any, and the segments of a path or of a template.
    func isOpen(_ method: HTTPMethod?, _ segments: [String]) -> Bool { open.contains { $0.takes(method, segments) } }
}
