package import Backend
package import HTTPMessage
import JSON

/// The effect of a fault (control contract, section 8): its parameters and its implementation.
///
/// A conforming type is one file of `Effects/` and one line of `FaultEffects.all`. The control API's schema, the tables
/// of docs/faults.md and the builders of UnderstudyClient follow from its declaration; docs/contributing.md has a
/// worked example.
package protocol FaultEffect: Sendable {
    /// The effect's name, schema, examples and documentation.
    static var declaration: EffectDeclaration { get }

    /// Reads an `effect` object that names this effect; mistakes are noted in `check`.
    static func read(_ check: inout BodyCheck) -> Self?

    /// The point of an exchange at which it acts, and its needs there.
    var behavior: FaultBehavior { get }

    /// Tells whether its response stands for one to the whole request, so that content over the limit is refused first.
    var answersRequest: Bool { get }

    /// Tells whether it acts on what the content says, so that a coding has to be taken off before, and is given again.
    ///
    /// What it finds and makes then depends on the response, its schema and the random stream alone.
    var readsContent: Bool { get }

    /// Tells whether it chooses the coding of the content, so that the former one is not given again.
    var setsCoding: Bool { get }

    /// The length of content that it brings along, in place of the response's.
    var ownLength: Int { get }

    /// The source of the effect's chance.
    var chance: EffectChance { get }

    /// Returns the response that replaces another one.
    ///
    /// Called for effects that replace a response with one of their own, or shape one. The result depends on the
    /// arguments alone.
    func apply(to response: Response, _ context: inout EffectContext) -> Response

    /// Returns the reason why the effect can't act on a request, whatever the response; nil if it can.
    ///
    /// With an obstacle the request does not match the fault.
    func obstacle(to request: MatchSubject) -> String?

    /// The response that the effect writes out with placeholders, which take its place once they are filled; nil without
    /// any.
    var template: StubResponse? { get }

    /// Returns the reason why the effect would not change a response; nil if it would.
    ///
    /// Called for selective effects: with an obstacle the request does not match the fault.
    func obstacle(in response: Response, _ context: EffectContext) -> String?

    /// Returns the effect on events that arrive piece by piece.
    ///
    /// Called for effects on event streams alone.
    func flow(_ context: EffectContext) -> EventFlow?
}

extension FaultEffect {
    var answersRequest: Bool { false }

    var readsContent: Bool { false }

    var setsCoding: Bool { false }

    var ownLength: Int { 0 }

    package var chance: EffectChance { .perHit }

    func apply(to response: Response, _ context: inout EffectContext) -> Response { response }

    package func obstacle(to request: MatchSubject) -> String? { nil }

    package var template: StubResponse? { nil }

    package func obstacle(in response: Response, _ context: EffectContext) -> String? { nil }

    package func flow(_ context: EffectContext) -> EventFlow? { nil }

    /// The member that names it in JSON, such as `status`.
    package var kind: String { Self.declaration.name }
}

/// The reasons that several effects have not to act.
enum EffectObstacle {
    /// The framing of HTTP/1.1 is meant.
    static let otherVersion = "not HTTP/1.1"
    static let noChange = "nothing to change"
}

/// The scope of the random stream that an effect draws from.
package enum EffectChance: Sendable {
    /// Each hit has a new one.
    case perHit
    /// Each hit on a route has the same.
    case perRoute
}

/// The input of an effect besides the response.
package struct EffectContext {
    /// The fault's random stream for this request.
    var random: SeededStream
    /// The clocks that end waits.
    let waiting: Waiting
    /// The error event of the API's streams.
    let streamError: [UInt8]
    /// The schema that the endpoint declares for the response's status; only for effects that read the content.
    var schema: JSONSchema?
    /// The findings about the content; only for effects that read it.
    let reading: AnswerReading
    /// The codings in which the content came; only for the question whether an effect that reads it can act.
    var codings: [String] = []
}
