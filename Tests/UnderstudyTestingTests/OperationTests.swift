import Foundation
import TestSupport
import Testing
import UnderstudyServer

@testable import UnderstudyClient

/// Every operation of the control API has a typed call (clients' contract, section 5).
@Suite struct OperationTests {
    /// An operation without the names of its parameters.
    private static func plain(_ operation: String) -> String {
        operation.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }.joined(separator: "/")
    }

    @Test func `5 each operation of the OpenAPI document is one of the client's`() async throws {
        let document = try await UnderstudyServer.shared.get().document()
        guard case .object(let paths)? = document["paths"] else {
            Issue.record("the document has no paths")
            return
        }
        var served: Set<String> = []
        for (path, item) in paths {
            guard case .object(let members) = item else { continue }
            let methods = members.keys.filter { ["get", "put", "post", "patch", "delete"].contains($0) }
            for method in methods {
                served.insert(Self.plain("\(method.uppercased()) \(path.replacing("/__admin", with: ""))"))
            }
        }
        #expect(served.count > 60)
        let typed = Set(ControlEndpoint.allCases.map { Self.plain($0.rawValue) })
        expectEqual(served.subtracting(typed).sorted(), [])
        // The console is a page for people, which the document leaves out.
        expectEqual(typed.subtracting(served).sorted(), ["GET /console"])
    }

    @Test func `5 each operation of the client has a call that makes it`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/UnderstudyClient")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let calls = try files.filter { $0.lastPathComponent != "ControlOperation.swift" && $0.pathExtension == "swift" }
            .map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
        let words = Set(calls.matches(of: /\.([A-Za-z]+)/).map { String($0.1) })
        for operation in ControlEndpoint.allCases { #expect(words.contains("\(operation)"), "\(operation)") }
    }

    @Test func `5 the names in a path are filled in their order, and escaped`() {
        expectEqual(ControlEndpoint.getRow.path(["shop", "orders", "a/b c"]), "/state/shop/orders/a%2Fb%20c")
        expectEqual(ControlEndpoint.getClock.path([]), "/clock")
        expectEqual(ControlEndpoint.getClock.method, "GET")
    }
}
