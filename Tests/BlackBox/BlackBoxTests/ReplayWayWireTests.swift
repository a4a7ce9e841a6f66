import Foundation
import JSON
import TestSupport
import Testing

/// Console contract, section 9, over sockets: a replay comes by the way of its request, so that links are the same.
@Suite(.serialized) struct ReplayWayWireTests {
    private static let apis =
        Checkout.root.appendingPathComponent("Examples/apis").path
    private static let shop = Served.frozen + ["--apis", apis, "--api", "shop"]

    /// One way to the products of the example shop; `PORT` stands for the port that it goes to.
    private struct Way {
        var target: String
        /// Nil for a request of HTTP/1.0 without the field.
        var host: String? = "127.0.0.1:PORT"
        var names: String?
        var isThroughHub = false
        var world = "f"
        /// The beginning of the links in the answer.
        var links: String

        func bytes(_ port: Int) -> [UInt8] {
            var head = "GET \(target) HTTP/1.\(host == nil ? 0 : 1)\r\n"
            if let host { head += "Host: \(host)\r\n" }
            if let names { head += "x-Understudy-World: \(names)\r\n" }
            return Array((head + "Accept: */*\r\n\r\n").replacingOccurrences(of: "PORT", with: "\(port)").utf8)
        }
    }

    private static let ways = [
        Way(target: "/v1/products", world: "main", links: "http://127.0.0.1:PORT/v1"),
        Way(target: "/@main/v1/products", world: "main", links: "http://127.0.0.1:PORT/@main/v1"),
        Way(
            target: "/@main/shop/v1/products",
            isThroughHub: true,
            world: "main",
            links: "http://127.0.0.1:PORT/@main/shop/v1"
        ),
        Way(target: "/shop/v1/products", isThroughHub: true, world: "main", links: "http://127.0.0.1:PORT/shop/v1"),
        // The hub's port is not in the field.
        Way(
            target: "/shop/v1/products",
            host: "localhost",
            isThroughHub: true,
            world: "main",
            links: "http://localhost/shop/v1"
        ),
        Way(
            target: "/@f/v1/products",
            host: "f.localhost:PORT",
            names: "f",
            links: "http://f.localhost:PORT/@f/v1"
        ),
        Way(target: "/v1/products", names: "f", links: "http://127.0.0.1:PORT/v1"),
        Way(target: "/v1/products", host: "f.localhost", links: "http://f.localhost/v1"),
        Way(target: "/v1/products", host: "F.localhost.:PORT", links: "http://F.localhost.:PORT/v1"),
        Way(target: "http://f.localhost:PORT/v1/products", host: "x", links: "http://f.localhost:PORT/v1"),
        Way(
            target: "http://127.0.0.1:9/@f/shop/v1/products",
            host: "x.localhost",
            isThroughHub: true,
            links: "http://127.0.0.1:9/@f/shop/v1"
        ),
        Way(target: "/v1/products", host: nil, world: "main", links: "http://localhost/v1"),
    ]

    private static func port(_ served: Served, _ api: String = "shop") throws -> Int {
        try #require(served.ready["apis"]?[api]?.stringValue?.split(separator: ":").last.flatMap { Int($0) })
    }

    private static func newest(_ served: Served, _ world: String) throws -> JSON {
        try #require(try served.control("GET", "/requests?limit=1", world: world).json["items"]?[0])
    }

    /// Sends the newest request again, and expects the same answer to the same request.
    private static func repeatNewest(_ served: Served, _ world: String, _ what: String) throws {
        let former = try newest(served, world)
        let id = try #require(former["id"]?.stringValue)
        let answer = try served.control("POST", "/requests/\(id)/replay", "{}", world: world)
        expectEqual(answer.json["same"], true, "\(what): \(answer.text)")
        let later = try newest(served, world)
        expectEqual(later["replayOf"], former["id"], "\(what)")
        expectEqual(later["headers"], former["headers"], "\(what)")
    }

