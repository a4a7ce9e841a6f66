/// The facts about an operation that rules need (conduct contract, section 5).
package struct OperationKnowledge: Sendable {
    package enum Role: String, Sendable { case ordinary, signIn, signUp, refresh, signOut, requestCode }
    package enum Credential: String, Sendable { case none, optional, bearer }

    /// A code, link token or QR token that works once.
    package struct OneTimeCode: Sendable {
        /// The members of the body that may hold it; the first that is there counts.
        package var members: [String]
        /// Tells whether people type it, so that another one can be asked for.
        package var isTyped: Bool

        package init(_ members: [String], isTyped: Bool = false) {
            self.members = members
            self.isTyped = isTyped
        }
    }

    /// The paging of a list by a cursor.
    package struct Cursor: Sendable {
        /// The parameter of the query.
        package var parameter: String
        /// The path of the next cursor in the answer.
        package var next: [String]
        /// Tells whether it is a feed of changes, which has no end.
        package var isFeed: Bool

        package init(_ parameter: String, next: [String], isFeed: Bool = false) {
            self.parameter = parameter
            self.next = next
            self.isFeed = isFeed
        }
    }

    /// The paging of a list by an offset.
    package struct Offset: Sendable {
        /// The path of the items in the answer.
        package var items: [String]
        /// The path of the member that is false on the last page.
        package var more: [String]

        package init(items: [String], more: [String]) {
            self.items = items
            self.more = more
        }
    }

    /// The answer after which nothing changes any more.
    package struct Terminal: Sendable {
        package var member: [String]
        package var values: Set<String>

        package init(_ member: [String], _ values: Set<String>) {
            self.member = member
            self.values = values
        }
    }

    package var method: String
    package var template: String
    package var role = Role.ordinary
    /// The role by a value of the query, where one route has several: `name=value`.
    package var roleByQuery: [(parameter: String, role: Role)] = []
    package var credential: Credential
    /// Tells whether a call without a credential counts as one that misses it, though it is answered.
    package var missesCredential = false
    /// Tells whether its credential stands in the address, which the API hands out.
    package var hasCredentialInURL = false
    package var declaresBody: Bool
    package var creates = false
    /// The groups of members that no two things share.
    package var distinct: [[String]] = []
    /// The member of the content that is a list of things, each told apart by itself.
    package var batch: String?
    /// The templates of lists beside those that its path tells.
    package var collections: [String] = []
    package var code: OneTimeCode?
    /// Tells whether it takes a password or a typed code.
    package var takesSecret = false
    /// Tells whether its content says which it is: a sign-in, or a refresh.
    package var isGrant = false
    /// The member of the content that has the refresh token, beside the usual names.
    package var refreshMember: String?
    /// The member of the content by which a user is found.
    package var identifier = "email"
    package var cursor: Cursor?
    package var offset: Offset?
    package var limitMaximum: Int64?
    package var terminal: Terminal?
    /// The names in the query that are declared for an e-mail address: of parameters, or of members such as
    /// `filter[email]`.
    package var emailParameters: Set<String> = []
    /// The bucket of a rate limit that it counts for.
    package var bucket: String?

    package init(_ method: String, _ template: String, credential: Credential, declaresBody: Bool) {
        self.method = method
        self.template = template
        self.credential = credential
        self.declaresBody = declaresBody
    }

    /// The name of the operation in tables.
    package var name: String { method + " " + template }

    /// The role of a request with that query.
    package func role(query: String?) -> Role {
        for entry in roleByQuery where (query ?? "").split(separator: "&").contains(Substring(entry.parameter)) {
            return entry.role
        }
        return role
    }
}
