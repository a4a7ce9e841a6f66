import Basics
import ClientCommands
import Understudy

/// The manual page `understudy(1)` as roff with the man macros, made from the declarations.
enum ManPage {
    /// The day on which the wording of this file last changed, which the macros want.
    private static let revised = "2026-11-23"

    static var text: String {
        var page = RoffWriter()
        page.raw(".TH UNDERSTUDY 1 \(revised) \"understudy \(RunningEmulator.version)\" \"User Commands\"")
        page.section("NAME")
        page.raw("understudy \\- \(RoffWriter.escaped(HelpText.purpose))")
        page.section("SYNOPSIS")
        page.raw(".B understudy")
        page.raw(".I command")
        page.raw("[\\fIflags\\fR]")
        page.section("DESCRIPTION")
        page.paragraph(
            "Serves seeded emulations of mobile backends with one clock, isolated worlds, named scenarios, injected "
                + "faults and a journal of every request. The control API below /__admin on every port controls them "
                + "while they run."
        )
        page.section("COMMANDS")
        for command in Commands.all { page.add(command) }
        page.section("SERVE FLAGS")
        page.paragraph(
            "exec, record, replay and config take these flags too. A flag wins over its environment variable, that "
                + "over its key in the configuration file, and that over the default."
        )
        for option in CustomAPIOptions.merged(ServeOptions.serve) { page.add(option, isSetting: true) }
        page.section("SERVER FLAGS")
        page.paragraph("The commands for a running server take these flags.")
        for option in ServerOptions.all { page.add(option, isSetting: false) }
        page.section("FILES")
        page.term(
            "understudy.json",
            "the configuration file, read from the working folder unless --config names another"
        )
        page.term("seeds", "the folder of seed worlds, read from the working folder if present")
        page.section("EXIT STATUS")
        for (code, meaning) in ExitCode.meanings { page.term(code, meaning) }
        page.section("SEE ALSO")
        page.paragraph("The documentation pages that a running server has at /docs/ on its hub.")
        return page.lines.joined(separator: "\n")
    }
}

extension RoffWriter {
    fileprivate mutating func add(_ command: any Command.Type) {
        subsection(command.usageLine)
        paragraph(sentence(command.summary))
        if case .actions(let actions) = command.operands {
            for action in actions {
                let words = [command.name, action.name, action.usage].filter { !$0.isEmpty }
                term(words.joined(separator: " "), sentence(action.summary))
            }
        }
        for option in command.options { add(option, isSetting: false) }
        let shared = Set(command.settings.map(\.name))
        if shared == Set(ServeOptions.serve.map(\.name)) {
            if command.name != ServeCommand.name { paragraph("Takes the flags of serve.") }
        } else if shared.count > ServeOptions.shared.count {
            paragraph("Takes the flags of serve that are not listed here.")
        } else if !shared.isEmpty {
            paragraph("Takes \(command.settings.map(\.flag).joined(separator: ", ")) as serve does.")
        }
        if !command.serverFlags.isEmpty { paragraph("Takes the flags for a running server.") }
        if !command.discussion.isEmpty { paragraph(command.discussion) }
        for example in command.examples { self.example(example) }
    }

    fileprivate mutating func add(_ option: Option, isSetting: Bool) {
        var places = "default: \(option.default)"
        if isSetting { places += "; \(option.variable), \(option.key)" }
        term(option.usageInHelp, "\(option.help) (\(places))")
    }

    private func sentence(_ summary: String) -> String { summary.prefix(1).uppercased() + summary.dropFirst() + "." }
}

/// A writer of roff source with the man macros.
struct RoffWriter {
    private(set) var lines: [String] = []

    mutating func raw(_ line: String) { lines.append(line) }

    mutating func section(_ title: String) { raw(".SH \(title)") }

    mutating func subsection(_ title: String) { raw(".SS \(Self.argument(title))") }

    mutating func paragraph(_ text: String) {
        // A heading begins a paragraph already.
        if lines.last?.hasPrefix(".S") == false { raw(".PP") }
        filled(text)
    }

    mutating func term(_ term: String, _ text: String) {
        raw(".TP")
        raw(".B \(Self.argument(term))")
        filled(text)
    }

    /// A command line below its explanation, without filling.
    mutating func example(_ example: Example) {
        raw(".PP")
        raw(".nf")
        raw(Self.line("# " + example.explanation))
        raw(Self.line(example.line))
        raw(".fi")
    }

    /// Text that roff fills, in source lines of about 70 characters.
    private mutating func filled(_ text: String) {
        var line = ""
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if !line.isEmpty, line.count + word.count > 70 {
                raw(Self.line(line))
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        raw(Self.line(line))
    }

    /// A line of text; a leading dot would make it a request.
    static func line(_ text: String) -> String {
        let line = escaped(text)
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    /// A single argument of a macro.
    static func argument(_ text: String) -> String { "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\"" }

    /// Text that roff prints as it is: hyphens stay hyphens, and no character is taken for an escape.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "…": result += "..."
            default: result.append(character)
            }
        }
        return result
    }
}
