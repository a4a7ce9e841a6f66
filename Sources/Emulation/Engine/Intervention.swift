package import HTTPMessage

/// What steps into the way of a request: faults, latency, gates and replay are interventions (control contract, sections
/// 8 to 10 and 13).
///
/// A world holds its interventions in order; they are part of its value, so forks have them and a reset takes them away.
/// They see the call with its route and its user, whether or not the credential still works.
package protocol Intervention: Sendable {
    /// Before the endpoint runs: an answer takes the endpoint's place, and nothing has changed in the world but what the
    /// intervention itself changed. Nil lets the endpoint run.
    func before(_ call: Call, _ world: inout World) -> Response?

    /// After the endpoint has run and its changes are made: the answer that the client gets in the place of that one.
    func after(_ response: Response, _ call: Call, _ world: inout World) -> Response
}

extension Intervention {
    package func before(_ call: Call, _ world: inout World) -> Response? { nil }
    package func after(_ response: Response, _ call: Call, _ world: inout World) -> Response { response }
}
