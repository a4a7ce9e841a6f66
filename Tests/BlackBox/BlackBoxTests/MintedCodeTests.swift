import Foundation
import JSON
import TestSupport
import Testing

/// Events of the tokens that control calls mint (console contract, section 3).
@Suite struct MintedCodeTests {
    @Test func `console 3 a token and a code that holds one are told, a code without one is not`() throws {
        let told = try changes { served in
            _ = try served.control("POST", "/tokens", #"{"api":"sawaed","user":"layla@sawaed.test","kind":"access"}"#)
            _ = try served.control("GET", "/qr.json?api=trafikskola&type=school_config")
            _ = try served.control("GET", "/qr.json?type=session_login&user=erik@example.com")
            _ = try served.control("GET", "/qr.png?api=trafikskola&type=quick_login")
            _ = try served.control("GET", "/qr.png?api=trafikskola&type=nothing")
            // Nothing is minted for a code that can't be drawn.
            let long = String(repeating: "a", count: 4_000)
            _ = try served.control("GET", "/qr.png?api=trafikskola&type=session_login&domain=\(long)")
        }
        expectEqual(
            told,
            [
                "users changed layla@sawaed.test sawaed", "users changed instr_1 trafikskola",
                "users changed usr_123 trafikskola",
            ]
        )
    }

    @Test func `console 3 the page of all codes tells of each token`() throws {
        var minted = 0
        let told = try changes { served in
            let page = try served.control("GET", "/qr?api=trafikskola").text
            minted = page.components(separatedBy: "_login&quot;").count - 1
        }
        #expect(minted > 0 && told.count == minted)
    }

    /// Returns what a stream of events tells of the changes by some control calls.
    private func changes(_ calls: (Served) throws -> Void) throws -> [String] {
        let served = try Served()
        let wire = try Wire(port: served.hub)
        try wire.send(Wire.request("GET", "/__admin/events"))
        try wire.wait(for: ": understudy")
        try calls(served)
        _ = try served.control("DELETE", "/requests")
        try wire.wait(for: #""part":"requests""#)
        let lines = wire.text.split(whereSeparator: \.isNewline)
        let told = try lines.indices.dropLast().filter { lines[$0] == "event: change" }.map { place in
            let event = try JSONReader.read(Array(lines[place + 1].dropFirst("data: ".count).utf8))
            return ["part", "action", "name", "api"].map { event[$0]?.stringValue ?? "" }.joined(separator: " ")
        }
        return Array(told.dropLast())
    }
}
