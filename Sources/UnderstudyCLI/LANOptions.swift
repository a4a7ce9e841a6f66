import Backend
import CivilTime
import ClientCommands
import Control
import Transport
import Understudy

/// The settings of device mode (transport contract, section 8).
enum LANOptions {
    /// The text of `--lan` alone.
    private static let everywhere = "all"

    static let network = Option(
        name: "lan",
        kind: .optional("ADDRESS|INTERFACE", alone: everywhere),
        help: "serves phones on the network, at all addresses or this one; with TLS",
        default: "off"
    )
    private static let life = Option(
        name: "lan-for",
        kind: .value("DURATION"),
        help: "leaves the network after this time (ISO 8601)",
        default: "PT12H"
    )
    private static let upstream = Option(
        name: "lan-upstream",
        kind: .toggle,
        help: "allows modes with a real backend together with --lan",
        default: "off"
    )
    private static let pair = Option(
        name: "pair",
        kind: .optional("WORLD", alone: WorldName.main),
        help: "prints a code with which one phone may control this world, else main",
        default: "off"
    )
    static let code = Option(
        name: "qr",
        kind: .optional("invert", alone: "plain"),
        values: .names(["invert"]),
        help: "the QR code of the device page, or inverted",
        default: "on a terminal"
    )
    private static let link = Option(
        name: "device-link",
        kind: .value("TEMPLATE"),
        help: "the page's link into the app, such as myapp://setup?base={base}",
        default: "none"
    )

    static let all = [network, life, upstream, pair, code, link]

    /// Reads the settings; nil without device mode.
    static func read(_ settings: Settings) throws(UsageError) -> LocalNetwork? {
        _ = try inverts(settings)
        let life = try life(settings)
        // The page for devices, which has the link, is there with TLS too.
        let hasPage = settings["tls"].map { $0 != TLSMode.off.rawValue } ?? false
        let others = ([Self.life, upstream, code] + (hasPage ? [] : [link]))
            .filter { settings[$0.name] != nil && settings[$0.name] != "false" }
        guard let place = try place(settings) else {
            if settings[pair.name] != nil {
                throw UsageError(
                    message: "\(settings.place(pair.name)): devices are paired over the network; add --lan"
                )
            }
            Terminal.warn(others.map { "\(settings.place($0.name)) has no effect without --lan" })
            return nil
        }
        guard settings["host"] == nil else {
            throw UsageError(
                message: "\(settings.place(network.name)) and \(settings.place("host")) can't be combined; "
                    + "--lan ADDRESS listens on one address"
            )
        }
        var made = LocalNetwork()
        made.only = place.choice
        made.name = Socket.machineName().map { "\($0).local" }
        made.sharesUpstream = settings.isOn(upstream.name)
        if let life { made.life = life }
        if let world = settings[pair.name] {
            guard WorldName.isValid(world) else {
                throw UsageError(
                    message:
                        "\(settings.place(pair.name)): \"\(world)\" is not the name of a world, 1 to 64 of a-z 0-9 . _ -"
                )
            }
            made.pairedWorld = world
        }
        return made
    }

    private static func life(_ settings: Settings) throws(UsageError) -> Interval? {
        guard let text = settings[life.name] else { return nil }
        guard let length = try? Interval(iso8601Duration: text), length > .zero else {
            throw UsageError(
                message: "\(settings.place(life.name)): \"\(text)\" is not an ISO 8601 duration such as PT12H or PT30M"
            )
        }
        return length
    }

    /// Returns the link for the device page; nil without one.
    static func link(_ settings: Settings) throws(UsageError) -> String? {
        guard let text = settings[link.name] else { return nil }
        let scheme = text.prefix { $0 != ":" }
        let isScheme =
            scheme.count < text.count && scheme.first?.isLetter == true
            && scheme.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
                default: false
                }
            }
        let runsCode = ["javascript", "data", "vbscript"].contains(scheme.lowercased())
        guard isScheme, !runsCode, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw UsageError(
                message: "\(settings.place(link.name)): \"\(text)\" is not a link such as myapp://setup?base={base}"
            )
        }
        return text
    }

    /// Tells how the QR code is drawn; nil where it was not asked for.
    static func inverts(_ settings: Settings) throws(UsageError) -> Bool? {
        guard let text = settings[code.name] else { return nil }
        switch text {
        case "plain", "true", "1", "yes", "on": return false
        case "invert": return true
        default: throw UsageError(message: "\(settings.place(code.name)): \"\(text)\" is not invert")
        }
    }

    /// The place to listen on: all addresses, or those of a choice.
    private enum Place {
        case everywhere
        case one(NetworkChoice)

        var choice: NetworkChoice? { if case .one(let choice) = self { choice } else { nil } }
    }

    private static func place(_ settings: Settings) throws(UsageError) -> Place? {
        guard let text = settings[network.name] else { return nil }
        switch text.lowercased() {
        case everywhere, "true", "1", "yes", "on": return .everywhere
        case "false", "0", "no", "off": return nil
        default: break
        }
        let all = InterfaceAddress.all()
        var host = text.lowercased()
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if let found = all.first(where: { $0.host == host }) { return .one(NetworkChoice(address: found, others: [])) }
        // An address of the link alone can't be listened on without naming the link.
        let own = all.filter { $0.interface == text && !($0.isLinkLocal && $0.host.contains(":")) }
        let ordered = own.filter { !$0.host.contains(":") } + own.filter { $0.host.contains(":") }
        if let first = ordered.first {
            return .one(NetworkChoice(address: first, others: Array(ordered.dropFirst())))
        }
        let known = all.filter { !$0.isLoopback && !$0.isLinkLocal }.map { "\($0.host) (\($0.interface))" }
        let list = known.isEmpty ? "no address on a network" : known.joined(separator: ", ")
        throw UsageError(
            message:
                "\(settings.place(network.name)): \"\(text)\" is not an address or interface of this machine, which has "
                + list
        )
    }
}

extension Configuration {
    /// Takes device mode; returns true with it.
    mutating func takeNetwork(_ settings: Settings) throws(UsageError) -> Bool {
        deviceLink = try LANOptions.link(settings)
        guard let network = try LANOptions.read(settings) else { return false }
        if settings["tls"] == nil { tls.mode = .on }
        if network.pairedWorld != nil, tls.mode == .off {
            throw UsageError(
                message: "\(settings.place("pair")): pairing sends a token over TLS only, which --tls off disables"
            )
        }
        localNetwork = network
        if let name = network.name, let allowed = try? AllowedHost(name) { allowedHosts.append(allowed) }
        if let only = network.only {
            let chosen = ([only.address] + only.others).map(\.host)
            hosts = ["127.0.0.1"] + chosen.filter { $0 != "127.0.0.1" && $0 != "::1" } + ["::1"]
            controlHosts = chosen
        } else {
            hosts = ["0.0.0.0", "::"]
        }
        return true
    }
}
