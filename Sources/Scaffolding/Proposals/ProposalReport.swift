import HTTPMessage
import JSON
import OpenAPI

/// The parts made of a document, in words (own-API contract, section 19).
package struct ProposalReport: Sendable {
    /// The parts that serve, one a line.
    package private(set) var made: [String] = []
    /// The parts that are written with `"enabled": false`, with the reasons.
    package private(set) var disabled: [String] = []
    /// The operations that samples answer though a part beside them serves, with the reasons.
    package private(set) var samples: [String] = []
    /// The path in front of the document's paths; empty for none.
    package let basePath: String
    /// The parameters that change nothing in a list.
    package private(set) var unfiltered: [String] = []
    /// The required members of lists that no placeholder fills, with the value that they always have.
    package private(set) var constants: [String] = []
    /// The first user and the password; nil without sign-in.
    package private(set) var user: (identifier: String, password: String)?
    /// The request that signs in: its path, its body, and the media type of JSON; nil for a form.
    package private(set) var signIn: (path: String, body: String, type: String?)?

    init(basePath: String) { self.basePath = basePath }

    mutating func note(_ collection: ProposedCollection, why: String?, place: Int) {
        let methods = collection.operations.map(\.operation.words)
        if let why {
            disabled.append("$.resources[\(place)] \(collection.path): \(why)")
        } else {
            var words = "\(collection.table): \(methods.joined(separator: ", "))"
            if let style = collection.paging?.style, style != .none { words += "; pages by \(style.rawValue)" }
            if let owner = collection.owner { words += "; each user's own by \(owner)" }
            made.append(words)
            constants += collection.guesses.map { "GET \(collection.path): \($0)" }
            let ignored = collection.paging?.ignored ?? []
            if !ignored.isEmpty {
                unfiltered.append("GET \(collection.path): \(ignored.map { "?\($0)" }.joined(separator: ", "))")
            }
        }
        guard why == nil else { return }
        for left in collection.left { samples.append("\(left.operation.words): \(left.reason)") }
    }

    mutating func note(_ profile: ProposedProfile, _ table: String) {
        if !profile.operations.isEmpty {
            made.append(
                "\(table): \(profile.operations.map(\.operation.words).joined(separator: ", ")); the user's own row"
            )
        }
        for left in profile.left { samples.append("\(left.operation.words): \(left.reason)") }
    }

    /// Notes the header of keys that answers are kept under; `others` name another one.
    mutating func noteKeys(
        _ header: String,
        _ operations: [OpenAPIOperation],
        others: [(operation: OpenAPIOperation, header: String)]
    ) {
        made.append("idempotency: \(header) of \(operations.map(\.words).joined(separator: ", "))")
        for other in others {
            let reason = "an API has one header for idempotency keys, \(header), and not \(other.header)"
            samples.append("\(other.operation.words): \(reason)")
        }
    }

    mutating func note(_ signIn: ProposedSignIn, why: String?) {
        if let why {
            disabled.append("$.auth: \(why)")
        } else {
            let routes = signIn.routes.map { "\($0.name) \($0.operation.words)" }
            made.append("sign-in: \(routes.joined(separator: ", "))")
            user = signIn.user
            guard let login = signIn.routes.first else { return noteLeft(signIn) }
            if login.name == "token" {
                let texts = ["password", signIn.user.identifier, signIn.user.password].map(\.percentEncodedComponent)
                let body = "grant_type=\(texts[0])&username=\(texts[1])&password=\(texts[2])"
                self.signIn = (login.operation.route, body, nil)
            } else if login.name == "login" {
                let body: JSON = [
                    signIn.identifier: .string(signIn.user.identifier), signIn.secret: .string(signIn.user.password),
                ]
                let taken = login.operation.taken
                guard taken?.isJSON ?? true else {
                    let pairs = [(signIn.identifier, signIn.user.identifier), (signIn.secret, signIn.user.password)]
                    let form = pairs.map { "\($0.percentEncodedComponent)=\($1.percentEncodedComponent)" }
                    self.signIn = (login.operation.route, form.joined(separator: "&"), nil)
                    return noteLeft(signIn)
                }
                let isOther = taken.map { $0.isJSON && !$0.isPlainJSON } ?? false
                self.signIn = (login.operation.route, body.text, isOther ? taken?.name : "application/json")
            }
        }
        noteLeft(signIn)
    }

    private mutating func noteLeft(_ signIn: ProposedSignIn) {
        for left in signIn.left { samples.append("\(left.operation.words): \(left.reason)") }
    }
}
