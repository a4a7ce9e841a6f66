import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 4: an exported world can be imported, however far its counters are.
@Suite(.serialized) struct OverrunTests {
    private static let apis = Checkout.apis
    private static let most: Int64 = 1 << 53

    private func put(_ document: JSON, _ served: Served) throws -> WireAnswer {
        try Wire(port: served.hub).ask("PUT", "/__admin/state", body: document.serialized())
    }

    /// The document with every counter at the most that a document may bring, as far as that is taken.
    private func atMost(_ served: Served) throws -> JSON {
        let document = try served.control("GET", "/state").json
        var left = ImportPlaces(document).numbers.filter { path in
            // Ends of tokens would leave nobody signed in.
            path[0] != .key("journal") && ![.key("issuedUpTo"), .key("upTo")].contains(path.last)
        }
        while true {
            var changed = document
            for path in left { changed = changed.putting(.integer(Self.most), at: path[...]) }
            let answer = try put(changed, served)
            guard answer.status != 200 else { return changed }
            let faults = (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
            let before = left.count
            left.removeAll { path in
                let text = path.formattedJSONPath
                return faults.contains { $0.hasPrefix(text) || text.hasPrefix($0 + ".") || text.hasPrefix($0 + "[") }
            }
            if left.count == before {
                let rows = faults.compactMap { fault in fault.lastIndex(of: "]").map { String(fault[...$0]) } }
                left.removeAll { path in rows.contains { path.formattedJSONPath.hasPrefix($0) } }
            }
            try #require(left.count < before, "\(answer.text.prefix(300))")
        }
    }

    /// The numbers of a document that are beyond what another document may bring.
    private func beyond(_ document: JSON) -> Int {
        ImportPlaces(document).numbers.count { (document.value(at: $0)?.intValue ?? 0) > Self.most }
    }

    @Test(arguments: apis)
    func `4 a world whose counters count on from 2^53 is exported, imported and used again`(api: String) throws {
        let served = try Served(Served.frozen + ["--api", api])
        try ImportWalk(api, hub: served.hub).useEverything()
        for (path, body) in [
            ("/faults", #"{"match":{"path":"/none"},"effect":{"status":500}}"#),
            ("/gates", #"{"name":"g","match":{"path":"/held"}}"#),
        ] { _ = try served.control("POST", path, body) }
        _ = try served.control("PUT", "/latency", #"{"delay":{"uniform":[0,0]}}"#)
        _ = try Wire(port: served.hub).ask("GET", "/\(api)/nowhere")
        _ = try atMost(served)
        for round in 0..<2 {
            let walk = try ImportWalk(api, hub: served.hub)
            try walk.useEverything()
            #expect(walk.problems.isEmpty, "\(walk.problems.prefix(5))")
            let text = try served.control("GET", "/state").text
            let document = try JSONReader.read(text: text, options: JSONReader.Options(maxDepth: 600))
            #expect(beyond(document) > 0 && document["overrun"] == true, "round \(round)")
            try expectEqual(put(document, served).status, 200, "round \(round)")
            try expectEqual(unnoted(served.control("GET", "/state").text), unnoted(text))
            // Without the word it is a document like any other.
            let refused = try put(document.putting(nil, at: ["overrun"]), served)
            expectEqual(refused.status, 422)
            #expect(refused.text.contains("must be from 0 to 2^53"), "\(refused.text.prefix(200))")
        }
    }

    @Test func `4 a document that says so may bring up to 2^54, and one that need not does not say so`() throws {
        let served = try Served(Served.frozen + ["--api", "carbscan"])
        try ImportWalk("carbscan", hub: served.hub).useEverything()
        let document = try served.control("GET", "/state").json
        expectNil(document["overrun"])
        for path in [["apis", "carbscan", "lastToken"], ["lastSeq"], ["posted"]] as [[JSONPathElement]] {
            func answer(_ number: Int64, _ word: JSON) throws -> WireAnswer {
                guard case .object(var object) = document.putting(.integer(number), at: path[...]) else {
                    throw TestError(description: "no document")
                }
                object.append("overrun", word)
                return try put(.object(object), served)
            }
            try expectEqual(answer(1 << 54, true).status, 200)
            try expectEqual(answer((1 << 54) + 1, true).status, 422)
            try expectEqual(answer(Self.most, false).status, 200)
            try expectEqual(answer(Self.most + 1, false).status, 422)
            let odd = try answer(0, 1).json["errors"]?.arrayValue ?? []
            #expect(odd.contains { $0["path"] == "$.overrun" })
        }
    }

    @Test func `4 such a world is there again after a kill, and goes on`() throws {
        let folder = try Folder()
        let flags = Served.frozen + ["--api", "carbscan", "--state", folder.url.path]
        var served = try Served(flags)
        try ImportWalk("carbscan", hub: served.hub).useEverything()
        guard case .object(var object) = try atMost(served) else { throw TestError(description: "no document") }
        for name in ["lastSeq", "posted", "requests"] { object[name] = .integer(1 << 54) }
        object.append("overrun", true)
        try expectEqual(put(.object(object), served).status, 200)
        try ImportWalk("carbscan", hub: served.hub).useEverything()
        let before = try served.control("GET", "/state").text
        served.child.signal(SIGKILL)
        _ = try served.child.waitForExit()
        served = try Served(flags)
        try expectEqual(served.control("GET", "/state").text, before)
        try ImportWalk("carbscan", hub: served.hub).useEverything()
        #expect(served.child.isRunning)
    }

    @Test func `4 draws of latency at their most, in a document of before each API counted its own`() throws {
        let served = try Served()
        _ = try served.control("PUT", "/latency", #"{"delay":{"uniform":[0,0]}}"#)
        let document = try served.control("GET", "/state").json
        guard case .object(var latency)? = document["latency"] else {
            throw TestError(description: "no latency")
        }
        latency["drawsByAPI"] = nil
        for draws in [Self.most, Self.most - 3] {
            latency["draws"] = .integer(draws)
            try expectEqual(put(document.putting(.object(latency), at: ["latency"]), served).status, 200)
            // All five have as many; their sum is no more than a document may bring.
            let exported = try served.control("GET", "/state").json
            expectEqual(exported["latency"]?["draws"]?.intValue, Self.most)
            expectEqual(exported["latency"]?["drawsByAPI"]?.arrayValue?.count, 5)
            try expectEqual(put(exported, served).status, 200)
            for api in Self.apis { _ = try Wire(port: served.hub).ask("GET", "/\(api)/nowhere") }
            let used = try served.control("GET", "/state").json
            let lines = used["latency"]?["drawsByAPI"]?.arrayValue ?? []
            #expect(lines.allSatisfy { $0["value"]?.intValue == draws + 1 }, "\(lines)")
            try expectEqual(put(used, served).status, 200)
            try expectEqual(unnoted(served.control("GET", "/state").text), used.putting(nil, at: ["notes"]))
        }
        latency["draws"] = .integer(Self.most + 1)
        try expectEqual(put(document.putting(.object(latency), at: ["latency"]), served).status, 422)
    }

    @Test func `17 a world that nobody has used is spelled beside the loop, and is whole`() throws {
        var isBeside = false
        var document = JSON.null
        // A machine that does other things may let the test sleep just between the two.
        for _ in 0..<5 where !isBeside {
            let served = try Served()
            let export = try Wire(port: served.hub)
            let other = try Wire(port: served.hub)
            try export.send(Wire.request("GET", "/__admin/state"))
            try expectEqual(other.ask("GET", "/__admin/health").status, 200)
            // On the loop it would have come before the answer to the call behind it.
            isBeside = (try? export.wait(for: "HTTP/1.1", within: 0)) == nil
            document = try export.answer().json
            try expectEqual(served.control("GET", "/state").json, document)
        }
        #expect(isBeside)
        let second = try Served()
        for api in Self.apis {
            let state = document["apis"]?[api]
            expectEqual((state?["users"] ?? state?["accounts"])?.arrayValue?.isEmpty, false, "\(api)")
        }
        try expectEqual(put(document, second).status, 200)
        try expectEqual(unnoted(second.control("GET", "/state").text), document.putting(nil, at: ["notes"]))
        let first = try Served()
        for (place, script) in OneResetTests.Script.all.enumerated() {
            let (was, now) = (try script.play(first), try script.play(second))
            expectEqual(now, was, "\(place)")
        }
    }
}
