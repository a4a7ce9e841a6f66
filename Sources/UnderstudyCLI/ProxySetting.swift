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

    private var port: String { String(url.split(separator: ":").last ?? "4679") }

    /// The commands, each as a list of words.
    private var commands: [[String]] {
        switch target {
        case .android:
            let setting = isOn ? "127.0.0.1:\(port)" : ":0"
            let reverse =
                isOn
                ? ["adb", "reverse", "tcp:\(port)", "tcp:\(port)"] : ["adb", "reverse", "--remove", "tcp:\(port)"]
            return [reverse, ["adb", "shell", "settings", "put", "global", "http_proxy", setting]]
        case .system:
            #if os(macOS)
            return Self.services().flatMap { service in
                isOn
                    ? [["networksetup", "-setautoproxyurl", service, pac]]
                    : [["networksetup", "-setautoproxystate", service, "off"]]
            }
            #else
            return []
            #endif
        }
    }

    /// The setting that a person has to make where no command of ours does.
    private var hint: String? {
        switch target {
        case .android: "An emulator takes it at its start: emulator -http-proxy http://10.0.2.2:\(port)"
        case .system:
            #if os(macOS)
            nil
            #else
            isOn
                ? "Set \(pac) as the address of the automatic proxy configuration in the settings of your desktop."
                : "Take \(pac) out of the settings of your desktop."
            #endif
        }
    }

    /// Prints the commands, and runs them if asked to; returns the exit code.
    func carryOut(runs: Bool) -> Int32 {
        var hasFailed = false
        for words in commands {
            Terminal.out("  " + words.joined(separator: " "))
            guard runs else { continue }
            let run = ToolRun(words)
            if run.status != 0 {
                hasFailed = true
                let reason = run.status == 127 ? "there is no program \(words[0])" : run.errorText
                Terminal.error("understudy: \(reason)")
            }
        }
        if let hint { Terminal.out(hint) }
        if !runs, !commands.isEmpty {
            Terminal.out(
                "Nothing was changed. `understudy proxy \(isOn ? "on" : "off") --for \(target.rawValue) --yes` runs this."
            )
        }
        return hasFailed ? ExitCode.failed : ExitCode.ok
    }

    /// The network services of a Mac.
    private static func services() -> [String] {
        let run = ToolRun(["networksetup", "-listallnetworkservices"])
        return run.text.split(separator: "\n").dropFirst().map(String.init).filter { !$0.hasPrefix("*") }
    }

    /// The machine's setting, a line for each service.
    static func status() -> [String] {
        #if os(macOS)
        return services().map { service in
            let run = ToolRun(["networksetup", "-getautoproxyurl", service])
            return "\(service): " + run.text.split(separator: "\n").joined(separator: ", ")
        }
        #else
        return ["HTTPS_PROXY", "HTTP_PROXY"].compactMap { name in
            Environment[name].map { "\(name)=\(ProxyURL.withoutPassword($0))" }
        }
        #endif
    }
}
