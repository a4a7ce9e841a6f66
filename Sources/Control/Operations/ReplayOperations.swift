import Backend
import Basics
import CivilTime
import Engine
import HTTPMessage
import Handshakes
import JSON
import Journal
import Recording
import Worlds

/// Sending a request of the journal again (console contract, section 9).
enum ReplayOperations {
    /// The real time for which a call waits for the answer.
    private static let patience = Interval.seconds(30)

    private enum TokenChoice: String, CaseIterable { case same, fresh }
    private static let token = BodyMember("token", .choice(TokenChoice.self))

    static let all: [ControlOperation] = [
        ControlOperation(
            .post,
            "/requests/{id}/replay",
            "Sends a journalled request again, through faults, gates and latency",
            parameters: [Parameter("id", in: .path, .string(), "The journal's key")],
            body: .json(
                name: "ReplayOrder",
                schema: .closed(token.property),
                isRequired: false,
                example: ["token": "fresh"]
            ),
            answers: [
                Schemas.answer(
                    "Replay",
                    Schemas.object(
                        [
                            ("id", .string()), ("replayOf", .string()), ("status", .integer()), ("outcome", .string()),
                            ("same", .boolean), ("differences", .array(CompareOperations.difference)),
                        ],
                        optional: [("truncated", .boolean)]
                    ),
                    "The new exchange, and how it differs",
                    .created
                )
            ],
            act: replay
        )
    ]

    private static func replay(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        var check = BodyCheck(try call.object())
        let choice = check.read(token) ?? .same
        try check.finish()
        let id = call.parameters[0]
        guard let entry = call.emulator.journal(of: hosted).entries.entry(of: id, api: call.scope),
            let api = call.emulator.apis.firstIndex(where: { $0.identity.name == entry.api })
        else {
            throw Problem(.notFound, "The journal has no exchange \"\(id.cut)\"; it drops the oldest when full.")
        }
        guard !entry.body.isTruncated else {
            throw Problem(.conflict, "The body of \(id.cut) was not kept whole, so it can't be sent again.")
        }
        if let order = call.host.modes(of: [api]).first, order.mode.needsUpstream || order.miss == .forward {
            let mode = order.mode.rawValue
            throw Problem(
                .conflict,
                "\(entry.api) is in mode \(mode), which would send the request to the real backend. Nothing was sent."
            )
        }
        let token = choice == .fresh ? try freshToken(entry, api, hosted, call) : nil
        let request = request(entry, token, api, hosted.world.name, call)
        let replay = ControlJob.Replay(
            listener: request.way.isMounted ? 0 : api + 1,
            isSecure: entry.transport?.scheme == .https && call.request.head.isSecure != nil,
            original: entry.id,
            bytes: request.bytes,
            patience: patience
        ) { connection in
            let journal = call.emulator.journal(of: hosted)
            return ControlJob.Work(isShort: false) { (_: Wanted) throws(Problem) in
                try answer(connection, of: entry, in: journal)
            }
        }
        return .job(.replay(replay))
    }

    private static func freshToken(
        _ entry: JournalEntry,
        _ api: Int,
        _ hosted: Emulator.HostedWorld,
        _ call: ControlCall
    ) throws(Problem) -> String {
        guard let user = entry.user else {
            throw Problem(
                .invalidBody,
                "\(entry.id.cut) has no user to issue a token for.",
                items: [Problem.Item(path: "$.token", reason: "fresh needs an exchange with a user")]
            )
        }
        let order = TokenOrder(user: user.id, kind: .access, state: .valid, life: nil, claims: JSONObject())
        return try call.emulator.apis[api].mint(&hosted.world, api, order).get().token
    }

    /// Returns the request as it is sent again, on a way that leads to that world.
    private static func request(
        _ entry: JournalEntry,
        _ token: String?,
        _ api: Int,
        _ world: String,
        _ call: ControlCall
    ) -> RepeatedRequest {
        let name = call.emulator.apis[api].identity.name
        let way =
            if let own = entry.way {
                ReplayWay(
                    repeating: own,
                    of: entry,
                    to: name,
                    in: world,
                    namesFaults: call.request.head.isSecure != nil
                )
            } else {
                ReplayWay(
                    guessedFrom: entry,
                    to: name,
                    in: world,
                    ports: (call.origins.ports.first, call.origins.ports.dropFirst(api + 1).first),
                    isWorldRequired: call.emulator.configuration.isWorldRequired
                )
            }
        var request = RepeatedRequest(entry: entry, way: way, token: token)
        guard !way.namesWorld else { return request }
        // The credential may lead elsewhere today: worlds come and go, and a fork has the journal of its original.
        let entryPoint: EntryPoint = way.isMounted ? .hub : .api(api)
        if call.emulator.world(thatTakes: request.received, from: entryPoint) != world { request.way.nameWorld(world) }
        return request
    }

    // MARK: The answer

    private static func answer(
        _ connection: UInt64,
        of original: JournalEntry,
        in journal: JournalCopy
    ) throws(Problem) -> Response {
        let journal = journal.hashed
        // Content may have got its digest only since the call came.
        let original = journal.entry(of: original.id, api: original.api) ?? original
        var found: JournalEntry?
        journal.forEachNewestFirst { entry in
            if entry.connection == connection { found = entry }
            return found == nil && entry.seq > original.seq
        }
        guard let found else {
            throw Problem(.conflict, "The request was not journalled; its world may have been reset.")
        }
        let comparison = ExchangeComparison(original, found, leavingOut: RepeatedRequest.ownFields)
        var object: JSONObject = [
            "id": .string(found.id), "replayOf": .string(original.id), "status": .integer(Int64(found.status.code)),
            "outcome": .string((found.outcome ?? .held).rawValue), "same": .bool(comparison.isSame),
            "differences": .array(comparison.differences),
        ]
        if comparison.isTruncated { object.append("truncated", true) }
        return ControlAnswer.json(.object(object), status: .created)
    }
}
