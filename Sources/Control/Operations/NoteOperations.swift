import Backend
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// Notes between the entries of the journal (console contract, section 7).
enum NoteOperations {
    private static let note = Schemas.object(
        [
            ("id", .string()), ("kind", .string(enumeration: WorldNotes.Kind.allCases.map(\.rawValue))),
            ("after", .integer(minimum: 0)), ("at", Schemas.instant), ("wallAt", Schemas.instant), ("text", .string()),
        ],
        optional: [("data", .any)]
    )

    private static let text = BodyMember("text", .string(.length(1...WorldNotes.longestText))).required()

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/notes",
            "Lists the notes of the world, newest first",
            parameters: [
                Parameter("since", in: .query, .integer(minimum: 0), "Only notes whose after is at least this seq"),
                Parameter(
                    "kind",
                    in: .query,
                    .string(enumeration: WorldNotes.Kind.allCases.map(\.rawValue)),
                    "Only notes of this kind"
                ),
            ],
            isList: true,
            answers: [Schemas.answer("Notes", Schemas.list(note), "The notes")]
        ) { call throws(Problem) in
            let since = UInt64(try call.number("since", default: 0))
            let kind = try call.choice("kind", WorldNotes.Kind.self)
            let notes = try call.world().world.notes.notes.reversed().filter { note in
                note.after >= since && (kind == nil || note.kind == kind)
            }
            return try call.list(notes, \.json)
        },
        ControlOperation(
            .post,
            "/notes",
            "Adds a note between two entries of the journal",
            body: .json(
                name: "NewNote",
                schema: .closed(text.property, JSONSchema.Property("data", .any, isRequired: false)),
                isRequired: true,
                example: ["text": "Signed in, now the purchase"]
            ),
            answers: [Schemas.answer("Note", note, "The note", .created)],
            handle: add
        ),
    ]

    private static func add(_ call: ControlCall) throws(Problem) -> Response {
        let hosted = try call.world()
        var check = BodyCheck(try call.object())
        let text = check.read(text)
        let data = check.present("data")
        if let data, data.text(upTo: WorldNotes.largestData + 1).utf8.count > WorldNotes.largestData {
            check.fault("data", "must be at most \(WorldNotes.largestData) bytes of JSON")
        }
        try check.finish()
        let note = call.emulator.write(.note, text ?? "", data: data, in: hosted, at: call.hostTime)
        return ControlAnswer.json(note.json, status: .created)
    }
}
