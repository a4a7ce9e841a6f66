import Understudy

/// The help texts, made from the declarations.
enum Help {
    static let commands: [(name: String, summary: String)] = [
        ("serve", "runs the emulator until interrupted"),
        ("exec", "serves on free ports while a program runs, and exits with its code"),
        ("record", "serves an API from its real backend and writes a redacted recording"),
        ("replay", "serves an API from recordings"),
        ("diff", "compares a recording with the emulation; exits 1 when something breaking moved"),
        ("routes", "lists every endpoint with its status"),
        ("scenarios", "lists every scenario with what it shows"),
        ("openapi", "prints the OpenAPI 3.1 document of an API, or of the control API"),
        ("validate", "checks seeds, scenarios, fault files, recordings and configurations"),
        ("token", "prints a token that a serve with the same seed and clock accepts"),
        ("config", "prints the effective configuration and where each value came from"),
        ("help", "prints this, or the help of a command"),
    ]

    static var overview: String {
        let rows = commands.map { "  \(padded($0.name, 12))\($0.summary)" }.joined(separator: "\n")
        return """
            understudy \(RunningEmulator.version): stands in for real mobile backends, on this machine

            usage: understudy <command> [flags]

            \(rows)

            understudy <command> --help shows a command's flags. --version prints the version.
            """
    }

    /// `isConfigurable`: the command reads the environment and `understudy.json`.
    static func command(_ name: String, usage: String, options: [Option], isConfigurable: Bool = true) -> String {
        let summary = commands.first { $0.name == name }?.summary ?? ""
        var text = "understudy \(name): \(summary)\n\nusage: understudy \(name) \(usage)"
        guard !options.isEmpty else { return text }
        let rows = options.map { option -> String in
            let shown: String
            switch option.kind {
            case .toggle: shown = option.flag
            case .value(let what), .list(let what): shown = "\(option.flag) \(what)"
            }
            return "  \(padded(shown + " ", 40))\(option.help) (default: \(option.standard))"
        }
        text += "\n\n" + rows.joined(separator: "\n")
        // What a command has of its own comes from the command line alone.
        if isConfigurable, options.contains(where: { $0.name == "seeds" }) {
            text +=
                "\n\nServe's flags can be set as UNDERSTUDY_NAME in the environment, or by their keys in understudy.json."
        }
        return text
    }

    /// Where the flags of a command that was refused are explained.
    static func pointer(after command: String) -> String {
        commands.contains { $0.name == command && command != "help" }
            ? "understudy \(command) --help lists its flags" : "understudy --help lists the commands"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
