import CivilTime
import HTTPMessage
import HTTPWire
import TestSupport
import Testing

/// Proxy contract, section 2: the targets that a proxy's port takes.
@Suite struct ConnectTests {
    /// The head of a request in short, or the status of its refusal.
    private static func outcome(_ line: String, takesConnect: Bool = true) -> String {
        var limits = WireLimits()
        limits.takesConnect = takesConnect
        var machine = ConnectionMachine(limits: limits, now: .epoch)
        machine.received(Array("\(line)\r\nHost: x\r\n\r\nrest".utf8), now: .epoch)
        switch machine.nextEvent(now: .epoch) {
        case .head(let head, _):
            switch head.form {
            case .authority(let authority):
                return "\(authority) \(String(decoding: machine.takeRest(), as: UTF8.self))"
            case .absolute(let authority): return "\(head.target.isSecure ? "https" : "http") \(authority)"
            case .origin, .asterisk: return head.rawPath
            }
        case .refused(let refusal, _): return "\(refusal.status.code)"
        case .request, .closeConnection, nil: return "nothing"
        }
    }

    @Test func `2 CONNECT has host and port, and what follows it is kept`() {
        for (line, expected) in [
            ("CONNECT a.example:443 HTTP/1.1", "a.example:443 rest"),
            ("CONNECT a.example:443 HTTP/1.0", "a.example:443 rest"),
            ("CONNECT [::1]:443 HTTP/1.1", "[::1]:443 rest"), ("CONNECT a.example HTTP/1.1", "400"),
            ("CONNECT a.example: HTTP/1.1", "400"), ("CONNECT a.example:0 HTTP/1.1", "400"),
            ("CONNECT a.example:000 HTTP/1.1", "400"), ("CONNECT a.example:65535 HTTP/1.1", "a.example:65535 rest"),
            ("CONNECT a.example:65536 HTTP/1.1", "400"), ("CONNECT u@a.example:443 HTTP/1.1", "400"),
            ("CONNECT http://a.example/ HTTP/1.1", "400"), ("CONNECT /a HTTP/1.1", "400"),
            ("CONNECT * HTTP/1.1", "400"),
            ("CONNECT [::1] HTTP/1.1", "400"), ("CONNECT a.example:443/ HTTP/1.1", "400"),
        ] { expectEqual(Self.outcome(line), expected, line) }
        expectEqual(Self.outcome("CONNECT a.example:443 HTTP/1.1", takesConnect: false), "501")
    }

    @Test func `2 an absolute target tells its scheme`() {
        for (line, expected) in [
            ("GET http://a.example/x HTTP/1.1", "http a.example"),
            ("GET HTTPS://a.example HTTP/1.1", "https a.example"),
            ("GET https://a.example:1/x HTTP/1.1", "https a.example:1"), ("GET /x HTTP/1.1", "/x"),
        ] { expectEqual(Self.outcome(line), expected, line) }
    }
}
