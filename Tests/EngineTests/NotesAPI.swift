import Backend
import CivilTime
import Crypto
import HTTPMessage
import JSON
import Worlds

typealias NotesEndpoint = Endpoint<NotesAPI.State, Int>

/// A small API for tests: notes, and a response that takes time.
enum NotesAPI {
    struct State: Sendable {
        var notes = Table<Note>()
        var visits = FixedWindows()
        var issuer = ""
        var greeting = "hello"
        var mode = Mode.lenient
        var delivered: [String] = []
    }

    enum Mode: String, CaseIterable, Sendable { case lenient, strict }

    struct Note: Row, Codable, Equatable {
        var id: String
        var owner: String
        var text: String
        var writtenAt: Timestamp

        var group: String { owner }
    }

    struct NoteAnswer: ResponseModel {
        var note: Note

        static let shape = ResponseSchema<NoteAnswer>(
            "Note",
            [.string("id") { $0.note.id }, .string("text") { $0.note.text }, .time("writtenAt") { $0.note.writtenAt }]
        )
    }

    struct NewNote: RequestModel {
        var text = ""

        static let shape = RequestSchema<NewNote>("NewNote", [.required("text", .string(.notEmpty)) { $0.text = $1 }])
    }

    static let identity = APIIdentity(
        name: "notes",
        title: "Notes",
        version: "1.2",
        description: "Keeps notes.",
        portOffset: 1
    )

    static let definition = APIDefinition<State>(
        identity,
        requests: RequestHandling(
            endpoints,
            preflight: preflight,
            precheck: precheck,
            render: render,
            unknownPath: { _, _ in APIError(.notFound, "nothing here") },
            otherMethod: otherMethod,
            user: { credential, _, _ in user(of: credential) }
        ),
        settings: settings,
        storedProperties: storedProperties,
        readSeed: readSeed,
        bind: { $0.issuer = $1.issuer },
        refusal: { status, _, _, _ in Response(status: status) },
        faultAnswer: { order, state, _, call in
            let failure = APIError(order.status, code: order.code ?? "", order.message ?? order.status.reasonPhrase)
            return render(failure, state: state, call: call)
        },
        mintToken: { order, state, _, _ throws(Problem) in
            MintedToken(token: token(issuer: state.issuer, subject: order.user), expiresAt: nil)
        },
        endTokens: { _, _, _ in true },
        endCredential: { credential, _, _, _ in user(of: credential) != nil }
    ) {
        $0.readScenario = ScenarioContent.reader(apply: apply)
        $0.journalled = journalled
    }

    static let settings: [SettingDeclaration<State>] = [
        .choice("check.mode", "How tokens are checked", { $0.mode }, { $0.mode = $1 }),
        SettingDeclaration(
            "greeting",
            .text,
            "What it says",
            get: { .string($0.greeting) },
            set: { $0.greeting = $1.stringValue ?? "" }
        ),
    ]

    /// Answers below `/early` before any route, counts visits of unknown paths, and turns the third away.
    static func preflight(
        _ state: inout State,
        _ core: inout WorldCore,
        _ call: inout Call
    ) throws(APIError) -> Response? {
        guard call.path.segments.first == "early" || call.route == "/notes/{id}" && call.fields["X-Early"] != nil else {
            return nil
        }
        call.answerFields.append("X-Route", call.route ?? "none")
        guard state.visits.count("early", length: .seconds(60), now: call.now).used < 3 else {
            throw APIError(.tooManyRequests, "too early")
        }
        call.hidesRequestID = true
        return Response(status: .noContent)
    }

