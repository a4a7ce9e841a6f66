import Certificates
import CivilTime
import Testing

@testable import Transport

/// A client of a server under test that speaks TLS.
final class SecureClient {
    let socket: Client
    let tls: TLSClient

    init(_ socket: Client, _ change: (inout TLSClient.Settings) -> Void = { _ in }) {
        self.socket = socket
        var settings = TLSClient.Settings()
        settings.root = TLSPair.authority.root
        settings.protocols = ["http/1.1"]
        change(&settings)
        tls = TLSClient(settings)
    }

    /// Passes what has come to TLS, and what TLS has to send to the socket.
    func pump() {
        socket.receive()
        let bytes = socket.received
        socket.forget()
        tls.take(bytes)
        var rest = tls.output()[...]
        rest = (unsent + rest)[...]
        unsent = []
        let count = rest.isEmpty ? 0 : socket.send(Array(rest))
        unsent = Array(rest.dropFirst(count))
    }

    private var unsent: [UInt8] = []

    func get(_ path: String) { tls.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }
}

extension Harness {
    /// A server that speaks TLS on its ports, all of which are of one API.
    convenience init(_ kind: PollerKind, securedBy tls: TLSServer, limits: ServerLimits = ServerLimits()) throws {
        try self.init(kind, limits: limits)
        // OpenSSL's clients look at the clock of the machine.
        time.wall = TimeSource.system.wall()
        server.secure(with: tls) { _ in "sawaed" }
    }

    /// A client with a handshake behind it.
    func secureClient(_ change: (inout TLSClient.Settings) -> Void = { _ in }) throws -> SecureClient {
        let client = SecureClient(try client(), change)
        #expect(turn(client) { client.tls.isConnected })
        return client
    }

    /// Turns the server and the client until the condition holds.
    func turn(_ client: SecureClient, until condition: () throws -> Bool) rethrows -> Bool {
        try turn(
            until: {
                client.pump()
                return try condition()
            }
        )
    }

    func expect(_ client: SecureClient, toEndWith text: String, _ location: SourceLocation = #_sourceLocation) {
        let matched = turn(client) { client.tls.text.hasSuffix(text) }
        #expect(matched, "got \(client.tls.text.suffix(300))", sourceLocation: location)
    }
}
