import ClientCommands
import Control
import ForwardProxy
import Transport
import Understudy

/// The settings of the forward proxy (proxy contract, section 1).
enum ProxyOptions {
    /// The text of `--proxy` alone.
    static let usual = "auto"
    /// The placeholder of hosts with the API of each.
    static let pairs = "HOST[=API]…"

    static let proxy = Option(
        name: "proxy",
        kind: .optional("PORT", alone: usual),
        help: "a forward proxy for unchanged apps; understudy help proxy",
        default: "off"
    )
    private static let map = Option(
        name: "map",
        kind: .list(pairs),
        help: "hosts that an API answers for behind --proxy; *.NAME for all below a name",
        default: "none"
    )
    static let unmapped = Option(
        name: "unmapped",
        kind: .value("refuse|tunnel"),
        values: .names(HostMap.Unmapped.allCases.map(\.rawValue)),
        help: "what --proxy does with other hosts",
        default: "tunnel; refuse in exec and beyond loopback"
    )
    private static let tunnel = Option(
        name: "tunnel",
        kind: .list("HOST[:PORT]…"),
        help: "hosts that --proxy passes on to the real ones in any case",
        default: "none"
    )
    private static let token = Option(
        name: "proxy-token",
        kind: .value("TOKEN|auto"),
        values: .names(["auto"]),
        help: "the password of the clients of --proxy",
        default: "none; beyond loopback one is made"
    )

    static let upstream = Option(
        name: "upstream-proxy",
        kind: .value("URL|none"),
        values: .names([CompanyProxies.none]),
        help: "the company's proxy, for connections to real backends and other hosts",
        default: "HTTPS_PROXY and HTTP_PROXY"
    )

    static let all = [proxy, map, unmapped, tunnel, token, upstream]

    /// Tells whether an option is described by `understudy help proxy` alone.
    static func isDetail(_ option: Option) -> Bool { all.dropFirst().contains { $0.name == option.name } }

    /// Reads the settings; nil without the proxy.
    ///
    /// `port` is the hub's, and `isExposed` tells whether others than this machine reach the ports. `isImplied` means that
    /// another flag needs the proxy.
    static func read(
        _ settings: Settings,
        port: Int,
        isExposed: Bool,
        isImplied: Bool = false
    ) throws(UsageError) -> ForwardProxySettings? {
        guard let number = try number(settings, hub: port) ?? (isImplied ? 0 : nil) else {
            let others = [map, unmapped, tunnel, token].filter { settings[$0.name] != nil }
            Terminal.warn(others.map { "\(settings.place($0.name)) has no effect without --proxy" })
            return nil
        }
        var made = ForwardProxySettings()
        made.port = number
        made.unmapped = isExposed ? .refuse : .tunnel
        if let word = settings[unmapped.name] {
            guard let known = HostMap.Unmapped(rawValue: word) else {
                throw UsageError(message: "\(settings.place(unmapped.name)): \"\(word)\" is neither refuse nor tunnel")
            }
            made.unmapped = known
        }
        let place = settings.place(map.name)
        for text in try names(settings, map.name) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count < 2 || !parts[1].isEmpty else {
                throw UsageError(message: "\(place): \"\(text)\" names no API behind the =")
            }
            made.entries.append(
                HostMap.Draft(host: parts[0], api: parts.count > 1 ? parts[1] : nil, place: place, rank: 0)
            )
        }
        made.passed = try names(settings, tunnel.name).map {
            ForwardProxySettings.Passed(text: $0, place: settings.place(tunnel.name))
        }
        switch settings[token.name] {
        case "auto"?:
            made.token = RandomToken.make()
            made.isTokenMade = true
        case let word?:
            guard !word.isEmpty, word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw UsageError(
                    message: "\(settings.place(token.name)): a token consists of visible ASCII characters"
                )
            }
            guard word != settings["admin-token"] else {
                throw UsageError(
                    message:
                        "\(settings.place(token.name)): the token crosses the network in clear, so the admin token can't be it"
                )
            }
            made.token = word
        case nil where isExposed:
            made.token = RandomToken.make()
            made.isTokenMade = true
        case nil: break
        }
        return made
    }

    /// Reads the proxies that connections go through (proxy contract, section 6).
    static func companyProxies(_ settings: Settings) throws(UsageError) -> CompanyProxies {
        let place = settings.place(upstream.name)
        do throws(CompanyProxy.Refusal) {
            return try CompanyProxies(
                setting: settings[upstream.name],
                place: place,
                environment: Environment.variables
            )
        } catch {
            throw UsageError(
                message: "\(place): the value \(error.reason) (none, or http://[USER:PASSWORD@]HOST:PORT)"
            )
        }
    }

    /// Returns the values of a list; a list without any is one empty value.
    private static func names(_ settings: Settings, _ name: String) throws(UsageError) -> [String] {
        guard let names = settings.list(name) else { return [] }
        return names.isEmpty ? [""] : names
    }

    /// Returns the port; nil without the proxy.
    private static func number(_ settings: Settings, hub: Int) throws(UsageError) -> Int? {
        guard let text = settings[proxy.name] else { return nil }
        switch text.lowercased() {
        case usual, "true", "yes", "on": return hub == 0 ? 0 : ForwardProxySettings.usualPort
        case "false", "no", "off": return nil
        default: break
        }
        guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let number = Int(text), (0...65_535).contains(number) else {
            throw UsageError(
                message: "\(settings.place(proxy.name)): \"\(text)\" is not a port from 0 to 65535"
            )
        }
        return number
    }
}
