import Backend
import CivilTime
import Engine
import HTTPMessage
import Handshakes
import JSON
import Worlds

/// The state of TLS, handshakes that failed, and the root for clients (transport contract, sections 3, 5 and 7).
enum TLSOperations {
    static let all: [ControlOperation] =
        [
            ControlOperation(
                .get,
                "/tls",
                "Returns the TLS mode and the certificate authority",
                answers: [Schemas.answer("TLS", Schemas.tlsState, "The mode, the authority, and the handshake counts")]
            ) { call throws(Problem) in ControlAnswer.json(state(call.host.tls)) },
            ControlOperation(
                .get,
                "/tls/failures",
                "Lists the last failed handshakes, newest first",
                isList: true,
                answers: [
                    Schemas.answer(
                        "HandshakeFailures",
                        Schemas.list(Schemas.handshakeFailure),
                        "The failures, each with advice"
                    )
                ]
            ) { call throws(Problem) in
                let api = call.api.map { call.emulator.apis[$0].identity.name }
                let failures = (call.host.tls?.failures ?? []).filter { api == nil || $0.api == api }
                return try call.list(failures, json)
            },
            ControlOperation(
                .delete,
                "/tls/failures",
                "Clears the failed handshakes; the counts stay",
                answers: [AnswerDeclaration(.noContent, "Cleared", .none)]
            ) { call throws(Problem) in
                call.host.tls?.clearFailures()
                return ControlAnswer.nothing
            },
        ] + files

    // MARK: The root

    /// A form of the root in a file.
    private struct File {
        let name: String
        let type: String
        let summary: String
        let content: @Sendable (TLSAuthority) -> [UInt8]
    }

    private static let forms = [
        File(
            name: "ca.pem",
            type: "application/x-pem-file",
            summary: "Returns the root certificate as PEM, for tools",
            content: \.pem
        ),
        File(
            name: "ca.crt",
            type: "application/x-x509-ca-cert",
            summary: "Returns the root certificate as DER, for Android and others",
            content: \.der
        ),
        File(
            name: "ca.mobileconfig",
            type: "application/x-apple-aspen-config",
            summary: "Returns the root certificate in a profile, for Apple devices",
            content: \.profile
        ),
    ]

    private static let files: [ControlOperation] = forms.map { form in
        ControlOperation(
            .get,
            "/\(form.name)",
            form.summary,
            answers: [AnswerDeclaration(.ok, "The root; no admin token needed", .text(contentType: form.type))]
        ) { call throws(Problem) in
            guard let authority = call.host.tls?.authority else {
                let reason =
                    call.host.tls == nil
                    ? "TLS is off; start with --tls on" : "the server uses the certificates of --cert"
                throw Problem(.notFound, "This server has no root certificate: \(reason).")
            }
            return Response(
                status: .ok,
                fields: [.contentType: form.type],
                body: .bytes(form.content(authority))
            )
        }
    }

    /// Tells whether it is one of the files, which need neither a token nor TLS.
    static func isFile(_ path: Path) -> Bool {
        path.segments.count == 1 && forms.contains { $0.name == path.segments[0] }
    }

    // MARK: JSON

    private static func state(_ tls: (any TLSHost)?) -> JSON {
        var object: JSONObject = ["mode": .string((tls?.mode ?? .off).rawValue)]
        if let authority = tls?.authority {
            object.append(
                "authority",
                [
                    "subject": .string(authority.subject), "sha256": .string(authority.fingerprint),
                    "notBefore": .string(authority.notBefore.iso8601(.milliseconds)),
                    "notAfter": .string(authority.notAfter.iso8601(.milliseconds)),
                    "permitted": .array(authority.permitted.map { .string($0) }),
                    "folder": .string(authority.folder),
                ]
            )
        }
        let counts = tls?.handshakes ?? HandshakeLog.Counts()
        object.append(
            "handshakes",
            [
                "completed": .integer(Int64(counts.completed)), "resumed": .integer(Int64(counts.resumed)),
                "failed": .integer(Int64(counts.failed)),
            ]
        )
        return .object(object)
    }

    private static func json(_ failure: HandshakeFailure) -> JSON {
        var object: JSONObject = [
            "at": .string(failure.at.iso8601(.milliseconds)), "api": .string(failure.api),
            "peer": .string(failure.peer),
        ]
        if let name = failure.serverName { object.append("sni", .string(name)) }
        if let protocols = failure.protocols { object.append("alpn", .array(protocols.map { .string($0) })) }
        if let versions = failure.versions { object.append("versions", .array(versions.map { .string($0.name) })) }
        object.append("reason", .string(failure.reason.rawValue))
        if let alert = failure.alert {
            object.append(
                "alert",
                [
                    "name": .string(alert.alert.name), "number": .integer(Int64(alert.alert.number)),
                    "from": .string(alert.from.rawValue),
                ]
            )
        }
        object.append("advice", .string(failure.advice))
        if let fault = failure.fault { object.append("fault", .string(fault)) }
        return .object(object)
    }
}