    static let endpoints: [NotesEndpoint] = [
        Endpoint(
            .get,
            "/notes/{id}",
            "One note",
            provenance: .documented,
            authentication: .optional,
            bodyLimit: 0,
            answers: [.json(NoteAnswer.self, "The note"), AnswerDeclaration(.notFound, "No such note", .none)],
            metadata: 1
        ) { state, _, call throws(APIError) in
            guard let note = state.notes[call.parameters[0]] else { throw APIError(.notFound, "no such note") }
            var writer = ResponseWriter(epoch: call.epoch, dates: .milliseconds)
            writer.write(NoteAnswer(note: note))
            return Response(status: .ok, body: .bytes(writer.json.bytes))
        },
        Endpoint(
            .post,
            "/notes",
            "A new note",
            provenance: .documented,
            body: .json(NewNote.self, example: ["text": "milk"]),
            bodyLimit: 1_000,
            answers: [
                .json(NoteAnswer.self, "Written", status: .created),
                AnswerDeclaration(.badRequest, "No text", .text(contentType: "text/plain")),
                AnswerDeclaration(.badRequest, "Not JSON", .text(contentType: "text/plain")),
            ],
            metadata: 2
        ) { state, core, call throws(APIError) in
            guard let object = (try? JSONReader.read(call.request.body.bytes))?.objectValue else {
                throw APIError(.badRequest, "not JSON")
            }
            let (value, issues) = NewNote.read(object)
            guard issues.isEmpty else { throw APIError(.badRequest, "no text") }
            var stream = core.randomness.stream("notes.id")
            let id = stream.text(length: 8, from: Array("abcdefgh".utf8))
            let note = Note(id: id, owner: "ada", text: value.text, writtenAt: .at(call.now))
            state.notes.insert(note)
            core.outbox.post(Outbox.Message(to: "ada", kind: .push, api: "notes", at: call.now))
            var writer = ResponseWriter(epoch: call.epoch, dates: .milliseconds)
            writer.write(NoteAnswer(note: note))
            return Response(status: .created, body: .bytes(writer.json.bytes))
        },
        Endpoint(
            .post,
            "/slow",
            "An answer in two parts, noted when the second leaves",
            provenance: .assumed,
            authentication: .none,
            credential: .body("token"),
            bodyLimit: 1_000,
            answers: [AnswerDeclaration(.ok, "Parts", .eventStream(description: "two parts"))],
            metadata: 3
        ) { _, core, call throws(APIError) in
            let name = core.name
            let effect = call.effect { (state: inout State, _: inout WorldCore, now) in
                state.delivered.append("\(name) \(now.seconds)")
            }
            return Response(
                status: .ok,
                body: .steps([.bytes(Array("one".utf8)), effect, .bytes(Array("two".utf8)), .end])
            )
        },
        Endpoint(
            .get,
            "/numbered",
            "Has a rule of its own for the request id",
            provenance: .planned,
            authentication: .none,
            bodyLimit: 0,
            answers: [AnswerDeclaration(.noContent, "Nothing", .none)],
            metadata: 4
        ) { _, core, _ throws(APIError) in
            Response(status: .noContent, fields: ["X-Request-Id": "own-\(core.counters.next("numbered"))"])
        },
    ]

    static func readSeed(_ files: SeedFiles) throws(SeedError) -> State {
        var state = State()
        state.notes = Table(try files.table("notes.json", of: Note.self))
        return state
    }

    /// No part of the state is derived from another.
    static let storedProperties: [StatePart<State>] = [
        .table("notes", \.notes),
        .windows("visits", \.visits),
        .value("delivered", \.delivered),
        .settings("mode", \.mode),
        .derived("greeting"),
        .derived("issuer"),
    ]

    static func precheck(
        _ state: inout State,
        _ core: inout WorldCore,
        _ call: inout Call,
        _ endpoint: NotesEndpoint
    ) throws(APIError) {
        guard state.mode == .strict, endpoint.authentication == .bearer, call.bearerToken == nil else { return }
        throw APIError(.unauthorized, "who are you")
    }

    static func render(_ failure: APIError, state: State, call: Call) -> Response {
        Response(status: failure.status, fields: failure.fields, body: .bytes(Array(failure.message.utf8)))
    }

    static func otherMethod(state: State, call: Call, allowed: [HTTPMessage.HTTPMethod]) throws(APIError) -> Response {
        throw APIError(.methodNotAllowed, "not so", fields: Fields(allowing: allowed))
    }

    static func user(of credential: String) -> CallUser? {
        TokenText.payload(of: credential)?["sub"]?.stringValue.map { CallUser(id: $0, email: nil) }
    }

    struct Change: Decodable, Sendable {
        var note: String
        var text: String
    }

    static func apply(_ change: Change, to state: inout State, core: inout WorldCore, epoch: Epoch) -> [String] {
        state.notes.update(change.note) { $0.text = change.text } == nil ? [] : ["notes/\(change.note)"]
    }

    static func journalled(_ fields: Fields) -> Fields {
        var shown = fields
        if fields.contains("X-Secret") { shown.set("X-Secret", "***") }
        return shown
    }

    static func token(issuer: String, subject: String = "ada") -> String {
        let payload: JSON = ["iss": .string(issuer), "sub": .string(subject)]
        return JWT.signed(
            header: Array(#"{"alg":"HS256"}"#.utf8),
            payload: payload.serialized(),
            key: .hs256(HMACKey(secret: Array("secret".utf8)))
        )
    }
}

extension NotesAPI {
    static let seedText = """
        [
          {"id": "n1", "owner": "ada", "text": "first", "writtenAt": "T0-PT2H"},
          {"id": "n2", "owner": "bob", "text": "second", "writtenAt": "D0+P1D"}
        ]
        """

    static func seedFiles(_ text: String = seedText) -> SeedFiles {
        SeedFiles([SeedFiles.File(name: "notes.json", place: "seeds/notes/notes.json", bytes: Array(text.utf8))])
    }
}
