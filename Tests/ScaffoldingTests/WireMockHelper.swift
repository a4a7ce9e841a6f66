import APIFolders
import Backend
import CivilTime
import Conditions
import CustomAPIs
import HTTPMessage
import JSON
import Scaffolding
import TestSupport
import Testing

/// An import of mappings, written as their files.
struct Imported {
    let scaffold: Scaffold

    init(_ mappings: [(name: String, text: String)], bodies: [(name: String, text: String)] = []) throws {
        var order = ScaffoldOrder()
        order.mappings = mappings.map {
            ScaffoldOrder.Source(place: "wm/mappings/\($0.name)", name: $0.name, bytes: Array($0.text.utf8))
        }
        order.bodies = bodies.map {
            ScaffoldOrder.Source(place: "wm/__files/\($0.name)", name: $0.name, bytes: Array($0.text.utf8))
        }
        scaffold = try Scaffold(order, version: "1")
    }

    init(_ mapping: String, bodies: [(name: String, text: String)] = []) throws {
        try self.init([("a.json", mapping)], bodies: bodies)
    }

    /// The stubs in the order of the files.
    var stubs: [JSON] {
        get throws {
            try scaffold.files.filter { $0.path.hasPrefix("stubs/") }.flatMap {
                try JSONReader.read($0.bytes).arrayValue ?? []
            }
        }
    }

    /// The only stub, as text.
    var stub: String {
        get throws {
            let all = try stubs
            try #require(all.count == 1)
            return all[0].text
        }
    }

    var omissions: [String] { scaffold.omissions.map(\.text) }

    /// The mistakes that `validate` finds in the files.
    var mistakes: [String] {
        let files = scaffold.files.map { CustomAPIFolder.File(name: $0.path, place: $0.path, bytes: $0.bytes) }
        return CustomAPIReader.read(CustomAPIFolder(name: "own", place: "own", files: files)).errors.map(\.text)
    }

    func text(of path: String) throws -> String {
        let file = try #require(scaffold.files.first { $0.path == path })
        return String(decoding: file.bytes, as: UTF8.self)
    }
}

/// A mapping with this request, or this response, and an ordinary other half.
func mapping(request: String = #"{"urlPath":"/a"}"#, response: String = #"{"status":200}"#, more: String = "") -> String
{
    "{\(more)\"request\":\(request),\"response\":\(response)}"
}

extension JSON {
    /// Tells whether the `match` of this stub takes a request, as a server finds it out.
    func takes(_ path: String = "/a", body: String = "") throws -> Bool {
        var check = BodyCheck(self["match"]?.objectValue ?? [:], at: "$.match")
        let matcher = Matcher(&check, apis: ["own"], scope: "own")
        expectEqual(check.items.map(\.reason), [])
        let call = Call(
            request: HTTPRequest(
                head: RequestHead(method: .post, target: RequestTarget(rawPath: path, rawQuery: nil)),
                body: RequestBody(Array(body.utf8))
            ),
            path: try #require(Path(raw: path)),
            peer: "127.0.0.1",
            now: .epoch,
            epoch: Epoch(start: .epoch),
            requestID: "r"
        )
        return matcher.matches(MatchSubject(call, api: "own", user: nil))
    }
}
