import Backend
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Control

/// Console contract, section 6: switches, order and changes of faults and gates, and answers that are written out.
@Suite struct ConsoleFaultTests {
    private let path = "/api/v1/models"

    private func faults(_ harness: Harness) throws -> [String] {
        try harness.call(.get, "/faults").items.map { $0.string("id") }
    }

    @Test func `console 6 a fault says whether it is on, and where it comes from, after its hits`() throws {
        let harness = try Harness()
        let made = try harness.call(.post, "/faults", #"{"effect":{"status":503}}"#)
        expectEqual(made.status, 201)
        expectEqual(made.json.keys, ["id", "match", "phase", "effect", "hits", "enabled", "source"])
        expectEqual(made.json["enabled"], true)
        expectEqual(made.json.string("source"), "call")
        let off = try harness.call(.post, "/faults", #"{"effect":{"status":500},"enabled":false}"#)
        expectEqual(off.json["enabled"], false)
        let list = try harness.call(.get, "/faults")
        expectEqual(list.json.keys, ["items", "enabled"])
        expectEqual(list.json["enabled"], true)
        expectEqual(list["X-Total-Count"], "2")
    }

    @Test func `console 6 a fault that is off never acts and uses up nothing, and the entry says why`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"when":{"times":1},"effect":{"status":503}}"#)
        let off = try harness.call(.patch, "/faults/flt_1", #"{"enabled":false}"#)
        expectEqual(off.status, 200)
        expectEqual(off.json["enabled"], false)
        try expectEqual(harness.chat(.get, path).status, 404)
        let entry = try harness.call(.get, "/requests").items[0]
        expectEqual(entry["decisions"]?[0]?.string("reason"), "disabled")
        expectEqual(entry["decisions"]?[0]?["acted"], false)
        expectNil(entry["fault"])
        try expectEqual(harness.call(.get, "/faults/flt_1").json["hits"], 0)
        _ = try harness.call(.patch, "/faults/flt_1", #"{"enabled":null}"#)
        try expectEqual(harness.chat(.get, path).status, 503)
        try expectEqual(harness.chat(.get, path).status, 404, "used up")
    }

    @Test func `console 6 the switch of all faults leaves each its own, and a reset sets it`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"effect":{"status":503}}"#)
        _ = try harness.call(.post, "/faults", #"{"effect":{"status":500},"enabled":false}"#)
        try expectEqual(harness.call(.put, "/faults", #"{"enabled":false}"#).text, #"{"enabled":false}"#)
        try expectEqual(harness.chat(.get, path).status, 404)
        let list = try harness.call(.get, "/faults").json
        expectEqual(list["enabled"], false)
        expectEqual(list["items"]?.arrayValue?.map { $0["enabled"] }, [true, false])
        _ = try harness.call(.post, "/snapshots", #"{"name":"off"}"#)
        let document = try harness.call(.get, "/state").text
        try expectEqual(harness.call(.put, "/faults", #"{"enabled":true}"#).json["enabled"], true)
        try expectEqual(harness.chat(.get, path).status, 503)
        _ = try harness.call(.post, "/snapshots/off/restore")
        try expectEqual(harness.call(.get, "/faults").json["enabled"], false)
        _ = try harness.call(.post, "/worlds", #"{"name":"copy","from":"main"}"#)
        try expectEqual(harness.call(.get, "/faults", world: "copy").json["enabled"], false)
        _ = try harness.call(.post, "/reset")
        try expectEqual(harness.call(.get, "/faults").json["enabled"], true)
        try expectEqual(harness.call(.put, "/state", document).status, 200)
        let imported = try harness.call(.get, "/faults").json
        expectEqual(imported["enabled"], false)
        expectEqual(imported["items"]?.arrayValue?.map { $0["enabled"] }, [true, false])
        for body in ["{}", #"{"enabled":1}"#, #"{"enabled":true,"x":1}"#] {
            try expectEqual(harness.call(.put, "/faults", body).status, 422, "\(body)")
        }
    }

    @Test func `console 6 a change takes the place of a member as a whole, and match or when count anew`() throws {
        let harness = try Harness()
        let order = #"{"name":"a","match":{"path":"/api/**","method":"GET"},"when":{"skip":1},"effect":{"status":503}}"#
        _ = try harness.call(.post, "/faults", order)
        for _ in 0..<3 { _ = try harness.chat(.get, path) }
        let renamed = try harness.call(.patch, "/faults/flt_1", #"{"name":"b","effect":{"status":500}}"#)
        expectEqual(renamed.json["hits"], 2)
        expectEqual(renamed.json["effect"]?.text, #"{"status":500}"#)
        expectEqual(renamed.json["match"]?.text, #"{"method":"GET","path":"/api/**"}"#)
        let matched = try harness.call(.patch, "/faults/flt_1", #"{"match":{"path":"/x"},"name":null}"#)
        expectEqual(matched.json["hits"], 0)
        expectEqual(matched.json["match"]?.text, #"{"path":"/x"}"#)
        expectNil(matched.json["name"])
        let always = try harness.call(.patch, "/faults/flt_1", #"{"when":null,"match":null}"#)
        expectNil(always.json["when"])
        try expectEqual(harness.chat(.get, path).status, 500)
        for body in [
            "{}", #"{"effect":null}"#, #"{"effect":{"statsu":1}}"#, #"{"position":2}"#, #"{"position":0}"#,
            #"{"enabled":"on"}"#, #"{"hits":3}"#, #"{"phase":"during"}"#,
        ] {
            try expectEqual(harness.call(.patch, "/faults/flt_1", body).status, 422, "\(body)")
        }
        try expectEqual(harness.call(.patch, "/faults/flt_9", #"{"enabled":true}"#).status, 404)
        try expectEqual(harness.call(.get, "/faults/flt_1").json["effect"]?.text, #"{"status":500}"#)
    }

    @Test func `console 6 a new match is warned of as in POST, another change is not`() throws {
        let harness = try Harness()
        _ = try harness.call(.post, "/faults", #"{"match":{"path":"/api/v1/conversations"},"effect":{"status":503}}"#)
        _ = try harness.call(.post, "/gates", #"{"name":"g","match":{"path":"/api/v1/conversations"}}"#)
        for path in ["/faults/flt_1", "/gates/g"] {
            let wrong = try harness.call(.patch, path, #"{"match":{"path":"/api/v1/conversation"}}"#).json
            expectEqual(wrong["warnings"]?[0]?.string("path"), "$.match.path", "\(wrong.text)")
            expectEqual(wrong["warnings"]?[0]?.string("reason").contains("nearest: /api/v1/conversations"), true)
            try expectNil(harness.call(.patch, path, #"{"enabled":false}"#).json["warnings"])
            try expectNil(harness.call(.patch, path, #"{"match":{"path":"/api/v1/conversations"}}"#).json["warnings"])
        }
    }

    @Test(arguments: 1...4) func `console 6 faults move in the order, and the first that acts wins`(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        let harness = try Harness()
        var model: [(id: String, status: Int, isOn: Bool)] = []
        for number in 1...6 {
            _ = try harness.call(.post, "/faults", #"{"effect":{"status":\#(500 + number)}}"#)
            model.append(("flt_\(number)", 500 + number, true))
        }
        for _ in 0..<60 {
            let place = random.below(model.count)
            if random.below(3) == 0 {
                model[place].isOn.toggle()
                let body = #"{"enabled":\#(model[place].isOn)}"#
                _ = try harness.call(.patch, "/faults/\(model[place].id)", body)
            } else {
                let target = random.below(model.count)
                let moved = model.remove(at: place)
                model.insert(moved, at: target)
                _ = try harness.call(.patch, "/faults/\(moved.id)", #"{"position":\#(target + 1)}"#)
            }
            try expectEqual(faults(harness), model.map(\.id), "seed \(seed)")
            let expected = model.first(where: \.isOn)?.status ?? 404
            try expectEqual(harness.chat(.get, path).status, expected, "seed \(seed)")
        }
    }

    // MARK: Answers that are written out

    @Test func `console 6 respond is exactly that answer, before the endpoint or after it`() throws {
        let harness = try Harness()
        let effect = #"{"respond":{"status":201,"headers":[["X-A","b"],["x-a","c"]],"body":{"a":[1,null]}}}"#
        let made = try harness.call(.post, "/faults", #"{"effect":\#(effect)}"#)
        expectEqual(made.status, 201, "\(made.text)")
        expectEqual(made.json.string("phase"), "before")
        expectEqual(made.json["effect"]?.text, effect)
        let answer = try harness.chat(.get, "/anything")
        expectEqual(answer.status, 201)
        expectEqual(answer.text, #"{"a":[1,null]}"#)
        expectEqual(answer.fields.values("X-A"), ["b", "c"])
        expectEqual(answer.fields[.contentType], "application/json")
        for (content, type, text) in [
            (#""text":"é""#, "text/plain; charset=utf-8", "é"), (#""base64":"QUI=""#, "application/octet-stream", "AB"),
            (#""body":null"#, "application/json", "null"),
            (#""text":"x","headers":[["content-type","text/x"]]"#, "text/x", "x"),
        ] {
            _ = try harness.call(.patch, "/faults/flt_1", #"{"effect":{"respond":{"status":200,\#(content)}}}"#)
            let answer = try harness.chat(.get, "/anything")
            expectEqual(answer.text, text, "\(content)")
            expectEqual(answer.fields[.contentType], type, "\(content)")
        }
        _ = try harness.call(.patch, "/faults/flt_1", #"{"effect":{"respond":{"status":204}}}"#)
        let empty = try harness.chat(.get, "/anything")
        #expect(empty.status == 204 && empty.text.isEmpty && empty.fields[.contentType] == nil)
    }

    @Test func `console 6 respond is checked: status, fields, content and size`() throws {
        let harness = try Harness()
        let long = String(repeating: "x", count: 1 << 20)
        for (respond, path) in [
            (#"{}"#, "status"), (#"{"status":199}"#, "status"), (#"{"status":600}"#, "status"),
            (#"{"status":204,"text":"x"}"#, "text"), (#"{"status":205,"body":{}}"#, "body"),
            (#"{"status":304,"base64":"QQ=="}"#, "base64"), (#"{"status":200,"text":"a","body":1}"#, nil),
            (#"{"status":200,"base64":"*"}"#, "base64"), (#"{"status":200,"headers":{"A":"b"}}"#, "headers"),
            (#"{"status":200,"headers":[["Content-Length","1"]]}"#, "headers[0]"),
            (#"{"status":200,"headers":[["transfer-encoding","chunked"]]}"#, "headers[0]"),
            (#"{"status":200,"headers":[["A","b"],["Connection","close"]]}"#, "headers[1]"),
            (#"{"status":200,"headers":[["A b","c"]]}"#, "headers[0]"),
            (#"{"status":200,"headers":[["A","b\r\nC: d"]]}"#, "headers[0]"),
            (#"{"status":200,"text":"\#(long)x"}"#, "text"), (#"{"status":200,"x":1}"#, "x"),
        ] as [(String, String?)] {
            let refusal = try harness.call(.post, "/faults", #"{"effect":{"respond":\#(respond)}}"#)
            expectEqual(refusal.status, 422, "\(respond.prefix(80))")
            let wanted = "$.effect.respond" + (path.map { ".\($0)" } ?? "")
            expectEqual(refusal.json["errors"]?[0]?.string("path"), wanted, "\(refusal.text.prefix(300))")
        }
        #expect(try faults(harness).isEmpty)
        let largest = try harness.call(.post, "/faults", #"{"effect":{"respond":{"status":200,"text":"\#(long)"}}}"#)
        expectEqual(largest.status, 201)
        try expectEqual(harness.chat(.get, path).bytes.count, 1 << 20)
        let entry = try harness.call(.get, "/requests").items[0]
        expectEqual(entry["fault"]?["effect"]?.text, #"{"respond":{"status":200}}"#, "without the long content")
        let name = String(repeating: "n", count: 64 * 1_024)
        try expectEqual(
            harness.call(.post, "/faults", #"{"name":"\#(name)","effect":{"respond":{"status":200,"text":"a"}}}"#)
                .status,
            422
        )
    }

    // MARK: Gates

    @Test func `console 6 a gate that is off holds nothing new and keeps what it holds`() throws {
        let harness = try Harness()
        let made = try harness.call(.post, "/gates", #"{"name":"g1","match":{"path":"/a"}}"#)
        expectEqual(made.json.keys.prefix(6), ["name", "match", "phase", "held", "passed", "enabled"])
        try expectEqual(harness.chat(.get, "/a").ending, .held)
        let off = try harness.call(.patch, "/gates/g1", #"{"enabled":false}"#)
        expectEqual(off.status, 200)
        expectEqual(off.json["enabled"], false)
        try expectEqual(harness.chat(.get, "/a").status, 404)
        let changed = try harness.call(.patch, "/gates/g1", #"{"enabled":null,"match":{"path":"/b"},"phase":"after"}"#)
        expectEqual(changed.json["match"]?.text, #"{"path":"/b"}"#)
        expectEqual(changed.json.string("phase"), "after")
        expectEqual(changed.json["enabled"], true)
        try expectEqual(harness.chat(.get, "/b").ending, .held)
        try expectEqual(harness.call(.get, "/gates").items[0]["enabled"], true)
        try expectEqual(harness.call(.post, "/gates", #"{"name":"g2","enabled":false}"#).json["enabled"], false)
        for body in ["{}", #"{"name":"x"}"#, #"{"phase":"during"}"#, #"{"enabled":1}"#] {
            try expectEqual(harness.call(.patch, "/gates/g1", body).status, 422, "\(body)")
        }
        try expectEqual(harness.call(.patch, "/gates/g9", #"{"enabled":true}"#).status, 404)
    }
}
