import Foundation
import JSON
import TestSupport

/// A running `understudy serve` on free ports.
final class Served {
    static let frozen = ["--seed", "42", "--clock", "frozen:2025-01-01T12:00:00Z"]

    let child: Child
    let ready: JSON
    let hub: Int
    let api: Int

    init(
        _ flags: [String] = Served.frozen,
        log: [String] = ["--quiet"],
        environment: [String: String] = [:],
        in folder: Folder? = nil,
        prelude: String? = nil
    ) throws {
        let child = try Child(
            ["serve", "--port", "0"] + log + flags,
            environment: environment,
            in: folder,
            prelude: prelude
        )
        var line = ""
        try Deadline().wait(for: "the ready line") {
            line = try child.output()
            guard child.isRunning || line.hasSuffix("\n") else {
                throw TestError(description: "serve ended: \(try child.errors())")
            }
            return line.hasSuffix("\n")
        }
        self.child = child
        ready = try JSONReader.read(text: String(line.dropLast()))
        hub = try Self.port(ready["hub"])
        // A server of other APIs alone has no port for it.
        api = try Self.port(ready["apis"]?["omnichat"] ?? ready["hub"])
    }

    private static func port(_ origin: JSON?) throws -> Int {
        guard let text = origin?.stringValue, let port = text.split(separator: ":").last.flatMap({ Int($0) }) else {
            throw TestError(description: "no address: \(origin?.text ?? "none")")
        }
        return port
    }

    /// A control call on the hub, over a connection of its own.
    func control(_ method: String, _ path: String, _ body: String = "", world: String? = nil) throws -> WireAnswer {
        let prefix = world.map { "/@\($0)" } ?? ""
        return try Wire(port: hub).ask(method, prefix + "/__admin" + path, body: Array(body.utf8))
    }

    /// A request to the API's own port, over a connection of its own.
    func chat(_ method: String, _ path: String, _ body: String = "", token: String? = nil) throws -> WireAnswer {
        try Wire(port: api).ask(method, "/api/v1" + path, body: Array(body.utf8), token: token)
    }

    func token(_ kind: String = "access", world: String = "main") throws -> String {
        let body = #"{"api":"omnichat","user":"test@icloud.com","kind":"\#(kind)"}"#
        let answer = try Wire(port: hub).ask("POST", "/@\(world)/__admin/tokens", body: Array(body.utf8))
        guard let token = answer.json["token"]?.stringValue else { throw TestError(description: answer.text) }
        return token
    }

    /// Starts a streamed reply and reads its head.
    func startStream(_ token: String, content: String = "Hi") throws -> Wire {
        let wire = try Wire(port: api)
        try wire.send(
            Wire.request(
                "POST",
                "/api/v1/conversations/conv_welcome_00000001/messages",
                body: Array(#"{"content":"\#(content)"}"#.utf8),
                token: token
            )
        )
        return wire
    }
}

/// Reads a world's document without its notes: an import, a restore and a reset write one themselves, with the machine's
/// time (console contract, section 7).
func unnoted(_ document: String) throws -> JSON {
    try JSONReader.read(text: document, options: JSONReader.Options(maxDepth: 600)).putting(nil, at: ["notes"])
}
