package import CivilTime
package import HTTPMessage
import JSON

/// One request on its way through an API.
package struct Call: Sendable {
    package internal(set) var request: HTTPRequest
    /// The API's own path, without world prefix and hub mount.
    package let path: Path
    /// What came before the API's own path (`/@world`, `/api` of the hub): links handed out begin with it.
    package let linkPrefix: String
    /// The numeric address of the peer.
    package let peer: String
    /// The world's clock at this request.
    package internal(set) var now: Instant
    package internal(set) var epoch: Epoch
    package internal(set) var requestID: String
    /// The template of the route that took the request; nil when none did.
    package var route: String?
    /// The values of the template's parameters in its order, decoded.
    package var parameters: [String] = []
    /// The user behind the credential, expired or not: for the journal, faults and filters.
    package var user: CallUser?
    /// A recording, a fault or a real backend has answered it.
    var isTakenElsewhere = false
    /// Fields that the API adds to whatever it answers (rate limits and the like).
    package var answerFields = Fields()
    /// Whether the answer goes without the id that every other one carries.
    package var hidesRequestID = false
    /// What the endpoint's preparation made of the request; nil if it has none.
    package var prepared: (any Sendable)?
    var forecast: MatchForecast?
    /// What the endpoint will make of it, found out elsewhere.
    var foreseen: Foresight?
    /// It is only tried, in a copy of the world, whether it comes as far as its endpoint; and whether it did.
    var isTrial = false
    var isLetIn = false
    /// Changes of the world tied to the delivery of the answer, numbered by `Step.effect`.
    package var effects: [Effect] = []

    package init(
        request: HTTPRequest,
        path: Path,
        linkPrefix: String = "",
        peer: String,
        now: Instant,
        epoch: Epoch,
        requestID: String
    ) {
        self.request = request
        self.path = path
        self.linkPrefix = linkPrefix
        self.peer = peer
        self.now = now
        self.epoch = epoch
        self.requestID = requestID
    }

    /// The same call before anything was found out about it, at another moment of the world.
    func renewed(at now: Instant, _ epoch: Epoch) -> Call {
        var call = Call(
            request: request,
            path: path,
            linkPrefix: linkPrefix,
            peer: peer,
            now: now,
            epoch: epoch,
            requestID: requestID
        )
        call.prepared = prepared
        call.forecast = forecast
        return call
    }

    package var method: HTTPMethod { request.head.method }
    package var fields: Fields { request.head.fields }

    /// The query's names and values.
    package var query: QueryItems { QueryItems(request.head.target.rawQuery) }

    /// Where the caller sees this API: scheme and authority as the caller named them, forwarded fields first, and the world
    /// prefix and hub mount it used.
    ///
    /// Absolute URLs handed out begin with it. Without a Host (HTTP/1.0) it is `localhost`.
    package var origin: String { Self.origin(of: request.head, linkPrefix) }

    /// Where the caller of a request sees an API, with the prefix that the request used.
    package static func origin(of head: RequestHead, _ linkPrefix: String) -> String {
        ForwardedOrigin(scheme: "http", authority: head.authority ?? "localhost", fields: head.fields).text + linkPrefix
    }

    /// Ties a change of the world to a place in the answer's timeline.
    package mutating func effect(_ change: @escaping @Sendable (inout World, Instant) -> Void) -> Step {
        effects.append(Effect(change: change))
        return .effect(effects.count - 1)
    }
}

/// Who a credential belongs to.
package struct CallUser: Sendable, Equatable {
    package var id: String
    package var email: String?

    package init(id: String, email: String?) {
        self.id = id
        self.email = email
    }

    /// What the journal shows.
    package var label: String { email ?? id }

    /// Whether that is its id, or its e-mail in whatever case.
    package func answers(to who: String) -> Bool {
        id == who || email.map { $0 == who || $0.lowercased() == who.lowercased() } ?? false
    }
}

/// A pure change of the world that runs when the answer has been delivered up to a point.
package struct Effect: Sendable {
    package let change: @Sendable (inout World, Instant) -> Void

    package init(change: @escaping @Sendable (inout World, Instant) -> Void) { self.change = change }
}
