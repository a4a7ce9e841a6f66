import Emulation
import HTTPMessage
import Handshakes
import JSON
import Testing

@testable import Control

/// The calls of connection faults.
@Suite struct ConnectionFaultCallTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func add(_ order: String, entryPoint: EntryPoint = .hub) throws -> Played {
        try harness.call(.post, "/connection-faults", order, entryPoint: entryPoint)
    }

    /// The paths of what a call refuses.
    private func faults(_ order: String) throws -> [String] {
        let answer = try add(order)
        #expect(answer.status == 422, "\(order): \(answer.text)")
        return (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
    }

    @Test func `6 a fault comes back as it was ordered, with its id and hits`() throws {
        let order =
            #"{"name":"an expired certificate, once","match":{"api":"omnichat","sni":"*.localhost","peer":"127.0.0.1"},"#
            + #""when":{"skip":0,"times":1,"every":1,"probability":1},"effect":{"certificate":"expired"}}"#
        let made = try add(order)
        #expect(made.status == 201)
        #expect(made.text == #"{"id":"cfl_1","# + order.dropFirst().dropLast() + #","hits":0}"#)
        #expect(try harness.call(.get, "/connection-faults/cfl_1").text == made.text)
        #expect(try harness.call(.get, "/connection-faults").text == #"{"items":[\#(made.text)]}"#)
        #expect(try harness.call(.delete, "/connection-faults/cfl_1").status == 204)
        #expect(try harness.call(.get, "/connection-faults/cfl_1").status == 404)
        #expect(try harness.call(.delete, "/connection-faults/cfl_1").status == 404)
        #expect(try add(#"{"effect":{"close":"no-notify"}}"#).text.hasPrefix(#"{"id":"cfl_2","match":{},"effect""#))
        #expect(try harness.call(.delete, "/connection-faults").status == 204)
        #expect(harness.host.fakeTLS?.book.entries.isEmpty == true)
    }

    @Test(
        arguments: [
            #"{"handshake":"stall"}"#, #"{"handshake":"stall","forMs":0}"#, #"{"handshake":"slow","ms":5}"#,
            #"{"handshake":"reset"}"#, #"{"handshake":"close"}"#, #"{"handshake":"garbage"}"#,
            #"{"handshake":"alert","alert":"handshake_failure"}"#, #"{"protocol":"tls1.0"}"#, #"{"protocol":"tls1.1"}"#,
            #"{"protocol":"tls1.2"}"#, #"{"alpn":"none"}"#, #"{"alpn":"http/1.1"}"#,
            #"{"clientCertificate":"required"}"#,
            #"{"clientCertificate":"optional"}"#, #"{"close":"no-notify"}"#,
        ] + CertificateCase.allCases.map { #"{"certificate":"\#($0.rawValue)"}"# }
    )
    func `6 every effect is taken`(effect: String) throws {
        let made = try add(#"{"effect":\#(effect)}"#)
        #expect(made.status == 201, "\(made.text)")
        #expect(made.text.contains(#""effect":\#(effect)"#))
    }

    @Test func `6 what does not fit is named by its path`() throws {
        #expect(try faults(#"{}"#) == ["$.effect"])
        #expect(try faults(#"{"effect":{}}"#) == ["$.effect"])
        #expect(try faults(#"{"effect":{"certificate":"expired","close":"no-notify"}}"#) == ["$.effect"])
        #expect(try faults(#"{"effect":{"certificate":"old"}}"#) == ["$.effect.certificate"])
        #expect(try faults(#"{"effect":{"certificate":"expired","forMs":1}}"#) == ["$.effect.forMs"])
        #expect(try faults(#"{"effect":{"handshake":"slow"}}"#) == ["$.effect.ms"])
        #expect(try faults(#"{"effect":{"handshake":"slow","ms":-1}}"#) == ["$.effect.ms"])
        #expect(try faults(#"{"effect":{"handshake":"alert"}}"#) == ["$.effect.alert"])
        #expect(try faults(#"{"effect":{"handshake":"alert","alert":"no_renegotiation"}}"#) == ["$.effect.alert"])
        #expect(try faults(#"{"effect":{"handshake":"reset","ms":1}}"#) == ["$.effect.ms"])
        #expect(try faults(#"{"effect":{"protocol":"tls1.3"}}"#) == ["$.effect.protocol"])
        #expect(
            try faults(#"{"effect":{"close":"no-notify"},"match":{"api":"nobody","snj":"x"}}"#).sorted() == [
                "$.match.api", "$.match.snj",
            ]
        )
        #expect(try faults(#"{"effect":{"close":"no-notify"},"match":{"peer":"localhost"}}"#) == ["$.match.peer"])
        #expect(try faults(#"{"effect":{"close":"no-notify"},"match":{"sni":""}}"#) == ["$.match.sni"])
        #expect(
            try faults(#"{"effect":{"close":"no-notify"},"when":{"skip":-1,"times":0,"every":0,"probability":2}}"#)
                == ["$.when.skip", "$.when.times", "$.when.every", "$.when.probability"]
        )
        #expect(try faults(#"{"effect":{"close":"no-notify"},"phase":"before"}"#) == ["$.phase"])
        #expect(harness.host.fakeTLS?.book.entries.isEmpty == true)
    }

    @Test func `6 on an API's port a fault means that API`() throws {
        let made = try add(#"{"effect":{"close":"no-notify"}}"#, entryPoint: .api(0))
        #expect(made.json["match"] == ["api": "omnichat"])
        let hub = try add(#"{"match":{"api":"hub"},"effect":{"close":"no-notify"}}"#)
        #expect(hub.status == 201)
        #expect(try add(#"{"match":{"api":"hub"},"effect":{"close":"no-notify"}}"#, entryPoint: .api(0)).status == 422)
        let seen = try harness.call(.get, "/connection-faults", entryPoint: .api(0))
        #expect(seen.json["items"]?.arrayValue?.count == 1)
        #expect(try harness.call(.delete, "/connection-faults", entryPoint: .api(0)).status == 204)
        #expect(harness.host.fakeTLS?.book.entries.map(\.fault.match.api) == ["hub"])
    }

    @Test func `6 a thousand faults fit, and no more`() throws {
        let harness = try Harness { $0.maximumFaults = 2 }
        for status in [201, 201, 409] {
            let order = #"{"effect":{"close":"no-notify"}}"#
            #expect(try harness.call(.post, "/connection-faults", order).status == status)
        }
    }

    @Test func `6 without an authority there are no bad certificates, without TLS no faults`() throws {
        harness.host.fakeTLS?.authority = nil
        let refused = try add(#"{"effect":{"certificate":"expired"}}"#)
        #expect(refused.status == 409)
        #expect(refused.json["type"] == "/__admin/problems/no-authority")
        #expect(try add(#"{"effect":{"handshake":"close"}}"#).status == 201)
        harness.host.fakeTLS = nil
        let off = try add(#"{"effect":{"handshake":"close"}}"#)
        #expect(off.json["type"] == "/__admin/problems/tls-off")
    }
}
