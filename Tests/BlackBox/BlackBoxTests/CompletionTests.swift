import Foundation
import TestSupport
import Testing

/// `understudy completions bash|zsh|fish`: what each shell offers for a word that has begun.
@Suite(.serialized) struct CompletionTests {
    /// The commands as the overview lists them.
    private func commands() throws -> [String] {
        let overview = try Program.run(["help"]).output
        let rows = overview.split(separator: "\n").filter {
            $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  -")
        }
        return rows.compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    /// The flags as the help of a command lists them.
    private func flags(of command: String) throws -> [String] {
        let help = try Program.run(["help", command]).output
        let rows = help.split(separator: "\n").filter { $0.hasPrefix("  --") }
        return rows.compactMap { $0.split(separator: " ").first.map(String.init) }.flatMap { flag in
            // One row stands for the ports of all APIs.
            flag == "--port-NAME" ? Checkout.apis.map { "--port-\($0)" } : [flag]
        }
    }

    private func script(_ shell: String) throws -> String {
        let result = try Program.run(["completions", shell])
        expectEqual(result.status, 0)
        #expect(result.errors.isEmpty)
        return result.output
    }

    /// The words that bash offers for the last one of a line.
    private func bash(_ words: [String], in folder: Folder) throws -> [String] {
        try folder.write("understudy.bash", try script("bash"))
        try folder.write(
            "complete.bash",
            """
            source ./understudy.bash
            COMP_WORDS=("$@")
            COMP_CWORD=$(($# - 1))
            _understudy
            [ ${#COMPREPLY[@]} -eq 0 ] || printf '%s\\n' "${COMPREPLY[@]}"
            """
        )
        let result = try InstalledTool.run("bash", ["complete.bash"] + words, in: folder)
        #expect(result.errors.isEmpty, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        (["serv"], ["serve"]), (["rep"], ["replay"]), (["--v"], ["--version"]),
        (["serve", "--wo"], ["--world-required"]), (["serve", "--api", "tr"], ["trafikskola", "trendy"]),
        (["serve", "--api", "trendy", "om"], ["omnichat"]), (["serve", "--api", "trendy,om"], ["trendy,omnichat"]),
        (["serve", "--api", "=", "om"], ["omnichat"]), (["serve", "--log-format", "="], ["text", "json"]),
        (["serve", "--latency", "e"], ["edge"]), (["serve", "--quiet", "--verb"], ["--verbose"]),
        (["serve", "--port", "1", "--lat"], ["--latency"]), (["serve", "--limit", "x"], []),
        (["openapi", "c"], ["control", "carbscan"]), (["openapi", ""], ["control"] + Checkout.apis),
        (["completions", ""], ["bash", "zsh", "fish"]), (["help", "ro"], ["routes"]),
        (["token", "--kind", ""], ["access", "refresh", "apple-identity"]),
        (["token", "--kind", "access", "--us"], ["--user"]),
        (["serve", "--scenario", "mine/"], []), (["nothing", "--se"], []), (["man", "--h"], ["--help"]),
    ])
    func `bash completes commands, flags and values`(words: [String], offered: [String]) throws {
        try expectEqual(bash(["understudy"] + words, in: Folder()), offered)
    }

