import Emulation
import HTTPMessage
import JSON
import Locking

/// The whole world as one document, out and in (control contract, section 4).
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
        optional: [("overrun", .boolean)]
    )

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/state",
            "The whole world as one document",
            answers: [Schemas.answer("WorldDocument", document, "The world")],
            act: { call throws(ControlFault) in
                let dump = call.emulator.dump(try call.world(), at: call.real)
                return ControlWork(isShort: false) { wanted in written(dump, wanted) }.reply
            }
        ),
        ControlOperation(
            .put,
            "/state",
            "Puts the world of a document in the place of this one, which keeps its name",
            body: .json(
                name: "ImportedWorld",
                schema: document,
                isRequired: true,
                example: nil
            ),
            answers: [Schemas.answer("World", Schemas.world, "The world as it is now")],
            act: { call throws(ControlFault) in
                let document = reading(call, try call.world())
                let isShort = call.request.body.bytes.count <= longestInPlace
                return isShort ? .now(document.finish(document.read(), call.real)) : .importing(document)
            }
        ),
    ]

    /// A shorter document is read where it is; that of a world is never so short.
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

    private static func reading(_ call: ControlCall, _ slot: Emulator.Slot) -> ControlImport {
        let reader = call.emulator.documentReader(at: call.real)
        let depth = max(call.emulator.configuration.bounds.depth(), StateDepth.maximum)
        // A world has as many values as it has.
        let bounds = BodyBounds(jsonDepth: depth, jsonValues: .max)
        return ControlImport(
            read: { [request = call.request, name = slot.world.name] in
                do throws(ControlFault) {
                    let document = try ControlCall.object(try ControlCall.json(request, bounds))
                    return .success(try reader.world(document, named: name))
                } catch {
                    return .failure(error)
                }
            },
            finish: { result, real in
                do throws(ControlFault) {
                    return try install(try result.get(), call, at: real)
                } catch {
                    return error.response
                }
            }
        )
    }

    /// Puts a world that was read in the place of the one that the call means, if that is still there.
    private static func install(_ world: World, _ call: ControlCall, at real: RealTime) throws(ControlFault) -> Response
    {
        var call = call
        let then = call.real
        call.real = real
        let slot = try call.world()
        call.emulator.install(world, in: slot, readAt: then, at: real)
        _ = call.conductor.cut(world: slot.key, api: nil)
        call.emulator.forgetHeld(in: slot, api: nil)
        call.emulator.note(.world, in: slot, ["action": "imported", "name": .string(slot.world.name)])
        _ = ClockOperations.moved(slot, call)
        return ControlAnswer.json(WorldOperations.json(slot, call.real))
    }
}
