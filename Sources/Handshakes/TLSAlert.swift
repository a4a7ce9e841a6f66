/// An alert of TLS by its number (RFC 8446, section 6).
package struct TLSAlert: Hashable, Sendable {
    package let number: UInt8

    package init(number: UInt8) { self.number = number }

    /// The alert of that name; nil for an unknown one.
    package init?(name: String) {
        guard let entry = Self.names.first(where: { $0.name == name }) else { return nil }
        number = entry.number
    }

    package static let closeNotify = TLSAlert(number: 0)
    package static let unexpectedMessage = TLSAlert(number: 10)
    package static let handshakeFailure = TLSAlert(number: 40)
    package static let badCertificate = TLSAlert(number: 42)
    package static let certificateExpired = TLSAlert(number: 45)
    package static let certificateUnknown = TLSAlert(number: 46)
    package static let unknownCA = TLSAlert(number: 48)
    package static let decodeError = TLSAlert(number: 50)
    package static let protocolVersion = TLSAlert(number: 70)
    package static let internalError = TLSAlert(number: 80)
    package static let unrecognizedName = TLSAlert(number: 112)
    package static let noApplicationProtocol = TLSAlert(number: 120)

    /// The name of RFC 8446 or an earlier version; `alert_N` for a number without one.
    package var name: String { Self.names.first { $0.number == number }?.name ?? "alert_\(number)" }

    /// The names in the order of their numbers.
    package static let names: [(number: UInt8, name: String)] = [
        (0, "close_notify"), (10, "unexpected_message"), (20, "bad_record_mac"), (21, "decryption_failed"),
        (22, "record_overflow"), (30, "decompression_failure"), (40, "handshake_failure"), (41, "no_certificate"),
        (42, "bad_certificate"), (43, "unsupported_certificate"), (44, "certificate_revoked"),
        (45, "certificate_expired"), (46, "certificate_unknown"), (47, "illegal_parameter"), (48, "unknown_ca"),
        (49, "access_denied"), (50, "decode_error"), (51, "decrypt_error"), (60, "export_restriction"),
        (70, "protocol_version"), (71, "insufficient_security"), (80, "internal_error"),
        (86, "inappropriate_fallback"), (90, "user_canceled"), (100, "no_renegotiation"), (109, "missing_extension"),
        (110, "unsupported_extension"), (111, "certificate_unobtainable"), (112, "unrecognized_name"),
        (113, "bad_certificate_status_response"), (114, "bad_certificate_hash_value"), (115, "unknown_psk_identity"),
        (116, "certificate_required"), (120, "no_application_protocol"),
    ]

    /// The names that RFC 8446 (section 6) gives to alerts that may be sent.
    package static let sendable = names.map(\.name).filter { !former.contains($0) }

    private static let former: Set = [
        "decryption_failed", "decompression_failure", "no_certificate", "export_restriction", "no_renegotiation",
        "certificate_unobtainable", "bad_certificate_hash_value",
    ]

    /// A record that holds this alert as a fatal one, in the clear.
    package var record: [UInt8] { [21, 3, 3, 0, 2, 2, number] }
}
