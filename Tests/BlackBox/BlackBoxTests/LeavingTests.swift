import Compression
import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, sections 11 and 13: the journal entry of a client that does not wait for its response, and what a
/// recording has of it.
@Suite(.serialized) struct LeavingTests {
    private func outcome(_ served: Served) throws -> String? {
        try served.control("GET", "/requests?limit=1").json["items"]?.arrayValue?.first?["outcome"]?.stringValue
    }

    private func leave(_ served: Served) throws {
        let wire = try Wire(port: served.api)
        try wire.send(Wire.request("GET", "/api/v1/conversations"))
        try Deadline().wait(for: "the request") { try outcome(served) == "held" }
        wire.close()
        try Deadline().wait(for: "its end") { try outcome(served) == "interrupted" }
    }

    @Test func `11 a client that gives up during a delay has interrupted it, before the delay ends and after`() throws {
        let served = try Served()
        _ = try served.control("POST", "/faults", #"{"effect":{"delay":{"ms":30000}}}"#)
        try leave(served)
        try expectEqual(served.control("POST", "/clock/advance", #"{"seconds":30}"#).json["fired"], 1)
        try expectEqual(served.control("GET", "/health").status, 200)
        try expectEqual(outcome(served), "interrupted")
    }

    @Test func `11 a client that gives up at a gate has interrupted it, before it is let go and after`() throws {
        let served = try Served()
        _ = try served.control("POST", "/gates", #"{"name":"g1"}"#)
        try leave(served)
        try expectEqual(served.control("DELETE", "/gates/g1").status, 204)
        try expectEqual(outcome(served), "interrupted")
    }

    @Test(arguments: [false, true])
    func `13 an answer that has come whole is recorded whole though its client leaves while it is decoded`(
        isChunked: Bool
    ) throws {
        let text = String(repeating: "see http://a.example/x, and b. ", count: 40_000)
        let coded = try #require(Deflate.compress(Array(text.utf8), .gzip))
        let framing = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(coded.count)"
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\n\(framing)\r\n\r\n"
        let size = String(coded.count, radix: 16)
        let content = isChunked ? Array("\(size)\r\n".utf8) + coded + Array("\r\n0\r\n\r\n".utf8) : coded
        let upstream = try KeepingUpstream()
        defer { upstream.stop() }
        upstream.answers([Array(head.utf8) + content])
        let folder = try Folder()
        let flags = ["record", "--upstream", upstream.url, "--links", "here", "--out", "r.har"]
        let recorder = try Proxy(flags, in: folder)
        let wire = try Wire(port: recorder.api)
        let control = try Wire(port: recorder.hub)
        try wire.send(Wire.request("GET", "/api/v1/long"))
        // The recorder ends the connection when the loop is about to get the end of the answer. Once the loop has answered
        // another call it has it, and a worker decodes.
        expectEqual(upstream.ended.wait(timeout: .now() + 60), .success)
        try expectEqual(control.ask("GET", "/__admin/health").status, 200)
        wire.abort()
        func entries() throws -> [JSON] {
            let file = try Data(contentsOf: folder.url.appendingPathComponent("r.har"))
            return try JSONReader.read(Array(file))["log"]?["entries"]?.arrayValue ?? []
        }
        // While it is written the file has no end.
        try Deadline().wait(for: "the entry") { (try? entries())?.isEmpty == false }
        let entry = try entries()[0]
        expectEqual(entry["response"]?["status"], 200)
        expectNil(entry["response"]?["_error"], "\(entry["response"]?["_error"]?.text ?? "")")
        expectEqual(entry["response"]?["content"]?["text"]?.stringValue == text, true)
        try recorder.stop()
    }
}
