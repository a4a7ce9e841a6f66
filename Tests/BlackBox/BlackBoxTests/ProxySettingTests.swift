import Foundation
import JSON
import TestSupport
import Testing

/// Proxy contract, section 8: `proxy on` and `off`, with tools that keep what they are told in files.
@Suite(.serialized) struct ProxySettingTests {
    /// A server with a forward proxy, and a machine with these tools.
    private struct Machine {
        let served: Served
        let folder: Folder
        let pac: String
        let port: Substring

        /// `networksetup` with two services that are on, one that is off, and a script for each in the folder `set`.
        static let networksetup = """
            #!/bin/sh
            printf '%s' networksetup >> "$HOME/calls"
            for word; do printf ' [%s]' "$word" >> "$HOME/calls"; done
            echo >> "$HOME/calls"
            file="$HOME/set/$(printf '%s' "$2" | tr '/ ' '__')"
            case $1 in
            -listallnetworkservices)
              echo 'An asterisk (*) denotes that a network service is disabled.'
              printf '%s\\n' 'Wi-Fi' 'USB 10/100 LAN' '*Thunderbolt Bridge' ;;
            -getautoproxyurl)
              if [ -f "$file" ]; then echo "URL: $(cut -d' ' -f1 "$file")"; echo "Enabled: $(cut -d' ' -f2 "$file")"
              else printf 'URL: (null)\\nEnabled: No\\n'; fi ;;
            -setautoproxyurl) echo "$3 Yes" > "$file" ;;
            -setautoproxystate)
              [ -f "$file" ] || echo '(null) No' > "$file"
              echo "$(cut -d' ' -f1 "$file") No" > "$file" ;;
            esac
            """
        static let adb = """
            #!/bin/sh
            printf '%s' adb >> "$HOME/calls"
            for word; do printf ' [%s]' "$word" >> "$HOME/calls"; done
            echo >> "$HOME/calls"
            file="$HOME/set/android${ANDROID_SERIAL:+-$ANDROID_SERIAL}"
            [ ! -f "$HOME/offline" ] || { echo 'adb: no devices/emulators found' >&2; exit 1; }
            case "$*" in
            'shell settings get global http_proxy') if [ -f "$file" ]; then cat "$file"; else echo null; fi ;;
            'shell settings put global http_proxy'*) echo "$6" > "$file" ;;
            esac
            """

        init(_ tools: [String: String], set: [String: String] = [:]) throws {
            var files = set.reduce(into: [String: String]()) { $0["set/\($1.key)"] = $1.value }
            for (name, text) in tools { files["bin/\(name)"] = text }
            files["set/none"] = ""
            folder = try Folder(files)
            for name in tools.keys {
                let path = folder.url.appendingPathComponent("bin/\(name)").path
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
            served = try Served(
                Served.frozen + ["--proxy", "--ca", "ca", "--map", "api.example.com=omnichat"],
                log: ["--quiet"],
                in: folder
            )
            pac = served.ready["proxy"]?["pac"]?.stringValue ?? ""
            port = (served.ready["proxy"]?["url"]?.stringValue ?? "").split(separator: ":").last ?? ""
        }

        func run(_ words: [String], _ variables: [String: String] = [:], url: String? = nil) throws -> (Int32, String) {
            let home = folder.url.path
            var environment = [
                "HOME": home, "XDG_DATA_HOME": "\(home)/data", "PATH": "\(home)/bin:/usr/bin:/bin",
                "UNDERSTUDY_URL": url ?? "http://127.0.0.1:\(served.hub)",
            ]
            for (name, value) in variables { environment[name] = value }
            let child = try Child(["proxy"] + words, environment: environment, in: folder)
            let code = try child.waitForExit()
            return (code, try child.output() + child.errors())
        }

        /// The calls of tools since the last time, those left out that only read.
        func calls() throws -> [String] {
            let all = text("calls") ?? ""
            try? FileManager.default.removeItem(at: folder.url.appendingPathComponent("calls"))
            return all.split(separator: "\n").map(String.init).filter {
                !$0.contains("-get") && !$0.contains("-list") && !$0.contains("[get]")
            }
        }

        func text(_ name: String) -> String? {
            try? String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
        }

        func set(_ name: String) -> String? { text("set/\(name)")?.trimmingCharacters(in: .whitespacesAndNewlines) }

        var kept: String? {
            #if os(macOS)
            text("Library/Application Support/Understudy/former-proxy.json")
            #else
            text("data/understudy/former-proxy.json")
            #endif
        }
    }

    private static let company = "http://proxy.example/company.pac"

