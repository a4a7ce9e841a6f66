import CivilTime
import ForwardProxy
import HTTPMessage
import TestSupport
import Testing

@testable import Transport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Proxy contract, sections 5, 6 and 10: tunnels to other hosts, in virtual time.
@Suite struct TunnelTests {
    /// The first bytes of TLS, and some more.
    private static let greeting: [UInt8] = [0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0]
    private static let established = "HTTP/1.1 200 Connection established\r\n\r\n"

    /// A server with one listener, which is the forward proxy's, and a client that wants a tunnel to a host of the test's.
    private final class Proxied {
        let harness: Harness
        let client: Client
        private let listener: OwnedDescriptor
        /// The host's end.
        private(set) var far: Client?
        var failures: [UpstreamFailure] = []

        /// `asks` has the host be a company's proxy that is asked for another one.
        init(_ kind: PollerKind, asks: String? = nil) throws {
            harness = try Harness(kind)
            var address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
            listener = OwnedDescriptor(try Socket.openStream(family: address.family).get())
            let number = listener.number
            let bound = address.withPointer { bind(number, $0, $1) }
            #expect(bound == 0 && listen(number, 4) == 0)
            var found = SocketAddress()
            let named = found.fill { getsockname(number, $0, $1) }
            expectEqual(named, 0)
            let proxy = try asks == nil ? nil : CompanyProxy("http://u:p@127.0.0.1:\(found.port)")
            let (host, port) = asks.map { ($0, 443) } ?? ("127.0.0.1", found.port)
            harness.server.proxyListener = 0
            client = try harness.liveClient()
            harness.application.onRoute = { [unowned self] _ in
                .connect(
                    ProxyDestination(
                        host: host,
                        port: port,
                        rule: AddressRule(allowsLoopback: true, ownPorts: [], reach: .internet(allowsPrivate: true)),
                        proxy: proxy,
                        opened: {},
                        failed: { failure in
                            self.failures.append(failure)
                            var answer = PlayableResponse.text("failed")
                            answer.response.status = Status(502)
                            return answer
                        },
                        refused: { Array("refused".utf8) }
                    )
                )
            }
            client.send("CONNECT a.example:443 HTTP/1.1\r\nHost: a\r\n\r\n")
            let isThere = harness.turn {
                guard case .success(let taken) = Self.accept(number) else { return false }
                far = Client(OwnedDescriptor(taken))
                _ = fcntl(taken, F_SETFL, fcntl(taken, F_GETFL) | O_NONBLOCK)
                return true
            }
            #expect(isThere)
        }

        private static func accept(_ number: Int32) -> Result<Int32, Errno> {
            #if canImport(Glibc)
            let taken = Glibc.accept(number, nil, nil)
            #else
            let taken = Darwin.accept(number, nil, nil)
            #endif
            return taken < 0 ? .failure(.current) : .success(taken)
        }

        /// Opens the tunnel and sends the client's first bytes through it.
        func greet() throws -> Client {
            let far = try #require(far)
            harness.expect(client, toEndWith: TunnelTests.established)
            client.send(TunnelTests.greeting)
            let hasCome = harness.turn {
                far.receive()
                return far.received == TunnelTests.greeting
            }
            #expect(hasCome)
            far.forget()
            client.forget()
            return far
        }

        var tunnel: Tunnel? { harness.server.tunnels.values.first }
    }

