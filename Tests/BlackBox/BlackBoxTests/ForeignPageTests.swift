import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 18; console contract, section 11: pages that an API sends, and what they may ask.
@Suite(.serialized) struct ForeignPageTests {
    private static let sandbox = "sandbox allow-scripts allow-forms allow-popups"

    private static func said(_ site: String, _ mode: String, _ destination: String) -> [String] {
        ["Sec-Fetch-Site: \(site)", "Sec-Fetch-Mode: \(mode)", "Sec-Fetch-Dest: \(destination)"]
    }

    private func ask(_ port: Int, _ method: String, _ target: String, _ fields: [String]) throws -> WireAnswer {
        let wire = try Wire(port: port)
        try wire.send(Wire.request(method, target, fields: fields))
        return try wire.answer()
    }

    @Test func `18 no page on the port of an API reaches a control call, whatever its browser says`() throws {
        let served = try Served()
        _ = try served.control("POST", "/notes", #"{"text":"still here"}"#)
        let (own, hub) = ("http://127.0.0.1:\(served.api)", "http://127.0.0.1:\(served.hub)")
        let pages: [[String]] = [
            Self.said("same-origin", "cors", "empty"), Self.said("same-origin", "no-cors", "script"),
            Self.said("same-origin", "navigate", "document"), Self.said("same-origin", "navigate", "iframe"),
            Self.said("same-origin", "same-origin", "worker"), Self.said("same-origin", "same-origin", "sharedworker"),
            Self.said("same-origin", "cors", "empty") + ["Referer: \(hub)/docs/omnichat"],
            Self.said("same-site", "navigate", "document"), Self.said("cross-site", "cors", "empty"),
            ["Origin: \(own)"], ["Origin: null"], ["Referer: \(own)/hello"], ["Referer: \(own)/__admin/docs"],
            Self.said("same-site", "cors", "empty") + ["Origin: \(hub)"],
        ]
        for page in pages {
            for (method, path) in [("GET", "/state"), ("GET", "/requests"), ("POST", "/reset"), ("GET", "/events")] {
                try expectEqual(
                    ask(served.api, method, "/__admin" + path, page).status,
                    403,
                    "\(page) \(method) \(path)"
                )
            }
        }
        // On the hub, from there.
        let others: [[String]] = [
            Self.said("same-site", "cors", "empty"), Self.said("same-site", "no-cors", "image"),
            Self.said("same-site", "navigate", "iframe"), Self.said("cross-site", "navigate", "iframe"),
            ["Origin: \(own)"], ["Origin: null"], ["Referer: \(own)/"], ["Referer: \(hub)/omnichat/files/a.html"],
            ["Referer: \(hub)/@main/omnichat/files/__admin"],
        ]
        for page in others {
            for (method, path) in [("GET", "/state"), ("POST", "/reset"), ("GET", "/events")] {
                try expectEqual(
                    ask(served.hub, method, "/__admin" + path, page).status,
                    403,
                    "\(page) \(method) \(path)"
                )
                let mount = try ask(served.hub, method, "/omnichat/__admin" + path, page)
                expectEqual(mount.status, 403, "\(page) \(method) \(path)")
            }
        }
        // A form is no link.
        let form = Self.said("same-site", "navigate", "document")
        try expectEqual(ask(served.hub, "POST", "/__admin/reset", form).status, 403)
        try expectEqual(served.control("GET", "/notes?kind=note").json["items"]?.arrayValue?.count, 1)
    }

    @Test func `18 our own pages, typed addresses and tools go on`() throws {
        let served = try Served()
        let hub = "http://127.0.0.1:\(served.hub)"
        let callers: [[String]] = [
            [], ["Sec-Fetch-Mode: cors"], Self.said("none", "navigate", "document"),
            Self.said("same-origin", "cors", "empty"),
            Self.said("same-origin", "cors", "empty") + ["Origin: \(hub)"],
            Self.said("same-origin", "navigate", "document"), Self.said("same-site", "navigate", "document"),
            ["Referer: \(hub)/"], ["Referer: \(hub)/docs/omnichat"], ["Referer: \(hub)/@main/__admin/console"],
        ]
        for caller in callers {
            let answer = try ask(served.hub, "GET", "/__admin/health", caller)
            expectEqual(answer.status, 200, "\(caller)")
            expectEqual(answer["X-Content-Type-Options"], "nosniff")
        }
        for caller in callers.prefix(3) {
            try expectEqual(ask(served.api, "GET", "/__admin/health", caller).status, 200, "\(caller)")
        }
        for path in ["/", "/docs/", "/docs/omnichat", "/__admin/console", "/__admin/console/main.js", "/__admin/docs"] {
            try expectEqual(
                ask(served.hub, "GET", path, Self.said("none", "navigate", "document")).status,
                200,
                "\(path)"
            )
        }
    }

    @Test func `15 a browser is led from the page of a port to that of the hub, by the host that it used`() throws {
        let served = try Served()
        let browser = Self.said("none", "navigate", "document")
        for (target, place) in [
            ("/__admin/docs", "/docs/omnichat"), ("/@main/__admin/docs", "/@main/docs/omnichat"),
        ] {
            for reader in [browser, ["Accept: text/html,application/xhtml+xml"]] {
                let answer = try ask(served.api, "GET", target, reader)
                expectEqual(answer.status, 302)
                expectEqual(answer["Location"], "http://127.0.0.1:\(served.hub)\(place)")
            }
            try expectEqual(ask(served.api, "GET", target, []).status, 200)
        }
        let named = try Wire(port: served.api)
        try named.send(
            Array("GET /__admin/docs HTTP/1.1\r\nHost: localhost:\(served.api)\r\nAccept: text/html\r\n\r\n".utf8)
        )
        try expectEqual(named.answer()["Location"], "http://localhost:\(served.hub)/docs/omnichat")
    }

    @Test func `11 below a mount all that a browser may show or run is confined, by its type or its use`() throws {
        let served = try Served()
        let uses = [
            "document", "iframe", "frame", "embed", "object", "worker", "sharedworker", "fencedframe", "xslt",
        ]
        for type in ["text/html", "application/pdf", "multipart/x-mixed-replace; boundary=b", "application/mathml+xml"]
            + ["application/json", "text/plain", "image/png", "application/octet-stream"]
        {
            _ = try served.control("DELETE", "/faults")
            let effect = #"{"respond":{"status":200,"text":"<b>x</b>","headers":[["Content-Type","\#(type)"]]}}"#
            try expectEqual(served.control("POST", "/faults", #"{"effect":\#(effect)}"#).status, 201)
            for target in ["/omnichat/api/v1/models", "/@main/omnichat/nowhere"] {
                for use in uses {
                    let answer = try ask(served.hub, "GET", target, Self.said("same-origin", "navigate", use))
                    expectEqual(answer["Content-Security-Policy"], Self.sandbox, "\(type) as \(use)")
                    expectEqual(answer["X-Content-Type-Options"], "nosniff")
                }
                let old = try ask(served.hub, "GET", target, ["Accept: text/html,*/*;q=0.8"])
                expectEqual(old["Content-Security-Policy"], Self.sandbox, "\(type)")
                let app = try ask(served.hub, "GET", target, ["Accept: */*"])
                let isActive = !["application/json", "text/plain", "image/png", "application/octet-stream"].contains(
                    type
                )
                expectEqual(app["Content-Security-Policy"], isActive ? Self.sandbox : nil, "\(type)")
            }
            // The port of the API sends what the API sends.
            let own = try ask(served.api, "GET", "/api/v1/models", Self.said("none", "navigate", "document"))
            expectNil(own["Content-Security-Policy"])
            expectNil(own["X-Content-Type-Options"])
        }
    }

    @Test func `18 no API registers a service worker`() throws {
        let served = try Served()
        let fields = #"[["Content-Type","text/javascript"],["Service-Worker-Allowed","/"]]"#
        let script = #"{"respond":{"status":200,"text":"1","headers":\#(fields)}}"#
        _ = try served.control("POST", "/faults", #"{"effect":\#(script)}"#)
        for fields in [["Service-Worker: script"], Self.said("same-origin", "same-origin", "serviceworker")] {
            for (port, target) in [(served.api, "/sw.js"), (served.hub, "/omnichat/sw.js")] {
                let answer = try ask(port, "GET", target, fields)
                expectEqual(answer.status, 403)
                expectNil(answer["Service-Worker-Allowed"])
            }
        }
        try expectEqual(ask(served.api, "GET", "/sw.js", []).status, 200)
    }
}
