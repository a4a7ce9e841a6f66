import Certificates
import Transport

/// The parsers that read what comes before a request: messages of TLS, keys and certificates.
enum SecurityFuzz {
    /// A first message reads the same however it is cut.
    static func readHello(_ input: ArraySlice<UInt8>) {
        var whole = ClientHelloReader()
        let reading = whole.received(input)
        var cut = ClientHelloReader()
        var last = ClientHelloReader.Reading.incomplete
        for place in input.indices {
            last = cut.received(input[place...place])
            guard last == .incomplete else { break }
        }
        precondition(reading == last, "the pieces decide what a message says")
        guard case .complete(let hello) = last else { return }
        precondition(hello.serverName?.isEmpty != true, "an empty name")
        precondition(!hello.cipherSuites.isEmpty, "no cipher suite")
        precondition(hello.protocols?.contains("") != true, "an empty protocol")
    }

    /// A text that is read, written and read again stays the same; its certificates don't trap.
    static func readPEM(_ input: ArraySlice<UInt8>) {
        guard let blocks = try? PEM.read(Array(input)) else { return }
        let written = blocks.map { PEM.write($0.label, $0.content) }.joined()
        guard let again = try? PEM.read(Array(written.utf8)) else { preconditionFailure("written PEM does not read") }
        precondition(again.map(\.label) == blocks.map(\.label), "other labels")
        precondition(again.map(\.content) == blocks.map(\.content), "other contents")
        for block in blocks {
            guard let certificate = Certificate(der: block.content) else { continue }
            _ = (certificate.subject, certificate.covers("localhost"), certificate.covers("127.0.0.1"))
            _ = NameConstraints(of: certificate)
        }
    }
}
