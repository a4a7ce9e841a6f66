import Backend
import Basics
import Engine
import HTTPMessage
import JSON
import Journal
import Worlds

/// The export and import of a whole world as one document (control contract, section 4).
enum StateOperations {
    private static let document = Schemas.object(
        [
            ("format", .string(enumeration: ["understudy-world"])), ("version", .integer()), ("name", .string()),
            ("seed", .integer()), ("createdAt", Schemas.instant), ("clock", .object(JSONSchema.Object())),
            ("startClock", .object(JSONSchema.Object())), ("crossOrigin", .object(JSONSchema.Object())),
            ("startCrossOrigin", .object(JSONSchema.Object())),
            ("requests", .integer()), ("lastSeq", .integer()),
            ("posted", .integer()), ("scenarios", .array(.object(JSONSchema.Object()))),
            ("faults", .object(JSONSchema.Object())), ("latency", .object(JSONSchema.Object())),
            ("gates", .object(JSONSchema.Object())), ("counters", .array(.object(JSONSchema.Object()))),
            ("randomness", .array(.object(JSONSchema.Object()))), ("outbox", .array(.object(JSONSchema.Object()))),
            ("apis", .object(JSONSchema.Object())), ("journal", .array(.object(JSONSchema.Object()))),
        ],
        optional: [
            ("stubs", .object(JSONSchema.Object())), ("overrun", .boolean), ("conduct", .object(JSONSchema.Object())),
            ("startConduct", .object(JSONSchema.Object())),
        ]
    )

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/state",
            "Exports the whole world as one document",
            reads: .seed,
            answers: [Schemas.answer("WorldDocument", document, "The world")],
            act: { call throws(Problem) in
                let dump = call.emulator.dump(try call.world(), at: call.hostTime)
                return ControlJob.Work(isShort: false) { wanted in written(dump, wanted) }.reply
            }
        ),
        ControlOperation(
            .put,
            "/state",
            "Replaces the world with the one in a document; the name stays",
            reads: [.scenarios, .seed],
            body: .json(
                name: "ImportedWorld",
                schema: document,
                isRequired: true,
                example: nil
            ),
            answers: [Schemas.answer("World", Schemas.world, "The imported world")],
            act: { call throws(Problem) in
                let document = reading(call, try call.world())
                let isShort = call.request.body.bytes.count <= longestInPlace
                return isShort ? .now(document.finish(document.read(), call.hostTime)) : .job(.importing(document))
            }
        ),
    ]

    /// The length up to which a document is read on the loop; that of a world is never so short.
    private static let longestInPlace = 4_096

    private static func written(_ dump: WorldDump, _ wanted: Wanted) -> Response {
        var writer = PieceWriter()
        var separator = "{"
        dump.write { name, value in
            guard wanted.holds else { return }
            writer.append(text: separator)
            separator = ","
            writer.append(.string(name))
            writer.append(text: ":")
            switch value {
            case .whole(let json): writer.append(json)
            case .rows(let rows): writer.append(rows: rows.lazy.prefix { _ in wanted.holds })
            }
        }
        writer.append(text: "}")
        return writer.response()
    }

    private static func reading(_ call: ControlCall, _ hosted: Emulator.HostedWorld) -> ControlJob.Import {
        let reader = call.emulator.documentReader(at: call.hostTime)
        let depth = max(call.emulator.configuration.bounds.depth(), StateDepth.maximum)
        // The number of values of a world is not limited.
        let bounds = BodyBounds(jsonDepth: depth, jsonValues: .max)
        return ControlJob.Import(
            read: { [request = call.request, name = hosted.world.name] in
                do throws(Problem) {
                    let document = try ControlCall.object(try ControlCall.json(request, bounds))
                    return .success(try reader.world(document, named: name))
                } catch {
                    return .failure(error)
                }
            },
            finish: { result, hostTime in
                do throws(Problem) {
                    return try install(try result.get(), call, at: hostTime)
                } catch {
                    return error.response
                }
            }
        )
    }

    /// Replaces the world that the call acts on, if it still exists, by one that was read.
    private static func install(_ world: World, _ call: ControlCall, at hostTime: HostTime) throws(Problem) -> Response
    {
        var call = call
        let then = call.hostTime
        call.hostTime = hostTime
        let hosted = try call.world()
        call.emulator.install(world, in: hosted, readAt: then, at: hostTime)
        _ = call.host.cut(world: hosted.key, api: nil)
        call.emulator.forgetHeld(in: hosted, api: nil)
        call.emulator.note(.world, in: hosted, ["action": "imported", "name": .string(hosted.world.name)])
        _ = ClockOperations.moved(hosted, call)
        call.emulator.write(.imported, "A world was imported", in: hosted, at: hostTime)
        return ControlAnswer.json(WorldOperations.json(hosted, call.hostTime))
    }
}
