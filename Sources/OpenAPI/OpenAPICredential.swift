import Formats
import HTTPMessage
import JSON

/// A credential that an operation asks for, as a security scheme of the document declares it.
package enum OpenAPICredential: Sendable, Hashable {
    /// A credential of a scheme, in lower case, in the Authorization field.
    case authorization(scheme: String)
    case key(OpenAPIParameter.Location, name: String)

    /// Reads a security scheme; nil for one of which nothing is in a request.
    init?(_ json: JSON) {
        switch json["type"]?.stringValue {
        case "http":
            guard let scheme = json["scheme"]?.stringValue, !scheme.isEmpty else { return nil }
            self = .authorization(scheme: scheme.lowercased())
        case "oauth2", "openIdConnect": self = .authorization(scheme: "bearer")
        case "apiKey":
            guard let name = json["name"]?.stringValue,
                let location = json["in"]?.stringValue.flatMap(OpenAPIParameter.Location.init), location != .path
            else { return nil }
            self = .key(location, name: name)
        default: return nil
        }
    }

    /// The place in a request, as a violation names it.
    private var place: String {
        switch self {
        case .authorization: "Authorization"
        case .key(.query, let name): "?\(name)"
        case .key(.cookie, let name): "Cookie: \(name)"
        case .key(_, let name): name
        }
    }

    private var words: String {
        switch self {
        case .authorization(scheme: "bearer"): "a bearer token"
        case .authorization(scheme: "basic"): "a user and a password (Basic)"
        case .authorization(let scheme): "a credential of the scheme \(scheme.cut)"
        case .key(.query, let name): "the API key ?\(name.cut)"
        case .key(.cookie, let name): "the API key in the cookie \(name.cut)"
        case .key(_, let name): "the API key in \(name.cut)"
        }
    }

    /// The fault of a request that has to have the credential; nil if it has one of that form.
    private func reason(against request: OpenAPIRequest) -> String? {
        switch self {
        case .authorization(let scheme):
            let sent = request.fields.values("Authorization").map { text in
                text.trimmingBlanks.split(separator: " ", maxSplits: 1).map { String($0).trimmingBlanks }
            }
            guard let found = sent.first(where: { $0.first?.lowercased() == scheme }) else {
                return sent.isEmpty ? "missing" : "is of another scheme"
            }
            guard found.count == 2, !found[1].isEmpty else { return "is empty" }
            guard scheme != "basic" || KnownFormat.base64.takes(found[1]) else { return "is not Base64" }
            return scheme == "bearer" && found[1].utf8.contains(UInt8(ascii: " ")) ? "is no token" : nil
        case .key(.query, let name): return Self.reason(RawQuery(request.query).values(name))
        case .key(.cookie, let name): return Self.reason(request.cookies(name))
        case .key(_, let name): return Self.reason(FieldName(name).map { request.fields.values($0) } ?? [])
        }
    }

    private static func reason(_ texts: [String]) -> String? {
        guard let first = texts.first else { return "missing" }
        return first.trimmingBlanks.isEmpty ? "is empty" : nil
    }

    /// Returns what a request lacks of the alternatives, one of which it has to fulfil whole; nothing without any.
    static func missing(of alternatives: [[OpenAPICredential]], in request: OpenAPIRequest) -> [OpenAPIViolation] {
        let lacks = alternatives.map { all in
            all.compactMap { one in one.reason(against: request).map { (credential: one, reason: $0) } }
        }
        // The alternative of which the least is missing is most likely meant.
        guard let nearest = lacks.min(by: { $0.count < $1.count }), !nearest.isEmpty else { return [] }
        let needed = alternatives.map { $0.map(\.words).joined(separator: " and ") }.joined(separator: ", or ")
        return nearest.map { lack in
            OpenAPIViolation(path: lack.credential.place, reason: "\(lack.reason): the operation requires \(needed)")
        }
    }
}

extension OpenAPIOperation {
    /// The value of `WWW-Authenticate` for a request without its credential; nil for bearer tokens and keys.
    package var challenge: String? {
        guard let first = credentials.first?.first, case .authorization(let scheme) = first, scheme != "bearer" else {
            return nil
        }
        return scheme == "basic" ? "Basic realm=\"api\"" : scheme
    }
}

extension OpenAPIRequest {
    /// The values of the cookies of a name.
    func cookies(_ name: String) -> [String] {
        fields.values("Cookie").flatMap { $0.split(";") }.compactMap { pair in
            let pieces = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pieces.count == 2, pieces[0].drop(while: { $0 == " " }) == name else { return nil }
            return String(pieces[1])
        }
    }
}
