/// The facts about a route of a custom API, beside its declaration, by which the conduct of clients is judged (conduct
/// contract, section 5).
///
/// Those of the built-in APIs are with the rules.
package struct RouteFacts: Sendable {
    package enum Role: Sendable {
        case ordinary, signIn, signUp, refresh, signOut, requestCode
        /// A sign-in or a refresh, whichever the content asks for (RFC 6749).
        case grant
    }

    package var role = Role.ordinary
    /// The credential that the route needs, where other declarations change what the summary says.
    package var authentication: Authentication?
    /// Tells whether content is declared, where another declaration changes what the summary says.
    package var declaresBody: Bool?
    /// The member of the content by which a user is found.
    package var identifier = "email"
    /// The member of the content that has the refresh token.
    package var refreshMember: String?
    /// The member of the content that has a typed code.
    package var codeMember: String?
    /// Tells whether it takes a password or a typed code.
    package var takesSecret = false
    /// Tells whether each call makes something new.
    package var creates = false
    /// The groups of members that no two rows share: who sends them makes one row, however often.
    package var distinct: [[String]] = []
    /// The names in a query that are declared for an e-mail address: of parameters, or of members such as `filter[email]`.
    package var mailParameters: Set<String> = []
    /// Tells whether its paths end in a slash; nil where either form is taken.
    package var endsInSlash: Bool?
    /// The largest value of the parameter `limit`.
    package var limitMaximum: Int?

    package init() {}
}
