import Backend
import HTTPMessage
import JSON
import Worlds

extension Emulator {
    /// Returns the text that may lead a request back to its world: its credential, or without one the handle that an
    /// authenticated call returned.
    func worldHint(of request: HTTPRequest, api index: Int, match: RouteMatch) -> String? {
        if let sent = credential(of: request, api: index, match: match) { return sent }
        guard case .endpoint(let place, _) = match, let name = apis[index].traits[place].handleParameter else {
            return nil
        }
        return QueryItems(request.head.target.rawQuery).last(name)
    }

    /// Returns the credential of a request, from the place that the route declares.
    func credential(of request: HTTPRequest, api index: Int, match: RouteMatch) -> String? {
        Self.credential(of: request, api: apis[index], match: match)
    }

    static func credential(of request: HTTPRequest, api: AnyAPI, match: RouteMatch) -> String? {
        if case .endpoint(let place, _) = match {
            switch api.traits[place].credential {
            case .bearer: break
            case .bearerOrCookie(let name):
                if request.head.fields[.authorization] == nil { return request.head.fields.cookie(name) }
            case .body(let member): return Self.credential(in: request, [member])
            case .bodyMembers(let members): return Self.credential(in: request, members)
            case .query(let name): return QueryItems(request.head.target.rawQuery).last(name)
            }
        }
        guard let value = request.head.fields.bytes(.authorization), value.count > 7 else { return nil }
        return String(decoding: value.dropFirst(7).drop { $0 == 0x20 }, as: UTF8.self)
    }

    private static func credential(in request: HTTPRequest, _ members: [String]) -> String? {
        if case .success(let json)? = (request.reading as? ReadBody)?.result {
            return members.lazy.compactMap { json[$0]?.stringValue }.first
        }
        // The limits cover the body of every API.
        let options = JSONReader.Options(maxDepth: 512, maxValues: BodyBounds.usualValues)
        guard let json = try? JSONReader.read(request.body.bytes, options: options) else {
            // Some clients call every body a form, so that only one that is not JSON is read as one.
            guard request.hasForm else { return nil }
            let items = QueryItems(bytes: request.body.bytes[...])
            return members.lazy.compactMap { items.first($0) }.first
        }
        return members.lazy.compactMap { json[$0]?.stringValue }.first
    }
}

extension HTTPRequest {
    /// Tells whether the content is declared to be a form whose pairs are written as those of a query.
    package var hasForm: Bool {
        guard let type = head.fields.bytes(.contentType) else { return false }
        return MediaType(bytes: type)?.essence == "application/x-www-form-urlencoded"
    }
}
