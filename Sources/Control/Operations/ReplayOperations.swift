import CivilTime
import Crypto
import Emulation
import HTTPMessage
import JSON
import Locking

/// Sending a request of the journal again (console contract, section 9).
enum ReplayOperations {
    /// The real time for which a call waits for the answer.
    private static let patience = Interval.seconds(30)

    private enum TokenChoice: String, CaseIterable { case same, fresh }

    static let all: [ControlOperation] = [
        ControlOperation(
            .post,
            "/requests/{id}/replay",
            "Sends a kept request again, through faults, gates and latency, as a client would",
            parameters: [Parameter("id", in: .path, .string(), "The journal's key")],
            body: .json(
                name: "ReplayOrder",
                schema: Schemas.closed(optional: [
                    ("token", .string(enumeration: TokenChoice.allCases.map(\.rawValue)))
                ]),
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
                    "The new exchange, and what differs",
                    .created
                )
            ],
            act: replay
        )
    ]

    private static func replay(_ call: ControlCall) throws(Problem) -> ControlDecision {
        let hosted = try call.world()
        var check = BodyCheck(try call.object())
        let choice = check.choice("token", TokenChoice.self) ?? .same
        try check.finish()
        let id = call.parameters[0]
        guard let entry = call.emulator.journal(of: hosted).entries.entry(of: id, api: call.scope),
            let api = call.emulator.apis.firstIndex(where: { $0.identity.name == entry.api })
        else {
            throw Problem(.notFound, "The journal has no exchange \"\(id.cut)\"; the oldest go when it is full.")
        }
        guard !entry.body.isTruncated else {
            throw Problem(.conflict, "The body of \(id.cut) was not kept whole, so that it can't be sent again.")
        }
        if let order = call.host.modes(of: [api]).first, order.mode.needsUpstream || order.miss == .forward {
            let mode = order.mode.rawValue
            throw Problem(
                .conflict,
                "\(entry.api) is in mode \(mode), which would send the request to the real backend. Nothing was sent."
            )
        }
        let token = choice == .fresh ? try freshToken(entry, api, hosted, call) : nil
        let way = Way(entry, api, hosted, call)
        let replay = ControlJob.Replay(
            listener: way.isMounted ? 0 : api + 1,
            original: entry.id,
            bytes: bytes(entry, way, token),
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
                "\(entry.id.cut) has no user, for whom a token could be made.",
                items: [Problem.Item(path: "$.token", reason: "fresh needs an exchange with a user")]
            )
        }
        let order = TokenOrder(user: user.id, kind: .access, state: .valid, life: nil, claims: JSONObject())
        return try call.emulator.apis[api].mint(&hosted.world, api, order).get().token
    }

    // MARK: The request

    /// Fields that belong to the new connection, or that name a world.
    private static let ownFields: Set<String> = [
        "host", "content-length", "x-request-id", "connection", "transfer-encoding", "expect", "x-understudy-world",
    ]

    /// The way to the API: that of the entry, so that links in the answer are the same.
    private struct Way {
        let host: String
        /// The prefix of the path.
        let prefix: String
        /// The value of the field that names the world; nil where the host or the path does.
        let world: String?
        /// Tells whether it goes through the API's mount on the hub.
        let isMounted: Bool

        init(_ entry: JournalEntry, _ api: Int, _ hosted: Emulator.HostedWorld, _ call: ControlCall) {
            let name = hosted.world.name
            let (hub, own) = (call.origins.ports.first, call.origins.ports.dropFirst(api + 1).first)
            let asked = entry.headers["Host"] ?? ""
            let port = ControlSafety.port(of: asked)
            isMounted = port != nil && port == hub && hub != own
            let mount = isMounted ? "/" + call.emulator.apis[api].identity.name : ""
            if let label = ControlSafety.host(of: asked), Address.worldLabel(ofHost: label) == nil {
                host = asked
                let isNamed = entry.headers["X-Understudy-World"] != nil
                let isMain = name == WorldName.main && !call.emulator.configuration.isWorldRequired
                world = isNamed ? name : nil
                prefix = (isNamed || isMain ? "" : "/@\(name)") + mount
            } else {
                // A host whose label names the world.
                host = "\(name).localhost" + ((isMounted ? hub : own).map { ":\($0)" } ?? "")
                world = nil
                prefix = mount
            }
        }
    }

    private static func bytes(
        _ entry: JournalEntry,
        _ way: Way,
        _ token: String?
    ) -> [UInt8] {
        var bytes = Array(entry.method.rawValue.utf8) + [0x20]
        var target = Array((way.prefix + entry.path).utf8)
        if let query = entry.query { target += [0x3F] + Array(query.utf8) }
        for byte in target {
            if byte > 0x20, byte < 0x7F {
                bytes.append(byte)
            } else {
                bytes += Array("%\(Hex.encode([byte]).uppercased())".utf8)
            }
        }
        bytes += Array(" HTTP/1.1\r\nHost: \(way.host)\r\n".utf8)
        for place in 0..<entry.headers.count {
            let name = String(decoding: entry.headers.nameBytes(at: place), as: UTF8.self).lowercased()
            guard !ownFields.contains(name), token == nil || name != "authorization" else { continue }
            bytes += entry.headers.nameBytes(at: place) + Array(": ".utf8) + entry.headers.valueBytes(at: place)
            bytes += [0x0D, 0x0A]
        }
        if let world = way.world { bytes += Array("X-Understudy-World: \(world)\r\n".utf8) }
        if let token { bytes += Array("Authorization: Bearer \(token)\r\n".utf8) }
        if entry.body.length > 0 || [.post, .put, .patch].contains(entry.method) {
            bytes += Array("Content-Length: \(entry.body.kept.count)\r\n".utf8)
        }
        return bytes + [0x0D, 0x0A] + entry.body.kept
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
        // What a replay itself sets is no difference.
        let comparison = ExchangeComparison(original, found, leavingOut: ownFields)
        var object: JSONObject = [
            "id": .string(found.id), "replayOf": .string(original.id), "status": .integer(Int64(found.status.code)),
            "outcome": .string((found.outcome ?? .held).rawValue), "same": .bool(comparison.isSame),
            "differences": .array(comparison.differences),
        ]
        if comparison.isTruncated { object.append("truncated", true) }
        return ControlAnswer.json(.object(object), status: .created)
    }
}
