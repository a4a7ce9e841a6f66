import Conditions
import Engine
import HTTPMessage
import JSON
import Journal
import TestSupport
import Testing
import Worlds

/// Own-API contract, sections 7 and 8: the order of stubs, which the index must not change.
@Suite struct StubOrderTests {
    @Test func `7 the index finds the stub that a walk through the list finds`() throws {
        var chance = SeededGenerator.announced()
        let harness = try EngineHarness()
        let paths = [
            #""/a/b""#, #""/a/{x}""#, #""/{x}/b""#, #""/a/**""#, #""/**""#, #""/a/b*""#, #"{"regex":"/a/.*"}"#,
            #""/a""#,
            #""/{x}/{y}""#, #""/a/b/c""#,
        ]
        var ids: [String] = []
        for round in 0..<600 {
            let place = chance.below(ids.count + 1)
            switch ids.isEmpty ? 0 : chance.below(8) {
            case 0...4:
                var match = "\"path\":\(paths[chance.below(paths.count)])"
                if chance.below(2) == 0 { match += #","method":"\#(["GET", "POST"][chance.below(2)])""# }
                if chance.below(4) == 0 { match = "" }
                let stub = try harness.stub(
                    #"{"match":{\#(match)},"when":{"times":\#(1 + chance.below(3))},"response":{"text":"\#(round)"}}"#,
                    at: place
                )
                ids.insert(stub.id, at: place)
            case 5:
                let id = ids.remove(at: chance.below(ids.count))
                try expectEqual(harness.hosted("main").world.stubs.remove { $0.id == id }, 1)
            case 6:
                let id = ids.remove(at: chance.below(ids.count))
                let target = chance.below(ids.count + 1)
                _ = try harness.hosted("main").world.stubs.change(id, movedTo: target)
                ids.insert(id, at: target)
            default:
                let id = ids[chance.below(ids.count)]
                let isEnabled = chance.below(2) == 0
                _ = try harness.hosted("main").world.stubs.change(id, isEnabled: isEnabled)
            }
            try expectEqual(harness.hosted("main").world.stubs.stubs.map(\.id), ids)
            let method: HTTPMessage.HTTPMethod = [.get, .post][chance.below(2)]
            let path = ["/a", "/a/b", "/a/c", "/z/b", "/a/b/c", "/q"][chance.below(6)]
            let expected = try harness.hosted("main").world.stubs.stubs.first { stub in
                guard stub.isEnabled, stub.json["when"]?["times"]?.intValue.map({ Int64(stub.hits) < $0 }) ?? true
                else {
                    return false
                }
                let match = stub.json["match"]
                if let wanted = match?["method"]?.stringValue, wanted != method.rawValue { return false }
                if let pattern = match?["path"]?.stringValue { return PathPattern(pattern).matches(path) }
                return match?["path"] == nil || path.hasPrefix("/a/")
            }
            _ = try harness.send(method, path)
            try expectEqual(harness.journal().last?.stub, expected?.id, "\(method.rawValue) \(path)")
        }
    }
}
