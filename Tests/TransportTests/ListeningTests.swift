import CivilTime
import HTTPMessage
import TestSupport
import Testing
import Transport

@Suite struct ListeningTests {
    @Test(arguments: PollerKind.allCases)
    func `port 0 opens one port on both families`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        try harness.server.listen(on: [.loopback(port: 0), .loopback(port: 0)])
        let first = try #require(harness.server.boundPort(0))
        let second = try #require(harness.server.boundPort(1))
        #expect(first != second && first > 0 && second > 0)
        expectNil(harness.server.boundPort(2))
        let four = try Client(host: "127.0.0.1", port: second)
        four.get("/four")
        harness.expect(four, toEndWith: "/four")
        expectEqual(harness.application.peers.last?.listener, 1)
        // A machine without IPv6 goes on with what it has.
        guard let six = try? Client(host: "::1", port: first) else { return }
        six.get("/six")
        harness.expect(six, toEndWith: "/six")
        expectEqual(harness.application.peers.last?.host, "::1")
        expectEqual(harness.application.peers.last?.listener, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `a port in use is named, and none of the listeners stays open`(_ kind: PollerKind) throws {
        let holder = try Harness(kind)
        try holder.server.listen(on: [ListenAddress(hosts: ["127.0.0.1"], port: 0)])
        let taken = try #require(holder.server.boundPort(0))
        let harness = try Harness(kind)
        let free = try freePort()
        let error = #expect(throws: BindError.self) {
            try harness.server.listen(on: [
                ListenAddress(hosts: ["127.0.0.1"], port: UInt16(free)),
                ListenAddress(hosts: ["127.0.0.1"], port: UInt16(taken)),
            ])
        }
        expectEqual(error?.portInUse, true)
        expectEqual(error?.port, taken)
        expectEqual(error?.host, "127.0.0.1")
        expectEqual(error?.description.contains("\(taken)"), true)
        expectNil(harness.server.boundPort(0))
        #expect(throws: Errno.self) { try Client(host: "127.0.0.1", port: free) }
    }

    @Test func `a name is no address`() throws {
        let harness = try Harness(.portable)
        let error = #expect(throws: BindError.self) {
            try harness.server.listen(on: [ListenAddress(hosts: ["localhost"], port: 0)])
        }
        expectEqual(error?.isInvalidHost, true)
        expectEqual(error?.portInUse, false)
    }

    @Test func `an address that is not this machine's is refused when it is the only one`() throws {
        let harness = try Harness(.portable)
        let error = #expect(throws: BindError.self) {
            try harness.server.listen(on: [ListenAddress(hosts: ["192.0.2.1"], port: 0)])
        }
        expectEqual(error?.host, "192.0.2.1")
        expectEqual(error?.portInUse, false)
    }

    @Test(arguments: PollerKind.allCases)
    func `listeners can be added later and are numbered on`(_ kind: PollerKind) throws {
        let harness = try Harness(kind)
        try harness.server.listen(on: [ListenAddress(hosts: ["127.0.0.1"], port: 0)])
        try harness.server.listen(on: [ListenAddress(hosts: ["127.0.0.1"], port: 0)])
        let client = try Client(host: "127.0.0.1", port: #require(harness.server.boundPort(1)))
        client.get("/")
        harness.expect(client, toEndWith: "/")
        expectEqual(harness.application.peers.map(\.listener), [1])
    }

    private func freePort() throws -> Int {
        let harness = try Harness(.portable)
        try harness.server.listen(on: [ListenAddress(hosts: ["127.0.0.1"], port: 0)])
        return try #require(harness.server.boundPort(0))
    }
}
