import HTTPMessage
import JSON

/// Where a credential lies, and the world that one without room for a name leads to.
extension Emulator {
    /// The credential that may lead a request back to its world.
    func credential(of request: Request, api index: Int, match: RouteMatch) -> String? {
        if case .endpoint(let place, _) = match {
            switch apis[index].credentials[place] {
            case .bearer: break
            case .bearerOrCookie(let name):
                if request.head.fields[.authorization] == nil { return request.head.fields.cookie(name) }
            case .body(let member): return Self.credential(in: request.body, [member])
            case .bodyMembers(let members): return Self.credential(in: request.body, members)
            case .query(let name): return QueryItems(request.head.target.rawQuery).last(name)
            }
        }
        guard let value = request.head.fields.bytes(.authorization), value.count > 7 else { return nil }
        return String(decoding: value.dropFirst(7), as: UTF8.self)
    }

    private static func credential(in body: RequestBody, _ members: [String]) -> String? {
        // As deep as any API reads a body.
        guard let json = try? JSONReader.read(body.bytes, options: JSONReader.Options(maxDepth: 512)) else {
            return nil
        }
        return members.lazy.compactMap { json[$0]?.stringValue }.first
    }

    /// The world of that mark; of several the one whose API knows the token.
    func world(ofMark mark: String, on token: String, api: Int?) -> String? {
        let marked = worldNames.filter { WorldTag.shortMark(of: $0) == mark }
        guard marked.count > 1, let api else { return marked.first }
        return marked.first { name in self[world: name].flatMap { apis[api].user($0.world, api, token) } != nil }
            ?? marked.first
    }
}
