/// The proxies that connections to backends and to other hosts go through (proxy contract, section 6).
package struct CompanyProxies: Hashable, Sendable {
    /// A proxy with the place that names it: the flag, or a variable.
    package struct Choice: Hashable, Sendable {
        package let proxy: CompanyProxy
        package let place: String
        /// Tells whether it comes from a variable that other programs read too.
        package let isInherited: Bool
    }

    /// The proxy of https and of tunnels.
    package private(set) var secure: Choice?
    /// The proxy of http.
    package private(set) var clear: Choice?
    package private(set) var exceptions = ProxyExceptions()
    /// Messages for the user: the variables that are not used.
    package private(set) var warnings: [String] = []

    /// No proxy.
    package init() {}

    /// The word that turns proxies off.
    package static let none = "none"

    /// Reads the setting, or without one the variables of the environment, in lower case first.
    package init(
        setting: String?,
        place: String,
        environment: [(name: String, value: String)]
    ) throws(CompanyProxy.Refusal) {
        func variable(_ name: String) -> (name: String, value: String)? {
            [name.lowercased(), name].lazy.compactMap { name in environment.last { $0.name == name } }
                .first { !$0.value.isEmpty }
        }
        guard setting != Self.none else { return }
        exceptions = ProxyExceptions(variable("NO_PROXY")?.value ?? "")
        if let setting {
            let choice = Choice(proxy: try CompanyProxy(setting), place: place, isInherited: false)
            secure = choice
            clear = choice
            return
        }
        var unused: [String] = []
        func inherited(_ name: String) -> Choice? {
            guard let (name, value) = variable(name) else { return nil }
            do throws(CompanyProxy.Refusal) {
                return Choice(proxy: try CompanyProxy(value), place: name, isInherited: true)
            } catch {
                unused.append("\(name) is not used: its value \(error.reason)")
                return nil
            }
        }
        secure = inherited("HTTPS_PROXY")
        clear = inherited("HTTP_PROXY")
        warnings = unused
    }

    /// Returns the proxy of a connection to a name or a numeric address; nil where it is made directly.
    package func proxy(for host: String, port: Int, isSecure: Bool) -> CompanyProxy? {
        guard let choice = isSecure ? secure : clear else { return nil }
        let lower = host.lowercased()
        let name = lower.hasSuffix(".") ? String(lower.dropLast()) : lower
        let address = (HostName.four(name) ?? HostName.six(name)).map(HostName.withoutMapping)
        let asked = address.map { ProxyTarget.Host.address($0) } ?? .name(name)
        guard !ProxyTarget(asked, port: port).isLoopback, !exceptions.cover(asked, port: port) else { return nil }
        return choice.proxy
    }

    /// Leaves the variables out that name a port of this process, and returns the place of a setting that does.
    package mutating func leaveOut(where isOwn: (ProxyTarget) -> Bool) -> Choice? {
        for choice in [secure, clear].compactMap(\.self) where isOwn(choice.proxy.target) {
            guard choice.isInherited else { return choice }
            warnings.append("\(choice.place) is not used: it names a port of this process, \(choice.proxy.target.text)")
            if secure == choice { secure = nil }
            if clear == choice { clear = nil }
        }
        return nil
    }

    /// The proxies as they are shown, without credentials; nil without any.
    package var text: String? {
        switch (secure?.proxy.text, clear?.proxy.text) {
        case (nil, nil): nil
        case (let secure?, let clear) where secure == clear: secure
        case (let secure, let clear):
            [secure.map { "\($0) for https" }, clear.map { "\($0) for http" }].compactMap(\.self).joined(
                separator: ", "
            )
        }
    }
}
