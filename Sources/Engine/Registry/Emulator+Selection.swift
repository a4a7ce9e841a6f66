package import Backend
package import HTTPMessage
import JSON
import Worlds

/// The selection of the world of a request or a control call (control contract, section 4).
extension Emulator {
    /// Returns the world that an address names, or else its credential, or else `main` (control contract, section 4).
    ///
    /// `api` is the API that is called. It decides between worlds that share the mark of a token.
    package func chooseWorld(
        _ address: Address,
        api: Int? = nil,
        credential: @autoclosure () -> String?
    ) throws(Problem) -> String {
        if let first = address.namedWorlds.first {
            guard address.namedWorlds.allSatisfy({ $0 == first }) else {
                throw Problem(
                    .conflictingWorlds,
                    "The request names the worlds \(address.namedWorlds.map { "\"\($0.cut)\"" }.joined(separator: " and "))."
                )
            }
            guard hostedWorlds[first] != nil else { throw Self.unknownWorld(first) }
            return first
        }
        // With one world there is nothing to select, and the credential (which may be in the body) is not looked up.
        if hostedWorlds.count > 1 || configuration.isWorldRequired, let sent = credential(),
            let name = world(ofCredential: sent, api: api)
        {
            return name
        }
        guard !configuration.isWorldRequired else {
            if address.isProxied { throw Problem.unnamedWorld }
            throw Problem(
                .worldRequired,
                "This server was started with --world-required. Name the world with the X-Understudy-World header, the path "
                    + "prefix /@NAME, the host NAME.localhost, or a token issued in it."
            )
        }
        return WorldName.main
    }

    /// Returns the world that would take a request to an API; nil if it would be refused.
    package func world(thatTakes request: HTTPRequest, from entryPoint: EntryPoint) -> String? {
        guard let address = address(of: request.head, entryPoint: entryPoint), case .api(let api) = address.destination
        else { return nil }
        return try? chooseWorld(
            address,
            api: api,
            credential: worldHint(of: request, api: api, match: apis[api].match(request.head.method, address.path))
        )
    }

    /// Returns the existing world that a token names as its issuer's.
    private func world(ofCredential credential: String, api: Int?) -> String? {
        if let mark = WorldTag.shortMark(in: credential) { return world(ofMark: mark, on: credential, api: api) }
        if let mark = WorldTag.handleMark(in: credential) {
            return marks.keys(ofShort: mark).first.flatMap { hosted(key: $0) }?.world.name
        }
        if let mark = WorldTag.digitMark(in: credential) {
            return marks.key(ofDigits: mark).flatMap { hosted(key: $0) }?.world.name
        }
        let name: String
        if let known = credentialWorlds[credential] {
            name = known
        } else {
            guard let issuer = TokenText.issuer(of: credential), let found = WorldCore.world(ofIssuer: issuer) else {
                return nil
            }
            if credential.utf8.count <= Self.longestKnownCredential {
                if credentialWorlds.count >= 4_096 { credentialWorlds.removeAll() }
                credentialWorlds[credential] = found
            }
            name = found
        }
        return hostedWorlds[name] == nil ? nil : name
    }

    /// Returns the world that a token names as its issuer's, whether it exists or not; nil if it is no token of ours.
    package static func issuingWorld(of credential: String) -> String? {
        TokenText.issuer(of: credential).flatMap { WorldCore.world(ofIssuer: $0) }
    }

    /// Returns the world of a mark; of several the one whose API knows the token.
    private func world(ofMark mark: String, on token: String, api: Int?) -> String? {
        let marked = marks.keys(ofShort: mark).compactMap { hosted(key: $0) }
        guard marked.count > 1, let api else { return marked.first?.world.name }
        return (marked.first { apis[api].user($0.world, api, token) != nil } ?? marked.first)?.world.name
    }

    package func address(of head: RequestHead, entryPoint: EntryPoint) -> Address? {
        var isSurelyNormal = false
        guard let path = Path(raw: head.rawPath, isSurelyNormal: &isSurelyNormal) else { return nil }
        return Address(head, path: path, isSurelyNormal: isSurelyNormal, entryPoint: entryPoint, apiNames: apiNames)
    }
}
