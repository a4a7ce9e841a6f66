import Foundation
import TestSupport
import Testing

/// `understudy man` and the help, which follow from one table.
@Suite(.serialized) struct ManPageTests {
    private func commands() throws -> [String] {
        let rows = try Program.run(["--help"]).output.split(separator: "\n").filter {
            $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  -")
        }
        return rows.compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test func `every command has a section and every flag an entry`() throws {
        let page = try Program.run(["man"])
        expectEqual(page.status, 0)
        let lines = page.output.split(separator: "\n").map(String.init)
        expectEqual(lines.first?.hasPrefix(".TH UNDERSTUDY 1 "), true)
        for command in try commands() {
            #expect(lines.contains { $0.hasPrefix(".SS \"understudy \(command)") }, "\(command)")
            let help = try Program.run(["help", command]).output.split(separator: "\n")
            for row in help where row.hasPrefix("  --") {
                let flag = row.split(separator: " ")[0].replacing("-", with: "\\-")
                #expect(lines.contains { $0.hasPrefix(".B \"\(flag)") }, "\(command) \(row)")
            }
        }
    }

    @Test func `no text of the page is taken for a request`() throws {
        let known = [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".nf", ".fi"]
        for line in try Program.run(["man"]).output.split(separator: "\n") where line.hasPrefix(".") {
            #expect(known.contains(String(line.prefix { $0 != " " })), "\(line)")
        }
    }

    @Test(.enabled(if: InstalledTool.has("mandoc"), "make test-deps installs mandoc"))
    func `the page renders without warnings`() throws {
        let folder = try Folder(["understudy.1": try Program.run(["man"]).output])
        let result = try InstalledTool.run("mandoc", ["-T", "lint", "-W", "warning", "understudy.1"], in: folder)
        expectEqual(result.status, 0)
        #expect(result.output.isEmpty, "\(result.output)")
        let text = try InstalledTool.run("mandoc", ["-T", "ascii", "understudy.1"], in: folder).output
        #expect(text.contains("Runs the emulator until interrupted."))
    }

    @Test func `help COMMAND and COMMAND --help are one text, for every command`() throws {
        for command in try commands() {
            let help = try Program.run(["help", command])
            expectEqual(help.status, 0)
            expectEqual(help.output, try Program.run([command, "--help"]).output)
            #expect(help.output.contains("usage: understudy \(command)"))
        }
        let unknown = try Program.run(["help", "serv"])
        expectEqual(unknown.status, 2)
        #expect(unknown.errors.contains("unknown command \"serv\"; did you mean serve?"))
    }
}