    @Test func `8 off puts back the script of each service`() throws {
        let machine = try Machine(["networksetup": Machine.networksetup], set: ["Wi-Fi": "\(Self.company) Yes\n"])
        // Printed, it reads at most.
        var (code, text) = try machine.run(["on"])
        expectEqual(code, 0)
        #expect(text.contains("  networksetup -setautoproxyurl 'USB 10/100 LAN' \(machine.pac)\n"), "\(text)")
        #expect(text.contains("Nothing was changed. `understudy proxy on --for system --yes` runs this."), "\(text)")
        expectEqual(try machine.calls(), [])
        expectNil(machine.kept)
        // A script of somebody else's is left alone where nothing is kept.
        (code, text) = try machine.run(["off"])
        expectEqual(code, 0)
        #expect(text.hasPrefix("  networksetup -setautoproxystate 'USB 10/100 LAN' off\n"), "\(text)")

        // A second time keeps what was there before the first.
        for _ in 0..<2 {
            (code, text) = try machine.run(["on", "--yes"])
            expectEqual(code, 0, text)
            expectEqual(
                try machine.calls(),
                ["Wi-Fi", "USB 10/100 LAN"].map { "networksetup [-setautoproxyurl] [\($0)] [\(machine.pac)]" }
            )
            expectEqual(machine.set("Wi-Fi"), "\(machine.pac) Yes")
        }
        expectEqual(machine.kept?.contains(Self.company), true)
        let back = [
            "networksetup [-setautoproxyurl] [Wi-Fi] [\(Self.company)]",
            "networksetup [-setautoproxystate] [USB 10/100 LAN] [off]",
        ]
        (code, text) = try machine.run(["off"])
        #expect(text.hasPrefix("  networksetup -setautoproxyurl Wi-Fi \(Self.company)\n"), "\(text)")
        expectEqual(try machine.calls(), [])
        (code, text) = try machine.run(["off", "--yes"])
        expectEqual(code, 0, text)
        expectEqual(try machine.calls(), back)
        expectEqual(machine.set("Wi-Fi"), "\(Self.company) Yes")
        expectNil(machine.kept)

        // What was there may be switched off, and the server may be gone by then.
        _ = try machine.run(["on", "--yes"])
        _ = try machine.calls()
        let nobody = "http://127.0.0.1:1"
        (code, text) = try machine.run(["off", "--yes"], url: nobody)
        expectEqual(code, 0, text)
        expectEqual(try machine.calls(), back)
        expectEqual(try machine.run(["off", "--yes"], url: nobody).0, 4)
        let path = machine.folder.url.appendingPathComponent("set/Wi-Fi")
        try Data("\(Self.company) No\n".utf8).write(to: path)
        _ = try machine.run(["on", "--yes"])
        _ = try machine.run(["off", "--yes"])
        expectEqual(machine.set("Wi-Fi"), "\(Self.company) No")
        // A script of an earlier server of ours is nothing to come back to.
        try Data("http://127.0.0.1:9/__proxy.pac Yes\n".utf8).write(to: path)
        _ = try machine.run(["on", "--yes"])
        _ = try machine.run(["off", "--yes"])
        expectEqual(machine.set("Wi-Fi"), "\(machine.pac) No")
    }

    @Test func `8 off puts back the proxy of the Android device`() throws {
        let machine = try Machine(["adb": Machine.adb], set: ["android": "10.0.0.9:8888\n", "android-b": ":0\n"])
        let android = ["--for", "android", "--yes"]
        func put(_ value: String) -> String { "adb [shell] [settings] [put] [global] [http_proxy] [\(value)]" }
        let (on, off) = ("127.0.0.1:\(machine.port)", "adb [reverse] [--remove] [tcp:\(machine.port)]")
        let reverse = "adb [reverse] [tcp:\(machine.port)] [tcp:\(machine.port)]"
        for (serial, former) in [("", "10.0.0.9:8888"), ("b", ":0"), ("c", ":0")] {
            let variables = serial.isEmpty ? [:] : ["ANDROID_SERIAL": serial]
            for _ in 0..<2 {
                expectEqual(try machine.run(["on"] + android, variables).0, 0)
                expectEqual(try machine.calls(), [reverse, put(on)], serial)
            }
            expectEqual(try machine.run(["off"] + android, variables).0, 0)
            expectEqual(try machine.calls(), [off, put(former)], serial)
            expectNil(machine.kept)
        }
        // What the device's shell would take for more than an address is not put back.
        let file = machine.folder.url.appendingPathComponent("set/android")
        try Data("a;reboot\n".utf8).write(to: file)
        _ = try machine.run(["on"] + android)
        _ = try machine.run(["off"] + android)
        expectEqual(machine.set("android"), ":0")
        // What fails is told, and stays kept for the next time.
        try Data("10.0.0.9:8888\n".utf8).write(to: file)
        _ = try machine.run(["on"] + android)
        try Data().write(to: machine.folder.url.appendingPathComponent("offline"))
        let (code, text) = try machine.run(["off"] + android)
        expectEqual(code, 1)
        #expect(text.contains("no devices/emulators found"), "\(text)")
        expectEqual(machine.kept?.contains("10.0.0.9:8888"), true)
        try FileManager.default.removeItem(at: machine.folder.url.appendingPathComponent("offline"))
        expectEqual(try machine.run(["off"] + android, url: "http://127.0.0.1:1").0, 0)
        expectEqual(machine.set("android"), "10.0.0.9:8888")
        expectNil(machine.kept)
    }

    @Test func `8 without the tool the commands are printed, and running them fails`() throws {
        let machine = try Machine([:])
        let (code, text) = try machine.run(["on", "--for", "android", "--yes"])
        expectEqual(code, 1)
        #expect(text.contains("there is no program adb"), "\(text)")
        #if !os(macOS)
        let (printed, words) = try machine.run(["on"])
        expectEqual(printed, 0)
        #expect(words.hasPrefix("Set \(machine.pac) as the address"), "\(words)")
        #endif
    }
}