    @Test func `bash completes files, folders, scenarios and the program of exec`() throws {
        let folder = try Folder([
            "a recording.har": "", "apps/x": "",
            "mine/omnichat/scenarios/very-own.json": #"{"title":"T","expect":"E"}"#,
            "mine/omnichat/scenarios/b$(touch touched).json": #"{"title":"T","expect":"E"}"#,
            "understudy.json": #"{"seeds":"mine"}"#,
        ])
        try expectEqual(bash(["understudy", "validate", "a"], in: folder).sorted(), ["a recording.har", "apps"])
        try expectEqual(bash(["understudy", "replay", "--api", "trendy", "a\u{20}"], in: folder), ["a recording.har"])
        #expect(try bash(["understudy", "serve", "--config", "u"], in: folder).contains("understudy.json"))
        try expectEqual(bash(["understudy", "serve", "--state", "a"], in: folder), ["apps"])
        #expect(try bash(["understudy", "exec", "--", "bas"], in: folder).contains("bash"))
        try expectEqual(bash(["understudy", "exec", "--", "sh", "ap"], in: folder), ["apps"])
        _ = try bash(["understudy", "serve", "--scenario", "omnichat/very"], in: folder)
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("touched").path))
        let plain = try bash(["understudy", "serve", "--scenario", "omnichat/stream-cut"], in: Folder())
        expectEqual(plain, ["omnichat/stream-cut-midway"])
    }

    @Test func `own 19 bash completes the custom APIs that are found`() throws {
        let folder = try Folder(["apis/my-shop/api.json": "{}", "more/zoo/api.json": "{}"])
        try expectEqual(bash(["understudy", "serve", "--api", "my"], in: folder), ["my-shop"])
        try expectEqual(bash(["understudy", "token", "--api", "t"], in: folder), ["trafikskola", "trendy"])
        try folder.write("understudy.json", #"{"apis":"more"}"#)
        try expectEqual(bash(["understudy", "routes", "--api", "z"], in: folder), ["zoo"])
        // A mistake in a file leaves the built-in ones.
        try folder.write("more/zoo/api.json", "{")
        try expectEqual(bash(["understudy", "serve", "--api", "sa"], in: folder), ["sawaed"])
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `every command and every flag is in the script`(shell: String) throws {
        let text = try script(shell)
        let commands = try commands()
        #expect(commands.contains("serve") && commands.contains("completions"))
        for command in commands {
            let flags = try flags(of: command)
            switch shell {
            case "bash":
                let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("    \(command)) flags=") })
                for flag in flags { #expect(line.contains("\(flag) "), "\(command) \(flag)") }
            case "zsh":
                let start = try #require(text.range(of: "\n    \(command))\n"))
                let rest = text[start.upperBound...]
                let part = rest[..<(try #require(rest.range(of: "        ;;")).lowerBound)]
                for flag in flags {
                    #expect(part.contains("\(flag)[") || part.contains("\(flag)=["), "\(command) \(flag)")
                }
            default:
                for flag in flags {
                    let start =
                        "complete -c understudy -n '__fish_seen_subcommand_from \(command)' -l \(flag.dropFirst(2)) "
                    #expect(text.contains(start), "\(command) \(flag)")
                }
            }
        }
    }

    @Test(.enabled(if: InstalledTool.has("zsh"), "make test-deps installs zsh")) func `zsh takes the script`() throws {
        let folder = try Folder(["_understudy": try script("zsh")])
        let syntax = try InstalledTool.run("zsh", ["-n", "_understudy"], in: folder)
        expectEqual(syntax.status, 0, "\(syntax.errors)")
        let load = "autoload -U compinit; compinit -u -D; source ./_understudy; print $_comps[understudy]"
        try expectEqual(InstalledTool.run("zsh", ["-f", "-c", load], in: folder).output, "_understudy\n")
    }

    @Test(.enabled(if: InstalledTool.has("fish"), "make test-deps installs fish"))
    func `fish completes commands, flags and values`() throws {
        let folder = try Folder(["understudy.fish": try script("fish"), "a.har": ""])
        func offered(_ line: String) throws -> [String] {
            let run = "source understudy.fish; complete -C '\(line)'"
            let result = try InstalledTool.run("fish", ["--no-config", "-c", run], in: folder)
            #expect(result.errors.isEmpty, "\(result.errors)")
            return result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        }
        try expectEqual(offered("understudy serv"), ["serve"])
        try expectEqual(offered("understudy serve --wo"), ["--world-required"])
        try expectEqual(offered("understudy serve --api tr"), ["trafikskola", "trendy"])
        try expectEqual(offered("understudy openapi ").sorted(), (["control"] + Checkout.apis).sorted())
        try expectEqual(offered("understudy openapi control "), [])
        try expectEqual(offered("understudy validate a"), ["a.har"])
        try expectEqual(offered("understudy serve --scenario omnichat/stream-cut"), ["omnichat/stream-cut-midway"])
    }

    @Test func `a missing or unknown shell is 2 and the known ones are named`() throws {
        let none = try Program.run(["completions"])
        expectEqual(none.status, 2)
        #expect(none.errors.contains("completions needs a shell: bash, zsh, fish"))
        let other = try Program.run(["completions", "bsh"])
        expectEqual(other.status, 2)
        #expect(other.errors.contains("did you mean bash?"), "\(other.errors)")
    }
}
