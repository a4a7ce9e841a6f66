import ConductKit

/// `url/other-host`: the report adds the hosts, which are in no journal.
struct OtherHost: ConductRule {
    static let declaration = RuleDeclaration(
        "url/other-host",
        "Other host",
        .warning,
        situation: "any request by the forward proxy",
        breach: "a host that is neither mapped nor in `--tunnel`",
        exercisedBy: ["any call by the proxy"],
        judgesHosts: true,
        what: "The forward proxy was asked for a host that is neither mapped to an API nor passed on by name.",
        why: "A test that needs a host on the network fails when that does, and what it sends leaves the machine.",
        expected: "Ask only for hosts that an API answers for, or that are passed on by name.",
        urlsession: """
            Map the host to an API, pass it on by name, or turn off the library that asks for it in tests:

                understudy exec --proxy --map api.example.com=omnichat --tunnel cdn.example.com -- swift test
            """,
        fetch: """
            Map the host to an API, pass it on by name, or turn off the library that asks for it in tests:

                understudy exec --proxy --map api.example.com=omnichat --tunnel cdn.example.com -- npm test
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        if x.exchange.isProxied { context.situation(x) }
    }
}
