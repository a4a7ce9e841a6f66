import Conditions
import JSON

/// The words that other tools have for commands and actions, so that a guess is told the right name (clients contract,
/// section 1).
package enum Synonyms {
    /// Returns the command that a word of another tool means, with its action if there is one.
    package static func command(for word: String) -> String? { commands[word.lowercased()] }

    /// Returns the command line that a word behind a command means; nil for a word that no other tool has there.
    ///
    /// Among the names of the command's actions, an empty one is what it does without a word.
    static func line(for word: String, of command: String, among names: [String]) -> String? {
        if let line = lines["\(command) \(word.lowercased())"] { return line }
        if command == "settings", word.contains(".") { return "settings get \(word)" }
        if command == "scenario", word.contains("/") { return "scenario on \(word)" }
        if command == "requests", word.contains("_") { return "requests show \(word)" }
        let name = actions[word.lowercased()]?.first(where: names.contains)
        return name.map { $0.isEmpty ? command : "\(command) \($0)" }
    }

    /// Returns the flags that a flag of another tool means; nil for one that no other tool has.
    static func flag(for flag: String, of command: String) -> String? {
        let word = flag.drop { $0 == "-" }.lowercased()
        guard command == "fault" else { return nil }
        if word.hasSuffix("bytes") || ["reset", "cut", "truncate", "stop"].contains(where: { word == $0 + "-after" }) {
            return "--after-bytes"
        }
        if ["reset", "empty", "stall", "truncate", "garbage", "malformed-chunk"].contains(word) {
            return "--connection \(word)"
        }
        if let example = FaultEffects.declarations.first(where: { $0.name == word })?.examples.first {
            return Self.command(for: .object(example))
        }
        guard let symptom = FaultSymptom.of(word) else { return nil }
        return symptom.effect["connection"]?.stringValue.map { "--connection \($0)" }
            ?? Self.command(for: symptom.effect)
    }

    /// Returns the command that adds the fault which a word means; nil for other words.
    static func fault(_ word: String) -> String? { FaultSymptom.of(word).map { command(for: $0.effect) } }

    private static func command(for effect: JSON) -> String {
        "fault add '{\"effect\":\(effect.text)}'"
    }

    private static let lines = ["requests list": "log", "requests ls": "log", "clock add": "clock advance"]

    private static let commands = [
        "start": "serve", "up": "serve", "run": "serve", "mock": "serve", "server": "serve", "listen": "serve",
        "init": "new", "create": "new", "generate": "new", "import": "new", "proxy": "record", "capture": "record",
        "playback": "replay", "status": "health", "ping": "health", "ps": "health", "tail": "log", "journal": "log",
        "request": "requests", "mail": "outbox", "mails": "outbox", "codes": "outbox", "otp": "outbox",
        "report": "conduct", "judge": "conduct", "lint": "validate", "check": "validate", "time": "clock",
        "advance": "clock advance", "freeze": "clock freeze", "unfreeze": "clock run", "now": "clock",
        "worlds": "world",
        "fork": "world new", "snapshots": "snapshot", "restore": "snapshot restore", "faults": "fault",
        "fail": "fault add",
        "inject": "fault add", "gates": "gate", "hold": "gate add", "release": "gate release", "network": "latency",
        "throttle": "latency", "setting": "settings", "switch": "settings set", "export": "state export",
        "dump": "state export",
        "spec": "openapi", "endpoints": "routes", "apis": "routes", "list": "routes", "ls": "routes", "users": "token",
        "login": "token", "certs": "trust", "completion": "completions", "env": "config",
    ]

    private static let show = ["", "list", "show", "get"]
    private static let remove = ["delete", "off"]
    private static let make = ["new", "add", "take", "set"]
    private static let activate = ["on", "restore", "run"]

    private static let actions: [String: [String]] = [
        "show": show, "list": show, "ls": show, "status": show, "print": show, "current": show, "now": show,
        "get": show,
        "rm": remove, "remove": remove, "del": remove, "drop": remove, "clear": remove, "destroy": remove,
        "reset": remove,
        "create": make, "make": make, "add": make, "new": make, "save": ["take", "export"] + make,
        "take": ["take", "export"], "fork": ["new"], "copy": ["new"], "clone": ["new"], "hold": ["add"],
        "load": ["restore", "import"], "apply": ["restore", "import", "on"], "dump": ["export"],
        "enable": activate, "activate": activate, "start": activate, "use": ["on", "restore", "urls"],
        "disable": ["off"], "deactivate": ["off"], "stop": ["freeze", "off"], "pause": ["freeze", "off"],
        "resume": ["run", "on"], "unfreeze": ["run"], "continue": ["run"], "real": ["run"], "go": ["run", "release"],
        "forward": ["advance"], "skip": ["advance"], "move": ["advance"], "tick": ["advance"], "travel": ["advance"],
        "back": ["set"], "rewind": ["set"], "due": ["upcoming"], "next": ["upcoming"],
        "open": ["release"], "free": ["release"], "let": ["release"], "address": ["urls"], "url": ["urls"],
        "change": ["set"], "put": ["set"],
    ]
}
