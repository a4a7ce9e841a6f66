/// The flags that every command for a running server takes (clients contract, section 1).
package enum ServerOptions {
    package static let url = Option(
        name: "url",
        kind: .value("HUB"),
        help: "the address of the server's hub",
        default: "UNDERSTUDY_URL, else http://127.0.0.1:4680"
    )
    package static let world = Option(
        name: "world",
        kind: .value("NAME"),
        values: .running(.worlds),
        help: "the world",
        default: "UNDERSTUDY_WORLD, else main"
    )
    package static let api = Option(
        name: "api",
        kind: .value("NAME"),
        values: .running(.apis),
        help: "only this API",
        default: "all"
    )
    package static let adminToken = Option(
        name: "admin-token",
        kind: .value("T"),
        help: "the token of the control API",
        default: "UNDERSTUDY_ADMIN_TOKEN"
    )
    package static let json = Option(
        name: "json",
        kind: .toggle,
        help: "prints the control API's response unchanged",
        default: "off"
    )
    package static let noColor = Option(
        name: "no-color",
        kind: .toggle,
        help: "prints without colours, as NO_COLOR does",
        default: "off"
    )
    static let explain = Option(
        name: "explain",
        kind: .toggle,
        help: "prints the control calls as curl instead of making them",
        default: "off"
    )

    package static let all = [url, world, api, adminToken, json, noColor, explain]
}
