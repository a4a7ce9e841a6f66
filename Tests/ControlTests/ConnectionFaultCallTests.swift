import Backend
import Engine
import HTTPMessage
import Handshakes
import JSON
import TestSupport
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
        expectEqual(answer.status, 422, "\(order): \(answer.text)")
        return (answer.json["errors"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }
    }

    @Test func `6 a fault comes back as it was ordered, with its id and hits`() throws {
        let order =
            #"{"name":"an expired certificate, once","match":{"api":"omnichat","sni":"*.localhost","peer":"127.0.0.1"},"#
            + #""when":{"skip":0,"times":1,"every":1,"probability":1},"effect":{"certificate":"expired"}}"#
        let made = try add(order)
        expectEqual(made.status, 201)
        expectEqual(made.text, #"{"id":"cfl_1","# + order.dropFirst().dropLast() + #","hits":0}"#)
        try expectEqual(harness.call(.get, "/connection-faults/cfl_1").text, made.text)
        try expectEqual(harness.call(.get, "/connection-faults").text, #"{"items":[\#(made.text)]}"#)
        try expectEqual(harness.call(.delete, "/connection-faults/cfl_1").status, 204)
        try expectEqual(harness.call(.get, "/connection-faults/cfl_1").status, 404)
        try expectEqual(harness.call(.delete, "/connection-faults/cfl_1").status, 404)
        #expect(try add(#"{"effect":{"close":"no-notify"}}"#).text.hasPrefix(#"{"id":"cfl_2","match":{},"effect""#))
        try expectEqual(harness.call(.delete, "/connection-faults").status, 204)
        expectEqual(harness.host.fakeTLS?.book.entries.isEmpty, true)
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
        expectEqual(made.status, 201, "\(made.text)")
        #expect(made.text.contains(#""effect":\#(effect)"#))
    }

    @Test func `6 what does not fit is named by its path`() throws {
        try expectEqual(faults(#"{}"#), ["$.effect"])
        try expectEqual(faults(#"{"effect":{}}"#), ["$.effect"])
        try expectEqual(faults(#"{"effect":{"certificate":"expired","close":"no-notify"}}"#), ["$.effect"])
        try expectEqual(faults(#"{"effect":{"certificate":"old"}}"#), ["$.effect.certificate"])
        try expectEqual(faults(#"{"effect":{"certificate":"expired","forMs":1}}"#), ["$.effect.forMs"])
        try expectEqual(faults(#"{"effect":{"handshake":"slow"}}"#), ["$.effect.ms"])
        try expectEqual(faults(#"{"effect":{"handshake":"slow","ms":-1}}"#), ["$.effect.ms"])
        try expectEqual(faults(#"{"effect":{"handshake":"alert"}}"#), ["$.effect.alert"])
        try expectEqual(faults(#"{"effect":{"handshake":"alert","alert":"no_renegotiation"}}"#), ["$.effect.alert"])
        try expectEqual(faults(#"{"effect":{"handshake":"reset","ms":1}}"#), ["$.effect.ms"])
        try expectEqual(faults(#"{"effect":{"protocol":"tls1.3"}}"#), ["$.effect.protocol"])
        try expectEqual(
            faults(#"{"effect":{"close":"no-notify"},"match":{"api":"nobody","snj":"x"}}"#).sorted(),
            [
                "$.match.api", "$.match.snj",
            ]
        )
        try expectEqual(faults(#"{"effect":{"close":"no-notify"},"match":{"peer":"localhost"}}"#), ["$.match.peer"])
        try expectEqual(faults(#"{"effect":{"close":"no-notify"},"match":{"sni":""}}"#), ["$.match.sni"])
        try expectEqual(
            faults(#"{"effect":{"close":"no-notify"},"when":{"skip":-1,"times":0,"every":0,"probability":2}}"#),
            ["$.when.skip", "$.when.times", "$.when.every", "$.when.probability"]
        )
        try expectEqual(faults(#"{"effect":{"close":"no-notify"},"phase":"before"}"#), ["$.phase"])
        expectEqual(harness.host.fakeTLS?.book.entries.isEmpty, true)
    }

    @Test func `6 on an API's port a fault means that API`() throws {
        let made = try add(#"{"effect":{"close":"no-notify"}}"#, entryPoint: .api(0))
        expectEqual(made.json["match"], ["api": "omnichat"])
        let hub = try add(#"{"match":{"api":"hub"},"effect":{"close":"no-notify"}}"#)
        expectEqual(hub.status, 201)
        try expectEqual(
            add(#"{"match":{"api":"hub"},"effect":{"close":"no-notify"}}"#, entryPoint: .api(0)).status,
            422
        )
        let seen = try harness.call(.get, "/connection-faults", entryPoint: .api(0))
        expectEqual(seen.json["items"]?.arrayValue?.count, 1)
        try expectEqual(harness.call(.delete, "/connection-faults", entryPoint: .api(0)).status, 204)
        expectEqual(harness.host.fakeTLS?.book.entries.map(\.fault.match.api), ["hub"])
    }

    @Test func `6 a thousand faults fit, and no more`() throws {
        let harness = try Harness { $0.maximumFaults = 2 }
        for status in [201, 201, 409] {
            let order = #"{"effect":{"close":"no-notify"}}"#
            try expectEqual(harness.call(.post, "/connection-faults", order).status, status)
        }
    }

    @Test func `6 without an authority there are no bad certificates, without TLS no faults`() throws {
        harness.host.fakeTLS?.authority = nil
        let refused = try add(#"{"effect":{"certificate":"expired"}}"#)
        expectEqual(refused.status, 409)
        expectEqual(refused.json["type"], "/__admin/problems/no-authority")
        try expectEqual(add(#"{"effect":{"handshake":"close"}}"#).status, 201)
        harness.host.fakeTLS = nil
        let off = try add(#"{"effect":{"handshake":"close"}}"#)
        expectEqual(off.json["type"], "/__admin/problems/tls-off")
    }
}
