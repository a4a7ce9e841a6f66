import ClientCommands

/// The network services of a Mac and their automatic proxy configuration, by `networksetup`.
enum NetworkSetup {
    /// Tells whether this machine has the program; only a Mac does.
    static var isThere: Bool { Tool.path("networksetup") != nil }

    /// The services that are switched on.
    static var services: [String] {
        let run = ToolRun(["networksetup", "-listallnetworkservices"])
        // The first line explains the star of those that are switched off.
        return run.text.split(separator: "\n").dropFirst().map(String.init).filter { !$0.hasPrefix("*") }
    }

    /// The script of a service, empty for none, and whether it is used; nil where the program does not say.
    static func script(of service: String) -> (address: String, isOn: Bool)? {
        let run = ToolRun(["networksetup", "-getautoproxyurl", service])
        guard run.status == 0 else { return nil }
        func value(_ name: String) -> String? {
            run.text.split(separator: "\n").first { $0.hasPrefix(name) }.map {
                String($0.dropFirst(name.count).drop { $0 == " " })
            }
        }
        guard let address = value("URL:") else { return nil }
        return (address == "(null)" ? "" : address, value("Enabled:") == "Yes")
    }
}
