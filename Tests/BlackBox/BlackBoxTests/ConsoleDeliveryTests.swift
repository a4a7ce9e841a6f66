import Foundation
import JSON
import TestSupport
import Testing

/// Console contract, section 11: what browsers are told of pages, of the console's files, and of the APIs' content.
@Suite struct ConsoleDeliveryTests {
    private static let sandbox = "sandbox allow-scripts allow-forms allow-popups"

    private func answer(_ served: Served, headers: String, at path: String = "/omnichat/api/v1/models") throws
        -> WireAnswer
    {
        _ = try served.control("DELETE", "/faults")
        let effect = #"{"respond":{"status":200,"text":"<b>x</b>","headers":[\#(headers)]}}"#
        let made = try served.control("POST", "/faults", #"{"effect":\#(effect)}"#)
        expectEqual(made.status, 201, "\(made.text)")
        return try Wire(port: served.hub).ask("GET", path)
    }

    @Test func `11 what a browser may take for markup is confined below a mount`() throws {
        let served = try Served()
        let policy = try #require(PagePolicyText.whole)
        for type in [
            "text/html", "TEXT/HTML", "text/html; charset", "text/html; a b", "application/xhtml+xml", "image/svg+xml",
            "text/xml", "application/atom+xml", "text/xsl", "*/*", "unknown/unknown", "application/json, text/html",
        ] {
            let answer = try answer(served, headers: #"["Content-Type","\#(type)"]"#)
            expectEqual(answer["Content-Security-Policy"], Self.sandbox, "\(type)")
        }
        let twice = #"["Content-Type","text/plain"],["Content-Type","text/html"]"#
        try expectEqual(answer(served, headers: twice)["Content-Security-Policy"], Self.sandbox)
        // A policy that only looks like ours does not free it.
        let claimed = #"["Content-Type","text/html"],["Content-Security-Policy","\#(policy)"]"#
        try expectEqual(answer(served, headers: claimed)["Content-Security-Policy"], Self.sandbox)
        for type in ["application/json", "text/plain", "text/css", "application/octet-stream"] {
            let answer = try answer(served, headers: #"["Content-Type","\#(type)"]"#)
            expectNil(answer["Content-Security-Policy"], "\(type)")
        }
        // The documentation page of an API is our own.
        _ = try served.control("DELETE", "/faults")
        let page = try Wire(port: served.hub).ask("GET", "/sawaed/api/mobile/docs")
        expectEqual(page.status, 200)
        expectEqual(page["Content-Security-Policy"], policy)
    }

    @Test func `11 a file has one address`() throws {
        let served = try Served()
        let wire = try Wire(port: served.hub)
        try expectEqual(wire.ask("GET", "/__admin/console/kit/core.js").status, 200)
        for path in ["main.js/", "/main.js", "kit%2fcore.js", "kit//core.js", "index.html", "nothing.js"] {
            try expectEqual(Wire(port: served.hub).ask("GET", "/__admin/console/" + path).status, 404, "\(path)")
        }
    }

    @Test func `11 every page of our own has the policy, its style by its hash`() throws {
        let served = try Served()
        for path in [
            "/__admin/conduct?format=html", "/__admin/conduct/rules/auth%2Fmalformed-credential?format=html",
            "/__admin/qr?api=trafikskola",
        ] {
            let answer = try Wire(port: served.hub).ask("GET", path)
            expectEqual(answer.status, 200, "\(path): \(answer.text.prefix(200))")
            let policy = try #require(answer["Content-Security-Policy"], "\(path)")
            #expect(policy.contains("default-src 'none'; script-src 'self'; style-src 'sha256-"), "\(policy)")
            #expect(policy.contains("frame-ancestors 'none'; require-trusted-types-for 'script'"), "\(policy)")
            expectEqual(answer["X-Content-Type-Options"], "nosniff")
            expectEqual(answer["Referrer-Policy"], "no-referrer")
            expectEqual(answer["Cross-Origin-Opener-Policy"], "same-origin")
        }
    }
}

/// The policy of our own pages, from the contract.
private enum PagePolicyText {
    static var whole: String? {
        let file = Checkout.root.appending(path: "docs/contract/console.md")
        let text = try? String(contentsOf: file, encoding: .utf8)
        let rest = text?.components(separatedBy: "`Content-Security-Policy: ").dropFirst().first
        return rest?.components(separatedBy: "`").first
    }
}
