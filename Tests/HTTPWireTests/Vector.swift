import Foundation
import Testing

/// One case of `Tests/Vectors`; its README defines the form.
struct Vector: Sendable, CustomTestStringConvertible {
    var title: String
    var input: [UInt8] = []
    var transcript: [[UInt8]] = []
    var bodyLimit = 1 << 20

    var testDescription: String { title }

    /// Every case of every file, in the order of file names.
    static let all: [Vector] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().flatMap { name in
            (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)).map(parse) ?? []
        }
    }()

    static func parse(_ text: String) -> [Vector] {
        var found: [Vector] = []
        var macros: [String: String] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let cut = line.firstIndex(of: " ") ?? line.endIndex
            let rest = String(line[cut...].dropFirst())
            switch line[..<cut] {
            case "let":
                let end = rest.firstIndex(of: " ") ?? rest.endIndex
                macros[String(rest[..<end])] = String(rest[end...].dropFirst())
            case "==": found.append(Vector(title: rest))
            case "limit": found[found.count - 1].bodyLimit = Int(rest) ?? 0
            case "in": found[found.count - 1].input += unescape(rest, macros)
            case "out": found[found.count - 1].appendExpected(rest, macros)
            default: break
            }
        }
        return found
    }

    private mutating func appendExpected(_ text: String, _ macros: [String: String]) {
        guard text.hasPrefix("*"), let space = text.firstIndex(of: " "),
            let count = Int(text[text.index(after: text.startIndex)..<space])
        else {
            transcript.append(Self.unescape(text, macros))
            return
        }
        let line = Self.unescape(String(text[space...].dropFirst()), macros)
        transcript += Array(repeating: line, count: count)
    }

    static func unescape(_ text: String, _ macros: [String: String] = [:]) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let character = rest.popFirst() {
            guard character == "\\" else {
                bytes += Array(String(character).utf8)
                continue
            }
            switch rest.popFirst() {
            case "r": bytes.append(0x0D)
            case "n": bytes.append(0x0A)
            case "t": bytes.append(0x09)
            case "0": bytes.append(0)
            case "s": bytes.append(0x20)
            case "\\": bytes.append(0x5C)
            case "x":
                bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            case "(":
                let name = rest.prefix { $0 != ")" }
                rest = rest.dropFirst(name.count + 1)
                bytes += unescape(macros[String(name)] ?? "", macros)
            case "*":
                let count = rest.prefix { $0 != "{" }
                rest = rest.dropFirst(count.count + 1)
                let unit = unescape(String(takeBraced(&rest)), macros)
                for _ in 0..<(Int(count) ?? 0) { bytes += unit }
            default: break
            }
        }
        return bytes
    }

    /// Takes the text up to the brace that closes what has just been opened, that brace included.
    private static func takeBraced(_ rest: inout Substring) -> Substring {
        var depth = 1
        let start = rest
        while let character = rest.popFirst() {
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            if depth == 0 { return start[..<rest.startIndex].dropLast() }
        }
        return start
    }
}
