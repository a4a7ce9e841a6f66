package import Backend
package import CivilTime
package import HTTPMessage

extension TypedAPI {
    package func match(_ method: HTTPMethod, _ path: Path) -> RouteMatch {
        RouteMatch(table.router, method, path, acceptsTrailingSlash: acceptsTrailingSlash)
    }

    package func answer(_ world: inout World, _ index: Int, _ call: inout Call, _ match: RouteMatch) -> Response {
        table.handlers.answer(&world, index, &call, match)
    }

    package func refusal(_ status: Status, _ detail: String) -> Response { API.refusal(status, detail: detail) }

    package func timedRefusal(_ status: Status, _ detail: String, _ now: Instant) -> Response {
        API.refusal(status, detail: detail, now: now)
    }

    package func user(_ world: World, _ index: Int, _ credential: String) -> CallUser? {
        API.user(of: credential, state: world.state(index, API.State.self))
    }

    package func credentialReader(_ world: World, _ index: Int) -> CredentialReader? { nil }

    package func journalled(_ fields: Fields) -> Fields { API.journalled(fields) }

    package func faultAnswer(_ world: World, _ index: Int, _ order: InjectedStatus, _ call: Call) -> Response {
        API.faultAnswer(order, state: world.state(index, API.State.self), call: call)
    }
}
