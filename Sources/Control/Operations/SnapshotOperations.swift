import Backend
import CivilTime
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// Named snapshots of the selected world (control contract, section 4).
enum SnapshotOperations {
    private static let snapshot = Schemas.object([
        ("name", .string()), ("createdAt", Schemas.instant), ("clock", Schemas.clock), ("requests", .integer()),
    ])
    private static let snapshotName = {
        let name = RequestValue.name(isInPaths: true)
        return BodyMember(
            "name",
            RequestValue(name.schema) { json, issues in
                RequestValue.nonEmpty.read(json, &issues).flatMap { name.read(.string($0), &issues) }
            }
        ).required()
    }()
    private static let name = [Parameter("name", in: .path, .string(), "The snapshot")]

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/snapshots",
            "Lists the world's snapshots in the order of creation",
            isList: true,
            answers: [Schemas.answer("Snapshots", Schemas.list(snapshot), "The snapshots")]
        ) { call throws(Problem) in try call.list(call.world().snapshots, json) },
        ControlOperation(
            .post,
            "/snapshots",
            "Creates a snapshot of the world",
            body: .json(
                name: "NewSnapshot",
                schema: .closed(snapshotName.property),
                isRequired: true,
                example: ["name": "signed-in"]
            ),
            answers: [Schemas.answer("Snapshot", snapshot, "The snapshot", .created)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            var check = BodyCheck(try call.object())
            let name = check.read(snapshotName)
            try check.finish()
            let snapshot = try call.emulator.takeSnapshot(named: name ?? "", of: hosted, at: call.hostTime)
            call.emulator.noteChange(.snapshots, .added, snapshot.name, in: hosted)
            return ControlAnswer.json(json(snapshot), status: .created)
        },
        ControlOperation(
            .delete,
            "/snapshots/{name}",
            "Deletes a snapshot",
            parameters: name,
            answers: [AnswerDeclaration(.noContent, "Deleted", .none)]
        ) { call throws(Problem) in
            let hosted = try call.world()
            try call.emulator.deleteSnapshot(named: call.parameters[0], of: hosted)
            call.emulator.noteChange(.snapshots, .deleted, call.parameters[0], in: hosted)
            return ControlAnswer.nothing
        },
        ControlOperation(
            .post,
            "/snapshots/{name}/restore",
            "Restores a snapshot, including the clock setting",
            parameters: name,
            answers: [
                Schemas.answer(
                    "Restored",
                    Schemas.object([
                        ("world", .string()), ("snapshot", .string()), ("cancelled", .integer()),
                        ("clock", Schemas.clock),
                    ]),
                    "The world, the number of responses cut, and its clock"
                )
            ]
        ) { call throws(Problem) in
            let hosted = try call.world()
            var check = BodyCheck(try call.object())
            try check.finish()
            let name = call.parameters[0]
            try call.emulator.restore(name, in: hosted, at: call.hostTime)
            let cancelled = call.host.cut(world: hosted.key, api: nil)
            call.emulator.forgetHeld(in: hosted, api: nil)
            call.emulator.note(
                .world,
                in: hosted,
                ["action": "restored", "name": .string(hosted.world.name), "from": .string(name)]
            )
            _ = ClockOperations.moved(hosted, call)
            call.emulator.write(.restore, "The snapshot \(name) was restored", in: hosted, at: call.hostTime)
            return ControlAnswer.json([
                "world": .string(hosted.world.name), "snapshot": .string(name),
                "cancelled": .integer(Int64(cancelled)),
                "clock": ClockOperations.json(hosted.world.core.clock, hosted.world.core.now),
            ])
        },
    ]

    private static func json(_ snapshot: Snapshot) -> JSON {
        [
            "name": .string(snapshot.name),
            "createdAt": .string(snapshot.createdAt.iso8601(.milliseconds)),
            "clock": ClockOperations.json(snapshot.world.core.clock, snapshot.createdAt),
            "requests": .integer(Int64(snapshot.world.requestCount)),
        ]
    }
}
