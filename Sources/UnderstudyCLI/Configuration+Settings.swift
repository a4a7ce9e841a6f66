import Backend
import CivilTime
import ClientCommands
import Conditions
import ConductKit
import Control
import Engine
import JSON
import Serving
import Transport
import Understudy

extension Configuration {
    /// Checks the settings and makes a configuration of them.
    ///
    /// `takesNames` allows names of APIs that no folder declares (own-API contract, section 18).
    /// `impliesProxy` means that a flag needs the forward proxy.
    init(_ settings: Settings, takesNames: Bool = false, impliesProxy: Bool = false) throws(UsageError) {
        self.init()
        if let port = try Self.number(settings, "port", 0...65_535) { self.port = port }
        for name in APICatalogue.names {
            if let port = try Self.number(settings, "port-\(name)", 0...65_535) { apiPorts[name] = port }
        }
        for name in settings.own.names {
            if let port = try Self.number(settings, "port-\(name)", 0...65_535) { apiPorts[name] = port }
        }
        customAPIs = settings.own.places
        customAPIFolders = settings.list(CustomAPIOptions.folders.name)
        let watch = try Self.watch(settings)
        watchesCustomAPIs = watch != false && !customAPIs.isEmpty
        if let names = settings.list("api") { try select(names, settings, takesNames: takesNames) }
        if port > 0, port + 5 > 65_535 {
            throw UsageError(
                message: "\(settings.place("port")): the APIs take the next five ports, which end at 65535"
            )
        }
        if let seed = settings["seed"] {
            guard let number = UInt64(seed) else {
                throw UsageError(message: "\(settings.place("seed")): \"\(seed)\" is not a whole number from 0")
            }
            emulator.seed = number
        }
        seeds = try Self.seeds(settings, apis)
        if watch == true {
            // Without a folder yet, the default one is watched until it appears.
            if case .folder(let folder) = seeds { watchedSeeds = folder } else { watchedSeeds = "seeds" }
        }
        if let clock = settings["clock"] { emulator.clock = try Self.clock(clock, settings) }
        emulator.isWorldRequired = settings.isOn("world-required")
        if let bytes = try Self.number(settings, "journal-bytes", 0...Int.max) { emulator.journalBytes = bytes }
        for entry in settings.list("limit") ?? [] {
            let parts = entry.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, let number = Int(parts[1]), limits.set(parts[0], to: number) else {
                let known = Limits.names.map(\.name)
                let hint = known.contains(parts[0]) ? nil : Suggestion.nearest(to: parts[0], among: known)
                throw UsageError(
                    message: "\(settings.place("limit")): \"\(entry)\" is not NAME=N with one of "
                        + "\(known.joined(separator: ", ")) and a number from 1"
                        + Suggestion.hint(hint)
                )
            }
        }
        for origin in settings.list("cors") ?? [] {
            guard CrossOrigin.isOrigin(origin) else {
                throw UsageError(
                    message:
                        "\(settings.place("cors")): \"\(origin)\" is neither an origin such as http://localhost:3000 nor *"
                )
            }
            emulator.crossOrigin.origins.append(origin)
        }
        if let folder = settings["state"] {
            guard !folder.isEmpty else { throw UsageError(message: "\(settings.place("state")): names no folder") }
            stateFolder = folder
        }
        if let path = settings[ReadyFile.option.name] {
            try ReadyFile.check(path, for: settings.place(ReadyFile.option.name))
            readyFile = path
        }
        emulator.conduct = settings.conduct?.settings.stored
        scenarios = settings.list("scenario") ?? []
        upstreamAuthorities = settings["upstream-ca"]
        emulator.allowsRemotePreferences = settings.isOn("allow-prefer")
        if let file = settings["faults"] {
            faults = FaultSource(place: file, bytes: try NamedFile.bytes(of: file, for: settings.place("faults")))
        }
        if let name = settings["latency"], name != LatencyProfile.none {
            guard let profile = LatencyProfile.all.first(where: { $0.name == name }) else {
                let known = LatencyProfile.all.map(\.name) + [LatencyProfile.none]
                throw UsageError(
                    message: "\(settings.place("latency")): there is no profile \"\(name)\" (there are "
                        + "\(known.joined(separator: ", ")))" + Suggestion.hint(to: name, among: known)
                )
            }
            latency = profile
        }
        if let format = settings["log-format"] {
            guard let known = AccessLog.Format(rawValue: format) else {
                throw UsageError(message: "\(settings.place("log-format")): \"\(format)\" is neither text nor json")
            }
            logFormat = known
        }
        if settings.isOn("quiet"), settings.isOn("verbose") {
            throw UsageError(message: "--quiet and --verbose can't be combined")
        }
        logIsColored = logFormat == .text && Terminal.colorsErrors
        logLevel = settings.isOn("quiet") ? .quiet : settings.isOn("verbose") ? .verbose : .normal
        tls = try TLSOptions.read(settings)
        try takeHost(settings)
        let isExposed = localNetwork != nil || !hosts.allSatisfy(ControlSafety.isLoopback)
        forwardProxy = try ProxyOptions.read(
            settings,
            port: port,
            isExposed: isExposed,
            isImplied: impliesProxy
        )
        companyProxies = try ProxyOptions.companyProxies(settings)
    }

