import JSON
import TestSupport
import Testing

/// Own-API contract, section 7: a redirect to a path leads to the same API, in the same world, however the client came.
@Suite(.serialized) struct RedirectPlaceTests {
    /// The path that a client asks next, as a browser resolves a `Location` (RFC 3986, section 5.2).
    private func next(_ location: String, from path: String) -> String {
        var segments: [Substring]
        if location.hasPrefix("/") {
            segments = []
        } else {
            segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().dropLast()
        }
        for part in location.split(separator: "/", omittingEmptySubsequences: false) {
            if part == ".." { segments = segments.dropLast() } else if part != "." { segments.append(part) }
        }
        return "/" + segments.filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// The mount of the one is the first segment of its own paths, too.
    @Test(arguments: ["api", "shop"])
    func `7 whoever follows a redirect arrives at the same API, by every way and in every form`(name: String) throws {
        let folder = try Folder(["apis/\(name)/api.json": #"{"tables":{}}"#])
        let served = try Served(["--api", name], in: folder)
        let port = try #require(
            served.ready["apis"]?[name]?.stringValue?.split(separator: ":").last.flatMap { Int($0) }
        )
        try expectEqual(served.control("POST", "/worlds", #"{"name":"w"}"#).status, 201)
        for world in ["main", "w"] {
            func stub(_ text: String) throws {
                let answer = try served.control("POST", "/stubs?api=\(name)", text, world: world)
                expectEqual(answer.status, 201, answer.text)
            }
            try stub(#"{"match":{"path":"/api/v1/there"},"response":{"text":"there in \#(world)"}}"#)
            for (number, location) in Self.locations(name).enumerated() {
                try stub(
                    #"{"match":{"path":"/api/v1/from/\#(number)"},"response":{"status":302,"headers":{"Location":"\#(location)"}}}"#
                )
            }
        }
        for (port, prefix, world) in [
            (port, "", "main"), (port, "/@w", "w"), (served.hub, "/\(name)", "main"), (served.hub, "/@w/\(name)", "w"),
        ] {
            for (number, location) in Self.locations(name).enumerated() {
                let from = prefix + "/api/v1/from/\(number)"
                let what = "\(location) by \(from)"
                // A place below the mount of the hub is one on the hub alone.
                if location.hasPrefix("/shop/"), port != served.hub { continue }
                let answer = try Wire(port: port).ask("GET", from)
                expectEqual(answer.status, 302, what)
                let place = try #require(answer["Location"])
                let followed = try Wire(port: port).ask("GET", next(place, from: from))
                expectEqual(followed.text, "there in \(location.hasPrefix("/@w/") ? "w" : world)", "\(what): \(place)")
            }
        }
    }

    private static func locations(_ name: String) -> [String] {
        [
            "/api/v1/there", "../there", "../../v1/there", "../../../../../api/v1/there", "/api/v1/x/../there",
            "/@w/api/v1/there",
        ]
            // Written with its mount: clear where no path of the API begins so.
            + (name == "shop" ? ["/shop/api/v1/there"] : [])
    }

    @Test func `7 what leads elsewhere is left as it is, and so is what needs nothing`() throws {
        let folder = try Folder(["apis/shop/api.json": #"{"tables":{}}"#])
        let served = try Served(["--api", "shop"], in: folder)
        for (given, found) in [
            ("https://x.test/a", "https://x.test/a"), ("//x.test/a", "//x.test/a"),
            ("mailto:a@x.test", "mailto:a@x.test"),
            ("there", "there"), ("?page=2", "?page=2"), ("#top", "#top"), ("./there", "./there"),
            ("/there?next=/shop/a#b", "/shop/there?next=/shop/a#b"), ("/", "/shop/"), ("/shop", "/shop"),
            ("/shopping", "/shop/shopping"), ("/@w", "/@w/shop"), ("/shop/there", "/shop/there"),
        ] {
            _ = try served.control("DELETE", "/faults")
            let effect = #"{"effect":{"respond":{"status":302,"headers":[["Location","\#(given)"]]}}}"#
            try expectEqual(served.control("POST", "/faults?api=shop", effect).status, 201)
            let answer = try Wire(port: served.hub).ask("GET", "/shop/a/b")
            expectEqual(answer["Location"], found, given)
        }
    }
}
