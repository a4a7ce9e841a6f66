import ConductKit
import HTTPMessage

/// `auth/repeat-after-401`.
struct RepeatAfter401: ConductRule {
    static let declaration = RuleDeclaration(
        "auth/repeat-after-401",
        "Request repeated with a refused credential",
        .error,
        situation: "a 401 to a request with a bearer",
        breach: "the same request with the same credential after it",
        settings: [(.times, 1)],
        source: [.rfc(9110, "15.5.2")],
        exercisedBy: [#"{"tokens":"expire"}"#],
        what: "After a 401 the same request was sent again with the same credential.",
        why: "The response will be the same. The user waits twice, and the server refuses twice.",
        expected: "After a 401, refresh once, retry the request once with the new token, and then give up.",
        urlsession: """
            Refresh after the 401, and retry only with another token:

                guard response.statusCode == 401 else { return data }
                let fresh = try await session.refresh()
                guard fresh != token else { throw SignedOut() }
                return try await send(request, with: fresh)
            """,
        fetch: """
            Refresh after the 401, and retry only with another token:

                if (response.status === 401) {
                  const fresh = await refresh()
                  if (fresh === token) throw new SignedOut()
                  return send(request, fresh)
                }
            """
    )

    private struct Key: Hashable {
        var request: Int32
        var authorization: Int32
    }

    private struct Chain {
        var first: Int32
        var repeats: [Int32] = []
        var isReported = false
    }

    private var chains: [Key: Chain] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.row.authorization != 0, x.row.request >= 0 else { return }
        let key = Key(request: x.row.request, authorization: x.row.authorization)
        if var chain = chains[key] {
            if context.knows(context[chain.first], x.row) {
                if !chain.isReported { chain.repeats.append(x.index) }
                if !chain.isReported, chain.repeats.count >= context.limits(x)[.times] {
                    chain.isReported = true
                    context.breach(
                        [chain.first] + chain.repeats,
                        "\(context.id(chain.first)) was answered 401; \(x.row.id) was the same request with the same credential."
                    )
                }
                chains[key] = x.row.status == 401 ? chain : nil
            }
            if x.row.isDelivered, x.row.status == 401 { context.situation(x) }
            return
        }
        guard x.row.isDelivered, x.row.status == 401, MalformedCredential.isBearer(x) else { return }
        context.situation(x)
        chains[key] = Chain(first: x.index)
    }
}

extension MalformedCredential {
    /// Tells whether a request has a bearer credential.
    static func isBearer(_ x: JudgedExchange) -> Bool {
        x.bearer >= 0 || x.field(.authorization)?.lowercased().hasPrefix("bearer ") == true
    }
}
