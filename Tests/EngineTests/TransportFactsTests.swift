import Handshakes
import JSON
import TestSupport
import Testing

@testable import Journal
@testable import Worlds

/// The way of a request in the journal (transport contract, section 3).
@Suite struct TransportFactsTests {
    private static let whole = TransportFacts(
        scheme: .https,
        version: .http2,
        stream: 7,
        tls: TLSFacts(
            version: .tls12,
            cipher: "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            serverName: "a.localhost",
            applicationProtocol: "h2",
            isResumed: true,
            clientCertificate: TLSFacts.ClientCertificate(
                subject: "CN=me",
                fingerprint: [UInt8](repeating: 0xAB, count: 32)
            ),
            fault: "cfl_1"
        )
    )
    private static let clear = TransportFacts(scheme: .http, version: .http2, stream: 1)

    @Test func `3 the facts have the members of the contract, in its order`() {
        let digest = String(repeating: "ab", count: 32)
        expectEqual(
            Self.whole.json.text,
            #"{"scheme":"https","httpVersion":"HTTP/2","stream":7,"tls":{"version":"TLSv1.2","#
                + #""cipher":"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256","sni":"a.localhost","alpn":"h2","resumed":true,"#
                + #""clientCertificate":{"subject":"CN=me","sha256":"\#(digest)"},"fault":"cfl_1"}}"#
        )
        expectEqual(Self.clear.json.text, #"{"scheme":"http","httpVersion":"HTTP/2","stream":1}"#)
    }

    @Test func `3 facts that are written read the same, and others do not read`() throws {
        for facts in [Self.whole, Self.clear] { expectEqual(TransportFacts(json: facts.json), facts) }
        for text in [
            "{}", #"{"scheme":"ftp","httpVersion":"HTTP/2"}"#, #"{"scheme":"http","httpVersion":"HTTP/3"}"#,
            #"{"scheme":"http","httpVersion":"HTTP/2","stream":-1}"#,
            #"{"scheme":"https","httpVersion":"HTTP/1.1","tls":{"version":"TLSv9","cipher":"c","resumed":false}}"#,
            #"{"scheme":"https","httpVersion":"HTTP/1.1","tls":{"version":"TLSv1.3","cipher":"c"}}"#,
        ] {
            expectNil(TransportFacts(json: try JSONReader.read(text: text)), "\(text)")
        }
    }

    @Test func `3 an entry keeps them when it is packed and when it is stored`() throws {
        var journal = Journal(capacity: 10_000_000)
        for number in 1...400 {
            var entry = JournalTests.entry("\(number)", seq: UInt64(number))
            if number.isMultiple(of: 2) { entry.transport = number.isMultiple(of: 4) ? Self.whole : Self.clear }
            entry.outcome = .delivered
            journal.append(entry)
        }
        for number in 1...400 {
            let expected = number % 4 == 0 ? Self.whole : number % 2 == 0 ? Self.clear : nil
            expectEqual(journal[UInt64(number)]?.transport, expected, "\(number)")
        }
        let stored = JournalRecord.json(try #require(journal[4]), in: "main")
        expectEqual(stored["transport"], Self.whole.json)
        let record = try JSONDecoding.decode(JournalRecord.self, from: stored)
        try expectEqual(record.entry(in: "main").transport, Self.whole)
    }
}
