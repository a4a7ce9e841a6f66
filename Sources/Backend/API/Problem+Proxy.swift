import HTTPMessage

extension Problem {
    /// The refusal of a client of the forward proxy whose credentials are missing or wrong (proxy contract, section 4).
    package static func proxyCredentials(_ reason: String) -> Problem {
        Problem(
            .proxyCredentials,
            "\(reason) Send Proxy-Authorization: Basic with WORLD:TOKEN: the user is the name of a world, or empty, and the "
                + "password is the token of --proxy-token, or any where none is set.",
            fields: ["Proxy-Authenticate": "Basic realm=\"understudy\", charset=\"UTF-8\""]
        )
    }
}
