import Handshakes
import JSON

/// The schemas of TLS, its failures and its faults (transport contract, sections 3, 6 and 7).
extension Schemas {
    /// The outcome of a handshake, in an entry of the journal.
    static let tls = object(
        [("version", .string()), ("cipher", .string()), ("resumed", .boolean)],
        optional: [
            ("sni", .string()), ("alpn", .string()),
            ("clientCertificate", object([("subject", .string()), ("sha256", .string())])), ("fault", .string()),
        ]
    )

    /// The way in which a request came.
    static let transport = object(
        [
            ("scheme", .string(enumeration: ["http", "https"])),
            ("httpVersion", .string(enumeration: ["HTTP/1.1", "HTTP/2"])),
        ],
        optional: [("stream", .integer()), ("tls", tls)]
    )

    static let tlsState = object(
        [
            ("mode", .string(enumeration: TLSMode.allCases.map(\.rawValue))),
            ("handshakes", object([("completed", .integer()), ("resumed", .integer()), ("failed", .integer())])),
        ],
        optional: [
            (
                "authority",
                object([
                    ("subject", .string()), ("sha256", .string(pattern: "^[0-9a-f]{64}$")), ("notBefore", instant),
                    ("notAfter", instant), ("permitted", .array(.string())), ("folder", .string()),
                ])
            )
        ]
    )

    static let handshakeFailure = object(
        [
            ("at", instant), ("api", .string()), ("peer", .string()),
            ("reason", .string(enumeration: HandshakeFailure.Reason.allCases.map(\.rawValue))),
            ("advice", .string()),
        ],
        optional: [
            ("sni", .string()), ("alpn", .array(.string())), ("versions", .array(.string())),
            (
                "alert",
                object([
                    ("name", .string()), ("number", .integer()),
                    ("from", .string(enumeration: ["client", "server"])),
                ])
            ),
            ("fault", .string()),
        ]
    )

    /// A connection fault as it is listed.
    static let connectionFault = object(
        [
            ("id", .string()), ("match", ConnectionFault.matchSchema), ("effect", ConnectionFault.effectSchema),
            ("hits", .integer()),
        ],
        optional: [("name", .string()), ("when", ConnectionFault.whenSchema)]
    )
}
