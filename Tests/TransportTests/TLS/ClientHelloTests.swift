import COpenSSL
import Handshakes
import TestSupport
import Testing

@testable import Transport

/// The reader of a client's first message (RFC 8446, section 4.1.2).
@Suite struct ClientHelloTests {
    /// The bytes of a real client's first message, in one record.
    private func record(_ change: (inout TLSClient.Settings) -> Void = { _ in }) -> [UInt8] {
        var settings = TLSClient.Settings()
        change(&settings)
        let client = TLSClient(settings)
        client.take([])
        return client.output()
    }

    private func read(_ bytes: [UInt8]) -> ClientHelloReader.Reading {
        var reader = ClientHelloReader()
        return reader.received(bytes[...])
    }

    private func hello(_ bytes: [UInt8]) throws -> ClientHello {
        guard case .complete(let hello) = read(bytes) else {
            throw Mismatch()
        }
        return hello
    }

    private struct Mismatch: Error {}

    @Test func `names, protocols, versions and suites of a client are read`() throws {
        let hello = try hello(record())
        expectEqual(hello.serverName, "checkout.localhost")
        expectEqual(hello.protocols, ["h2", "http/1.1"])
        expectEqual(hello.versions, [.tls13, .tls12])
        #expect(hello.cipherSuites.contains(0x1301))
        let old = try self.hello(
            record {
                $0.host = nil
                $0.protocols = []
                $0.versions = (TLS1_2_VERSION, TLS1_2_VERSION)
            }
        )
        #expect(old.serverName == nil && old.protocols == nil)
        expectEqual(old.versions, [.tls12])
    }

    @Test func `it reads the same in any pieces, also over several records`() throws {
        let whole = record()
        let expected = try hello(whole)
        for size in [1, 2, 3, 50] {
            var reader = ClientHelloReader()
            var last = ClientHelloReader.Reading.incomplete
            for start in stride(from: 0, to: whole.count, by: size) {
                expectEqual(last, .incomplete)
                last = reader.received(whole[start..<min(start + size, whole.count)])
            }
            expectEqual(last, .complete(expected))
            expectEqual(reader.bytes, whole)
            // The message in records of that size.
            let message = Array(whole[5...])
            var records: [UInt8] = []
            for start in stride(from: 0, to: message.count, by: size) {
                let part = message[start..<min(start + size, message.count)]
                records += [22, 3, 1, UInt8(part.count >> 8), UInt8(part.count & 0xFF)] + part
            }
            try expectEqual(hello(records), expected)
        }
    }

    @Test func `a message that breaks off is incomplete, and one byte more is invalid`() throws {
        let whole = record()
        for count in 0..<whole.count { expectEqual(read(Array(whole.prefix(count))), .incomplete) }
        // Behind the message in its own record.
        var longer = whole + [0]
        let length = whole.count - 5 + 1
        longer[3] = UInt8(length >> 8)
        longer[4] = UInt8(length & 0xFF)
        expectEqual(read(longer), .invalid(.decodeError))
    }

    @Test func `a wrong first byte is told at once, in one piece, in many, and over two records`() {
        // Two records of one byte each, the second begun or whole.
        let bytes: [UInt8] = [22, 3, 0, 0, 1, 0, 22, 3, 0, 0, 1, 0]
        for count in 6...bytes.count { expectEqual(read(Array(bytes.prefix(count))), .invalid(.unexpectedMessage)) }
        expectEqual(read([22, 3, 0, 0, 1, 1, 22, 3, 0, 0, 1, 0]), .incomplete)
        var reader = ClientHelloReader()
        for byte in bytes.prefix(5) { expectEqual(reader.received([byte]), .incomplete) }
        expectEqual(reader.received([bytes[5]]), .invalid(.unexpectedMessage))
    }

    /// Returns a message with these extensions.
    private func message(_ extensions: [UInt8]) -> [UInt8] {
        let fixed = [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 0x01, 1, 0]
        return fixed + [UInt8(extensions.count >> 8), UInt8(extensions.count & 0xFF)] + extensions
    }

    private func body(_ extensions: [UInt8]) -> ClientHello? { ClientHello(body: message(extensions)[...]) }

    @Test func `a message without extensions is read`() {
        expectEqual(body([])?.versions, [.tls12])
        #expect(ClientHello(body: message([]).dropLast(2)) != nil)
        expectNil(ClientHello(body: message([]).dropLast(1)))
    }

    @Test func `an extension that is there twice is invalid`() {
        #expect(body([0, 23, 0, 0]) != nil)
        expectNil(body([0, 23, 0, 0, 0, 23, 0, 0]))
    }

    @Test(arguments: [
        ([0, 0, 0, 6, 0, 4, 0, 0, 1, 0x61], "a"), ([0, 0, 0, 5, 0, 3, 0, 0, 0], nil),
        ([0, 0, 0, 6, 0, 4, 1, 0, 1, 0x61], nil), ([0, 0, 0, 6, 0, 4, 0, 0, 1, 0x20], nil),
        ([0, 0, 0, 6, 0, 4, 0, 0, 1, 0], nil), ([0, 0, 0, 2, 0, 0], nil),
        ([0, 0, 0, 10, 0, 8, 0, 0, 1, 0x61, 0, 0, 1, 0x62], nil), ([0, 0, 0, 7, 0, 4, 0, 0, 1, 0x61, 0], nil),
    ])
    func `the server name has exactly its form`(bytes: [UInt8], name: String?) {
        expectEqual(body(bytes)?.serverName, name)
        expectEqual(body(bytes) == nil, name == nil)
    }

    @Test(arguments: [
        ([0, 16, 0, 5, 0, 3, 2, 0x68, 0x32], ["h2"]), ([0, 16, 0, 2, 0, 0], nil), ([0, 16, 0, 3, 0, 1, 0], nil),
        ([0, 16, 0, 5, 0, 3, 3, 0x68, 0x32], nil),
    ])
    func `the protocols have exactly their form`(bytes: [UInt8], protocols: [String]?) {
        expectEqual(body(bytes)?.protocols, protocols)
        expectEqual(body(bytes) == nil, protocols == nil)
    }

    @Test func `versions that only test servers are left out`() {
        expectEqual(body([0, 43, 0, 7, 6, 0x7A, 0x7A, 3, 4, 3, 3])?.versions, [.tls13, .tls12])
        expectNil(body([0, 43, 0, 4, 3, 3, 4, 3]))
        expectEqual(TLSVersion(rawValue: 0x0305).name, "0x305")
    }

    @Test func `a message of 16 KiB is read, a longer one is invalid`() {
        for (excess, isTaken) in [(0, true), (1, false)] {
            let padding = ClientHelloReader.longest - message([]).count - 4 + excess
            let extensions =
                [0, 21, UInt8(padding >> 8), UInt8(padding & 0xFF)] + [UInt8](repeating: 0, count: padding)
            let message = message(extensions)
            expectEqual(message.count, ClientHelloReader.longest + excess)
            let bytes = [1, 0, UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
            var records: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: 16_000) {
                let part = bytes[start..<min(start + 16_000, bytes.count)]
                records += [22, 3, 1, UInt8(part.count >> 8), UInt8(part.count & 0xFF)] + part
            }
            if case .complete = read(records) { #expect(isTaken) } else { #expect(!isTaken) }
        }
    }

    @Test func `changed messages are read or refused, never trapped on`() {
        var random = SeededGenerator.announced()
        let whole = record()
        for _ in 0..<5_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = read(bytes)
        }
    }
}
