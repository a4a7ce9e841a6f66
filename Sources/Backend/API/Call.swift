package import CivilTime
package import HTTPMessage
package import JSON

/// One request as an API sees it.
package struct Call: Sendable {
    package var request: HTTPRequest
    /// The API's own path, without world prefix and hub mount.
    package let path: Path
    /// The prefix before the API's own path (`/@world`, `/api` of the hub), with which links in responses begin.
    package let linkPrefix: String
    /// Tells whether a request that names no world, and no token leads to one, is refused rather than taken to `main`.
    package var isWorldRequired = false
    /// The numeric address of the peer.
    package let peer: String
    /// The connection that it came on.
    package var connection = CallConnection()
    /// The world's clock at this request.
    package var now: Instant
    package var epoch: Epoch
    package var requestID: String
    /// The template of the route that took the request; nil if none did.
    package var route: String?
    /// The values of the template's parameters in its order, decoded.
    package var parameters: [String] = []
    /// The user behind the credential, expired or not: for the journal, faults and filters.
    package var user: CallUser?
    /// Tells that a replay, a fault or a real backend has answered the call.
    package var isTakenElsewhere = false
    /// The source that has answered the call; nil while none has.
    package var source: AnswerSource?
    /// The id of the stub that has answered the call.
    package var stub: String?
    /// The answerer of the call in words: a stub, a sample, a row, an entry of a recording (control contract,
    /// section 11).
    package var answeredBy: String?
    /// The stub nearest to a call for whose path there are stubs though the API's own source answered, and why it did not
    /// act.
    package var nearestStub: String?
    /// The entry of a recording nearest to a call that nothing has taken.
    package var nearestEntry: NearRoute?
    /// The rules that the call, or its answer, breaks of the API's document, as `{path,reason}` (own-API contract, section 16).
    package var violations: [JSON]?
    /// The names of parameters that the endpoint ignored because they mean nothing to it.
    package var ignored: [String] = []
    /// The names of parameters of which another value came first, which counts.
    package var repeated: [String] = []
    /// Fields that the API adds to every response, such as its rate limits.
    package var answerFields = Fields()
    /// Tells whether the response omits the request id that every other one carries.
    package var hidesRequestID = false
    /// The result of the endpoint's preparation; nil if it has none.
    package var prepared: (any Sendable)?
    /// The results of matchers that a worker has found out in advance (`MatchForecast`).
    package var forecast: (any AnyObject & Sendable)?
    /// The endpoint's result as a worker computed it in advance.
    package var speculative: (any AnyObject & Sendable)?
    /// Marks a trial in a copy of the world, which only finds out whether the call reaches its endpoint; `isLetIn` is
    /// the finding.
    package var isTrial = false
    package var isLetIn = false
    /// Changes of the world tied to the delivery of the response, numbered by `Step.effect`.
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

    /// Returns the call as it was before the API looked at it, at another moment of the world.
    package func renewed(at now: Instant, _ epoch: Epoch) -> Call {
        var call = Call(
            request: request,
            path: path,
            linkPrefix: linkPrefix,
            peer: peer,
            now: now,
            epoch: epoch,
            requestID: requestID
        )
        call.isWorldRequired = isWorldRequired
        call.connection = connection
        call.prepared = prepared
        call.forecast = forecast
        return call
    }

    package var method: HTTPMethod { request.head.method }
    package var fields: Fields { request.head.fields }

    /// The query's names and values.
    package var query: QueryItems { QueryItems(request.head.target.rawQuery) }

    /// The base URL of this API as the caller knows it: scheme and authority from the request, forwarded fields first,
    /// and then the world prefix and the hub mount.
    ///
    /// Where the server speaks TLS itself, the connection alone decides on the scheme (transport contract, section 3).
    ///
    /// Absolute URLs in responses begin with it. Without a Host field (HTTP/1.0) the authority is `localhost`.
    package var origin: String { Self.origin(of: request.head, linkPrefix) }

    /// Returns the base URL of an API as the caller of a request knows it, with the prefix that the request used.
    package static func origin(of head: RequestHead, _ linkPrefix: String) -> String {
        ForwardedOrigin(of: head).text + linkPrefix
    }

    /// Ties a change of the API's state to a point in the response's timeline.
    package mutating func effect<State: Sendable>(
        _ change: @escaping @Sendable (inout State, inout WorldCore, Instant) -> Void
    ) -> Step {
        effects.append(Effect(change))
        return .effect(effects.count - 1)
    }
}

/// The facts about the connection of a call that matchers and faults look at.
package struct CallConnection: Sendable, Equatable {
    /// Tells whether another request came on it before.
    package var isReused: Bool
    /// Tells whether it carries several requests at once, as HTTP/2 does.
    package var isMultiplexed: Bool

    package init(isReused: Bool = false, isMultiplexed: Bool = false) {
        self.isReused = isReused
        self.isMultiplexed = isMultiplexed
    }
}

/// The user that a credential belongs to.
package struct CallUser: Sendable, Equatable {
    package var id: String
    package var email: String?

    package init(id: String, email: String?) {
        self.id = id
        self.email = email
    }

    /// The name shown in the journal.
    package var label: String { email ?? id }

    /// Returns whether the text is the user's id, or the e-mail address in any case.
    package func answers(to who: String) -> Bool {
        id == who || email.map { $0 == who || $0.lowercased() == who.lowercased() } ?? false
    }
}

/// A pure change of an API's state that runs once the response has been delivered up to a point.
package struct Effect: Sendable {
    /// Changes the state in a box that nothing else refers to.
    package let change: @Sendable (AnyStateBox, inout WorldCore, Instant) -> Void

    package init<State: Sendable>(_ change: @escaping @Sendable (inout State, inout WorldCore, Instant) -> Void) {
        self.change = { box, core, now in change(&box.typed(State.self).state, &core, now) }
    }
}
