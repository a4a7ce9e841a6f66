import Backend
import Engine
import HTTPMessage
import Handshakes
import JSON
import Worlds

/// Connection faults, which belong to the process (transport contract, section 6).
enum ConnectionFaultOperations {
    private static let id = Parameter("id", in: .path, .string(), "The fault's id, such as cfl_1")

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/connection-faults",
            "Lists the connection faults in the order in which they are tried",
            isList: true,
            answers: [
                Schemas.answer(
                    "ConnectionFaults",
                    Schemas.list(Schemas.connectionFault),
                    "The faults, with their hit counts"
                )
            ]
        ) { call throws(Problem) in try call.list(inScope(call), json) },
        ControlOperation(
            .post,
            "/connection-faults",
            "Creates a connection fault and closes idle connections that it matches",
            body: .json(
                name: "ConnectionFaultOrder",
                schema: ConnectionFault.schema,
                isRequired: true,
                example: [
                    "name": "an expired certificate, once", "match": ["sni": "*.localhost"], "when": ["times": 1],
                    "effect": ["certificate": "expired"],
                ]
            ),
            answers: [
                Schemas.answer("ConnectionFault", Schemas.connectionFault, "The fault with its id", .created)
            ],
            handle: add
        ),
        ControlOperation(
            .delete,
            "/connection-faults",
            "Deletes all connection faults",
            answers: [AnswerDeclaration(.noContent, "Cleared", .none)]
        ) { call throws(Problem) in
            let scope = call.api.map { call.emulator.apis[$0].identity.name }
            for entry in inScope(call) where scope == nil || entry.fault.match.api == scope {
                _ = call.host.tls?.removeFault(entry.id)
            }
            return ControlAnswer.nothing
        },
        ControlOperation(
            .get,
            "/connection-faults/{id}",
            "Returns a connection fault",
            parameters: [id],
            answers: [Schemas.answer("ConnectionFault", Schemas.connectionFault, "The fault, with its hit count")]
        ) { call throws(Problem) in
            let id = call.parameters[0]
            guard let entry = call.host.tls?.connectionFaults.first(where: { $0.id == id }) else {
                throw unknown(call)
            }
            return ControlAnswer.json(json(entry))
        },
        ControlOperation(
            .delete,
            "/connection-faults/{id}",
            "Deletes a connection fault",
            parameters: [id],
            answers: [AnswerDeclaration(.noContent, "Gone", .none)]
        ) { call throws(Problem) in
            guard call.host.tls?.removeFault(call.parameters[0]) == true else { throw unknown(call) }
            return ControlAnswer.nothing
        },
    ]

    /// The faults that a call sees: on an API's port those that can act there.
    private static func inScope(_ call: ControlCall) -> [ConnectionFaultRegistry.Entry] {
        let scope = call.api.map { call.emulator.apis[$0].identity.name }
        return (call.host.tls?.connectionFaults ?? []).filter { entry in
            scope.map { entry.fault.match.covers(api: $0) } ?? true
        }
    }

    private static func add(_ call: ControlCall) throws(Problem) -> Response {
        var check = BodyCheck(try call.shortObject())
        let tls = call.host.tls
        let fault = ConnectionFault.read(
            &check,
            ConnectionFault.Known(
                apis: call.emulator.apis.map(\.identity.name),
                scope: call.api.map { call.emulator.apis[$0].identity.name },
                numericAddress: { text in
                    guard let tls else { return text }
                    return tls.numericAddress(text)
                }
            )
        )
        try check.finish()
        guard let fault else { return ControlAnswer.nothing }
        guard let tls else {
            throw Problem(
                .tlsOff,
                "This server has no TLS connections, so the fault would never act; start with --tls on. Nothing was changed."
            )
        }
        if case .certificate = fault.effect, tls.authority == nil {
            throw Problem(
                .noAuthority,
                "The server uses your certificates (--cert) and has no authority to sign a bad one. Nothing was changed."
            )
        }
        let limit = call.emulator.configuration.maximumFaults
        guard let entry = tls.add(fault, limit: limit) else {
            throw Problem(
                .tooManyFaults,
                "There are \(limit) connection faults, which is the limit. Nothing was changed."
            )
        }
        return ControlAnswer.json(json(entry), status: .created)
    }

    private static func json(_ entry: ConnectionFaultRegistry.Entry) -> JSON {
        var object: JSONObject = ["id": .string(entry.id)]
        for member in entry.fault.order.members { object.append(member.name, member.value) }
        object.append("hits", .integer(Int64(entry.hits)))
        return .object(object)
    }

    private static func unknown(_ call: ControlCall) -> Problem {
        Problem(
            .notFound,
            "There is no connection fault \"\(call.parameters[0].cut)\"; GET /__admin/connection-faults lists them."
        )
    }
}