    @Test func `9 a replay has the prefix, the host, the target's form and the header of its request`() throws {
        let served = try Served(Self.shop)
        _ = try served.control("POST", "/worlds", #"{"name":"f"}"#)
        for way in Self.ways {
            let port = way.isThroughHub ? served.hub : try Self.port(served)
            let wire = try Wire(port: port)
            try wire.send(way.bytes(port))
            let next = try wire.answer().json["next"]?.stringValue ?? ""
            #expect(next.hasPrefix(way.links.replacingOccurrences(of: "PORT", with: "\(port)")), "\(way): \(next)")
            try Self.repeatNewest(served, way.world, "\(way)")
            // A replay is a request that can be sent again, too.
            try Self.repeatNewest(served, way.world, "again \(way)")
        }
    }

    @Test(arguments: ["on", "required"])
    func `9 a replay of a request that came over TLS counts as one, a plain one as plain`(mode: String) throws {
        let secure = try SecureServed(["--tls", mode, "--apis", Self.apis, "--api", "shop"])
        let port = try secure.port(of: "shop")
        func control(_ path: String, _ more: [String] = []) throws -> JSON {
            let answer = try #require(try secure.curl("127.0.0.1", "/__admin" + path, more))
            return try JSONReader.read(text: answer.output)
        }
        func replay(_ id: String) throws -> JSON {
            try control("/requests/\(id)/replay", ["-d", "{}", "-H", "Content-Type: application/json"])
        }
        _ = try secure.curl("localhost", "/v1/products", port: port)
        var id = try #require(try control("/requests?limit=1")["items"]?[0]?["id"]?.stringValue)
        for _ in 0..<2 {
            let answer = try replay(id)
            expectEqual(answer["same"], true, "\(answer.text)")
            expectEqual(answer["status"], 200, "\(answer.text)")
            id = try #require(answer["id"]?.stringValue)
            let entry = try control("/requests/\(id)")
            expectEqual(entry["transport"], ["scheme": "https", "httpVersion": "HTTP/1.1"])
            expectEqual(entry["responseBody"]?.text.contains("https://localhost:\(port)"), true)
        }
        guard mode == "on" else { return }
        _ = try Wire(port: port).ask("GET", "/v1/products")
        id = try #require(try control("/requests?limit=1")["items"]?[0]?["id"]?.stringValue)
        try expectEqual(replay(id)["same"], true)
        try expectNil(control("/requests?limit=1")["items"]?[0]?["transport"])
    }

    @Test func `9 a replay goes the way of its request after a restart, too`() throws {
        let folder = try Folder(["none": ""])
        let flags = Self.shop + ["--state", "state"]
        do {
            let served = try Served(flags, in: folder)
            _ = try Wire(port: served.hub).ask("GET", "/@main/shop/v1/products")
            served.child.signal(SIGTERM)
            _ = try served.child.waitForExit()
        }
        try Self.repeatNewest(try Served(flags, in: folder), "main", "stored")
    }

    @Test func `9 a replay in a fork names the fork where its request named the original`() throws {
        let served = try Served(Self.shop)
        let port = try Self.port(served)
        _ = try served.control("POST", "/worlds", #"{"name":"f"}"#)
        let wire = try Wire(port: port)
        let target = "http://f.localhost:\(port)/@f/v1/products"
        try wire.send(Wire.request("GET", target, fields: ["X-Understudy-World: f"]))
        #expect(try wire.answer().json["next"] != nil)
        let id = try #require(try Self.newest(served, "f")["id"]?.stringValue)
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"f"}"#)
        let answer = try served.control("POST", "/requests/\(id)/replay", "{}", world: "fork")
        expectEqual(answer.json["status"], 200, "\(answer.text)")
        let later = try Self.newest(served, "fork")
        expectEqual(later["replayOf"]?.stringValue, id)
        let links = later["responseBody"]?.text ?? ""
        #expect(links.contains("http://fork.localhost:\(port)/@fork/v1/products"), "\(links)")
    }

    @Test func `9 a replay where every request has to name its world is led by the credential, as its request was`()
        throws
    {
        let served = try Served(Served.frozen + ["--world-required"])
        func token(_ kind: String = "access") throws -> String {
            let order = #"{"api":"trafikskola","user":"anna@example.com","kind":"\#(kind)"}"#
            return try #require(try served.control("POST", "/tokens", order, world: "main").json["token"]?.stringValue)
        }
        let port = try Self.port(served, "trafikskola")
        let profile = try Wire(port: port).ask("GET", "/api/mobile/student/profile", token: try token())
        let link = try #require(profile.json["data"]?["profileImageUrl"]?.stringValue)
        // Trafikskola contract, 2.1: pictures are fetched without a token.
        expectEqual(link, "http://127.0.0.1/@main/avatars/usr_123.jpg")
        try expectEqual(Wire(port: port).ask("GET", String(link.dropFirst("http://127.0.0.1".count))).status, 200)
        let items = try served.control("GET", "/requests", world: "main").json["items"]?.arrayValue ?? []
        let id = try #require(items.last?["id"]?.stringValue)
        let answer = try served.control("POST", "/requests/\(id)/replay?api=trafikskola", "{}", world: "main")
        expectEqual(answer.json["same"], true, "\(answer.text)")
        // In a fork the token leads to the original, so that the path names the fork.
        _ = try served.control("POST", "/worlds", #"{"name":"fork","from":"main"}"#, world: "main")
        for (choice, status) in [("same", 401), ("fresh", 200)] {
            let order = #"{"token":"\#(choice)"}"#
            let other = try served.control("POST", "/requests/\(id)/replay?api=trafikskola", order, world: "fork")
            expectEqual(other.json["status"]?.intValue, Int64(status), "\(choice): \(other.text)")
        }
    }
}