    @Test(arguments: PollerKind.allCases)
    func `10 a tunnel ends 300 seconds after the last byte, in either direction`(_ kind: PollerKind) throws {
        let proxied = try Proxied(kind)
        let far = try proxied.greet()
        let (harness, client) = (proxied.harness, proxied.client)
        harness.advance(.seconds(299))
        #expect(client.isOpen && far.isOpen)
        far.send("a")
        harness.expect(client, toEndWith: "a")
        harness.advance(.seconds(299))
        #expect(client.isOpen && far.isOpen)
        client.send("b")
        harness.expect(far, toEndWith: "b")
        harness.advance(.milliseconds(299_999))
        #expect(client.isOpen && far.isOpen)
        harness.advance(.milliseconds(1))
        let isOver = harness.turn { !client.isOpen && !far.isOpen }
        #expect(isOver)
        expectEqual(harness.server.tunnels.count, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `10 256 KiB are on their way in each direction, then reading stops`(_ kind: PollerKind) throws {
        for isFromFar in [true, false] {
            let proxied = try Proxied(kind)
            let far = try proxied.greet()
            let (source, sink) = isFromFar ? (far, proxied.client) : (proxied.client, far)
            let piece = (0..<65_536).map { UInt8(truncatingIfNeeded: $0 % 251) }
            var sent = 0
            // Until nothing moves: the buffers of the system are full on both sides.
            var idle = 0
            while idle < 50 {
                let took = source.send(Array(piece[(sent % 251)...]))
                sent += took
                idle = took == 0 ? idle + 1 : 0
                proxied.harness.server.turn(atMost: took == 0 ? .milliseconds(1) : .zero)
                let tunnel = try #require(proxied.tunnel)
                #expect(max(tunnel.fromFar.waiting, tunnel.fromNear.waiting) <= 256 * 1_024)
            }
            let tunnel = try #require(proxied.tunnel)
            expectEqual((isFromFar ? tunnel.fromFar : tunnel.fromNear).waiting, 256 * 1_024)
            // Nothing is lost, and nobody else waited: what is taken makes room.
            let isWhole = proxied.harness.turn {
                sink.receive()
                return sink.received.count >= sent
            }
            #expect(isWhole)
            expectEqual(sink.received.count, sent)
            #expect(sink.received.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: $0 % 251) })
        }
    }

    @Test(arguments: PollerKind.allCases)
    func `10 what is not connected within 10 seconds is told, and not before`(_ kind: PollerKind) throws {
        let proxied = try Proxied(kind, asks: "slow.example")
        let far = try #require(proxied.far)
        let request =
            "CONNECT slow.example:443 HTTP/1.1\r\nHost: slow.example:443\r\nProxy-Authorization: Basic dTpw\r\n\r\n"
        proxied.harness.expect(far, toEndWith: request)
        expectEqual(far.text, request)
        far.send("HTTP/1.1 200 ")
        proxied.harness.advance(.milliseconds(9_999))
        expectEqual(proxied.failures.count, 0)
        #expect(proxied.client.text.isEmpty)
        proxied.harness.advance(.milliseconds(1))
        proxied.harness.expect(proxied.client, toEndWith: "failed")
        expectEqual(proxied.failures.map(\.reason), [.time])
        let detail = proxied.failures.first?.detail ?? ""
        #expect(detail.contains("the proxy http://127.0.0.1:") && detail.hasSuffix("within 10 s"), "\(detail)")
        let isOver = proxied.harness.turn { !far.isOpen }
        #expect(isOver)
        expectEqual(proxied.harness.server.tunnels.count, 0)
    }

    @Test(arguments: PollerKind.allCases)
    func `6 the answer of a company's proxy may come in pieces, with bytes behind it`(_ kind: PollerKind) throws {
        let proxied = try Proxied(kind, asks: "a.example")
        let far = try #require(proxied.far)
        for byte in "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nVia: x\r\n\r\nearly".utf8 {
            far.send([byte])
            proxied.harness.settle()
        }
        // The host speaks second.
        proxied.client.send(Self.greeting)
        proxied.harness.expect(proxied.client, toEndWith: "early")
        expectEqual(proxied.client.text, Self.established + "early")
        proxied.harness.expect(far, toEndWith: String(decoding: Self.greeting, as: UTF8.self))
    }

    @Test(arguments: PollerKind.allCases)
    func `6 a client that leaves takes the connection to the proxy along`(_ kind: PollerKind) throws {
        let proxied = try Proxied(kind, asks: "a.example")
        let far = try #require(proxied.far)
        proxied.harness.expect(far, toEndWith: "\r\n\r\n")
        proxied.client.close()
        proxied.harness.settle()
        far.send("HTTP/1.1 200 OK\r\n\r\n")
        let isOver = proxied.harness.turn { proxied.harness.server.tunnels.isEmpty && !far.isOpen }
        #expect(isOver)
    }

    @Test func `6 numeric addresses are checked before a proxy is asked`() throws {
        let proxies = try CompanyProxies(setting: "http://p.example:1", place: "x", environment: [])
        let rule = AddressRule(allowsLoopback: false, ownPorts: [4_680], reach: .backend)
        let cases: [(origin: String, host: String, objection: String?)] = [
            ("https://a.example", "p.example", nil), ("http://192.0.2.1", "p.example", nil),
            ("http://169.254.1.1", "p.example", "link-local"), ("https://[fe80::1]", "p.example", "link-local"),
            ("http://100.100.100.200", "p.example", "metadata"), ("http://0xA9FE0101", "p.example", "link-local"),
            ("http://127.0.0.1:1", "127.0.0.1", nil), ("http://[::1]:1", "::1", nil),
            ("http://localhost", "localhost", nil),
            ("http://2130706433", "2130706433", nil), ("http://0x7f.1", "0x7f.1", nil),
        ]
        for (text, host, part) in cases {
            let route = UpstreamRoute(to: try #require(UpstreamOrigin(text)), by: proxies)
            expectEqual(route.host, host, text)
            let objection = route.objection(by: rule, own: [])
            expectEqual(objection?.reason, part == nil ? nil : .address, text)
            let detail = objection?.detail ?? ""
            if let part { #expect(detail.contains(part), "\(text): \(detail)") }
        }
        let secure = UpstreamRoute(to: try #require(UpstreamOrigin("https://[2001:db8::1]:8443")), by: proxies)
        expectEqual(secure.authority, "[2001:db8::1]:8443")
        let clear = UpstreamRoute(to: try #require(UpstreamOrigin("http://a.example")), by: proxies)
        let sent = UpstreamRequest(method: "OPTIONS", target: "*", fields: Fields(), body: [])
        expectEqual(clear.request(sent).target, "http://a.example")
        let other = UpstreamRoute(to: try #require(UpstreamOrigin("http://a.example:8080")), by: proxies)
        expectEqual(other.request(sent).target, "http://a.example:8080")
        expectEqual(secure.request(sent).target, "*")
        expectEqual(clear.refusal(of: 407), "it answered with 407, since it wants other credentials")
        for status in [200, 401, 403, 502] { expectNil(clear.refusal(of: status)) }
    }
}
