import ClientCommands

/// The setting of a machine or a device that leads it to the forward proxy, as commands (proxy contract, section 8).
struct ProxySetting {
    enum Target: String, CaseIterable {
        case system, android
    }

    let target: Target
    let url: String
    let pac: String
    let isOn: Bool

    init(_ target: Target, url: String, pac: String, isOn: Bool) {
        self.target = target
        self.url = url
        self.pac = pac
        self.isOn = isOn
    }

    /// The setting to take away where no server says its address; nil unless `on` was run.
    init?(takingAway target: Target) {
        guard let kept = FormerProxySettings().entries(of: target).last else { return nil }
        self.init(target, url: kept.set, pac: kept.set, isOn: false)
    }

    private var port: String { String(url.split(separator: ":").last ?? "4679") }

    // MARK: What is there

    /// The name of the device that `adb` talks to.
    private static var device: String { Environment["ANDROID_SERIAL"] ?? "" }

    /// Tells whether a script is one of a forward proxy of ours.
    private static func isOwn(_ script: String) -> Bool { script.hasSuffix("/__proxy.pac") }

    /// The settings of now, as those before `on`; those that can't be read are left out.
    private func present(_ kept: FormerProxySettings) -> [FormerProxySettings.Entry] {
        func entry(_ name: String, _ former: String, _ wasOn: Bool, set: String) -> FormerProxySettings.Entry {
            var entry = FormerProxySettings.Entry(target: target, name: name, former: former, wasOn: wasOn, set: set)
            let before = kept.entry(target, name)
            if former == set || former == before?.set || target == .system && Self.isOwn(former) {
                entry.former = before?.former ?? ""
                entry.wasOn = before?.wasOn ?? false
            }
            return entry
        }
        switch target {
        case .system:
            return NetworkSetup.services.compactMap { service in
                NetworkSetup.script(of: service).map { entry(service, $0.address, $0.isOn, set: pac) }
            }
        case .android:
            let run = ToolRun(["adb", "shell", "settings", "get", "global", "http_proxy"])
            guard run.status == 0 else { return [] }
            let text = run.text.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
            // The device's shell reads what is put back, so that it has to be an address.
            let isAddress = text != ":0" && text != "null" && text.utf8.allSatisfy(Self.isAddressByte)
            return [entry(Self.device, isAddress ? text : "", isAddress && !text.isEmpty, set: "127.0.0.1:\(port)")]
        }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    // MARK: Commands

    /// The commands, each as a list of words.
    private func commands(_ kept: FormerProxySettings) -> [[String]] {
        switch target {
        case .android:
            let former = kept.entry(.android, Self.device).flatMap { $0.wasOn ? $0.former : nil }
            let setting = isOn ? "127.0.0.1:\(port)" : former ?? ":0"
            let reverse =
                isOn
                ? ["adb", "reverse", "tcp:\(port)", "tcp:\(port)"] : ["adb", "reverse", "--remove", "tcp:\(port)"]
            return [reverse, ["adb", "shell", "settings", "put", "global", "http_proxy", setting]]
        case .system:
            guard NetworkSetup.isThere else { return [] }
            return NetworkSetup.services.flatMap { service in
                isOn ? [["networksetup", "-setautoproxyurl", service, pac]] : takingAway(service, kept)
            }
        }
    }

    /// The commands that put back the script of a service, or switch ours off; none for a script of somebody else's.
    private func takingAway(_ service: String, _ kept: FormerProxySettings) -> [[String]] {
        let off = ["networksetup", "-setautoproxystate", service, "off"]
        guard let entry = kept.entry(.system, service) else {
            guard let now = NetworkSetup.script(of: service), !now.address.isEmpty, !Self.isOwn(now.address) else {
                return [off]
            }
            return []
        }
        guard !entry.former.isEmpty else { return [off] }
        // Naming a script switches it on.
        let back = ["networksetup", "-setautoproxyurl", service, entry.former]
        return entry.wasOn ? [back] : [back, off]
    }

    /// The setting that a person has to make where no command of ours does.
    private var hint: String? {
        switch target {
        case .android: "An emulator takes it at its start: emulator -http-proxy http://10.0.2.2:\(port)"
        case .system where NetworkSetup.isThere: nil
        case .system:
            isOn
                ? "Set \(pac) as the address of the automatic proxy configuration in the settings of your desktop."
                : "Take \(pac) out of the settings of your desktop."
        }
    }

    /// Prints the commands, and runs them if asked to; returns the exit code.
    func carryOut(runs: Bool) -> Int32 {
        var kept = FormerProxySettings()
        let commands = commands(kept)
        if runs, isOn, !commands.isEmpty {
            for entry in present(kept) { kept.keep(entry) }
            guard save(kept) else { return ExitCode.failed }
        }
        var hasFailed = false
        for words in commands {
            Terminal.out("  " + words.map(TrustPlan.quoted).joined(separator: " "))
            guard runs else { continue }
            let run = ToolRun(words)
            if run.status != 0 {
                hasFailed = true
                let reason = run.status == 127 ? "there is no program \(words[0])" : run.errorText
                Terminal.error("understudy: \(reason)")
            }
        }
        if let hint { Terminal.out(hint) }
        if commands.isEmpty, hint == nil {
            Terminal.out("Nothing was changed: no network service has a script of Understudy's.")
        }
        if !runs, !commands.isEmpty {
            Terminal.out(
                "Nothing was changed. `understudy proxy \(isOn ? "on" : "off") --for \(target.rawValue) --yes` runs this."
            )
        }
        // What could not be put back is kept for the next time.
        if runs, !isOn, !hasFailed {
            kept.forget(kept.entries(of: target).filter { target == .system || $0.name == Self.device })
            hasFailed = !save(kept)
        }
        return hasFailed ? ExitCode.failed : ExitCode.ok
    }

    private func save(_ kept: FormerProxySettings) -> Bool {
        do throws(CommandFailure) {
            try kept.save()
            return true
        } catch {
            if case .failed(let text) = error { Terminal.error("understudy: \(text)") }
            return false
        }
    }

    /// The machine's setting, a line for each service.
    static func status() -> [String] {
        guard NetworkSetup.isThere else {
            return ["HTTPS_PROXY", "HTTP_PROXY"].compactMap { name in
                Environment[name].map { "\(name)=\(ProxyURL.withoutPassword($0))" }
            }
        }
        return NetworkSetup.services.map { service in
            let run = ToolRun(["networksetup", "-getautoproxyurl", service])
            return "\(service): " + run.text.split(separator: "\n").joined(separator: ", ")
        }
    }
}