    /// Tells whether changes of files are to be taken: true for seeds as well, false for none, nil for those of custom APIs
    /// alone.
    private static func watch(_ settings: Settings) throws(UsageError) -> Bool? {
        let (on, off) = (settings.values["watch"], settings.values["no-watch"])
        let (isOn, isOff) = (settings.isOn("watch"), settings.isOn("no-watch"))
        guard isOn, isOff else { return isOff || on != nil && !isOn ? false : isOn ? true : nil }
        // A flag beats a variable, and that a file.
        let ranks = ["flag": 0, "environment": 1]
        let (one, other) = (ranks[on?.origin ?? ""] ?? 2, ranks[off?.origin ?? ""] ?? 2)
        guard one != other else { throw UsageError(message: "--watch and --no-watch can't be combined") }
        return one < other
    }

    /// Takes the host, the allowed hosts and the admin token.
    ///
    /// A host other than loopback turns the token on (control contract, section 18), and so does an allowed one
    /// (transport contract, section 1).
    private mutating func takeHost(_ settings: Settings) throws(UsageError) {
        var isExposed = try takeNetwork(settings)
        if let host = settings["host"] {
            var lower = host.lowercased()
            if lower.hasPrefix("["), lower.hasSuffix("]") { lower = String(lower.dropFirst().dropLast()) }
            guard lower == "localhost" || ListenAddress.isNumeric(lower) else {
                throw UsageError(
                    message:
                        "\(settings.place("host")): \"\(host)\" is not a numeric address such as 127.0.0.1, ::1 or 0.0.0.0"
                )
            }
            hosts =
                switch lower {
                case "localhost": ["127.0.0.1", "::1"]
                // All addresses are those of both families.
                case "::": ["::", "0.0.0.0"]
                default: [lower]
                }
            if !ControlSafety.isLoopback(lower) {
                isExposed = true
                controlHosts = [lower]
            }
        }
        for text in try Self.names(settings, "allow-host") {
            do throws(AllowedHost.Refusal) {
                allowedHosts.append(try AllowedHost(text))
            } catch {
                throw UsageError(message: "\(settings.place("allow-host")): \"\(text)\" \(error.reason)")
            }
        }
        switch settings["admin-token"] {
        case "auto"?:
            adminToken = RandomToken.make()
            isAdminTokenMade = true
        case let token?:
            guard !token.isEmpty, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
                throw UsageError(
                    message: "\(settings.place("admin-token")): a token consists of visible ASCII characters"
                )
            }
            adminToken = token
        case nil where isExposed || !allowedHosts.isEmpty:
            adminToken = RandomToken.make()
            isAdminTokenMade = true
        case nil: break
        }
    }

    /// Returns the names of a list; a list without any is one empty name.
    private static func names(_ settings: Settings, _ name: String) throws(UsageError) -> [String] {
        guard let names = settings.list(name) else { return [] }
        return names.isEmpty ? [""] : names
    }

    private static func number(
        _ settings: Settings,
        _ name: String,
        _ range: ClosedRange<Int>
    ) throws(UsageError) -> Int? {
        guard let text = settings[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let bound = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw UsageError(
                message: "\(settings.place(name)): \"\(text)\" is not a whole number from \(range.lowerBound)\(bound)"
            )
        }
        return number
    }

    /// Leaves the named APIs.
    mutating func select(_ names: [String], _ settings: Settings, takesNames: Bool) throws(UsageError) {
        // An empty variable would leave a server without APIs.
        guard !names.isEmpty else { throw UsageError(message: "\(settings.place("api")): names no API") }
        let known = APICatalogue.names + settings.own.names
        for name in names where !known.contains(name) {
            guard takesNames else {
                throw UsageError(message: "\(settings.place("api")): \(LoadedAPIs.unknown(name, among: known))")
            }
            if let reason = CustomAPICatalogue.refusal(of: name) {
                throw UsageError(message: "\(settings.place("api")): \"\(name.withoutControls)\": \(reason)")
            }
        }
        apis = APICatalogue.names.filter(names.contains)
        customAPIs =
            settings.own.places.filter { names.contains($0.name) }
            + names.filter { !known.contains($0) }.map { CustomAPIPlace(name: $0, folder: nil) }
    }

    static func seeds(_ settings: Settings, _ apis: [String]) throws(UsageError) -> SeedSource {
        if let folder = settings["seeds"] {
            guard FolderReader.isFolder(folder) else {
                throw UsageError(message: "\(settings.place("seeds")): there is no folder \"\(folder)\"")
            }
            return .folder(folder)
        }
        return apis.allSatisfy { FolderReader.isFolder("seeds/\($0)") } ? .folder("seeds") : .builtIn
    }

    private static func clock(_ text: String, _ settings: Settings) throws(UsageError) -> WorldClock.Setting {
        if text == "real" { return .real }
        if text == "frozen" { return .frozen(nil) }
        let prefix = "frozen:"
        let isFrozen = text.hasPrefix(prefix)
        guard let instant = Instant(iso8601: isFrozen ? String(text.dropFirst(prefix.count)) : text) else {
            throw UsageError(
                message:
                    "\(settings.place("clock")): \"\(text)\" is not real, an instant such as 2025-01-01T12:00:00Z, or "
                    + "frozen:INSTANT"
            )
        }
        return isFrozen ? .frozen(instant) : .offset(instant, rate: 1)
    }
}
