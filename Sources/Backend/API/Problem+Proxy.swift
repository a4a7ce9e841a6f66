import HTTPMessage

extension Problem {
    /// The refusal of a client of the forward proxy whose credentials are missing or wrong (proxy contract, section 4).
    package static func proxyCredentials(_ reason: String) -> Problem {
        proxyCredentials(reason, user: "the name of a world, or empty")
    }

    /// The refusal of a client of the forward proxy that names no world under `--world-required`.
    package static var unnamedWorld: Problem {
        proxyCredentials("This server was started with --world-required.", user: "the name of a world")
    }

    private static func proxyCredentials(_ reason: String, user: String) -> Problem {
        Problem(
            .proxyCredentials,
            "\(reason) Send Proxy-Authorization: Basic with WORLD:TOKEN: the user is \(user), and the password is the token of "
                + "--proxy-token, or any where none is set.",
            fields: ["Proxy-Authenticate": "Basic realm=\"understudy\", charset=\"UTF-8\""]
        )
    }
}
