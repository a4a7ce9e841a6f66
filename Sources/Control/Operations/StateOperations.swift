import Emulation
import HTTPMessage
import JSON

/// The whole world as one document, out and in (control contract, section 4).
enum StateOperations {
    private static let document = Schemas.object([
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
    ])

    static let all: [ControlOperation] = [
        ControlOperation(
            .get,
            "/state",
            "The whole world as one document",
            answers: [Schemas.answer("WorldDocument", document, "The world")]
        ) { call throws(ControlFault) in
            ControlAnswer.json(call.emulator.dump(try call.world(), at: call.real).document)
        },
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
            answers: [Schemas.answer("World", Schemas.world, "The world as it is now")]
        ) { call throws(ControlFault) in
            let slot = try call.world()
            try call.emulator.load(try call.object(depth: StateDepth.maximum), into: slot, at: call.real)
            _ = call.conductor.cut(world: slot.key, api: nil)
            call.emulator.forgetHeld(in: slot, api: nil)
            call.emulator.note(.world, in: slot, ["action": "imported", "name": .string(slot.world.name)])
            _ = ClockOperations.moved(slot, call)
            return ControlAnswer.json(WorldOperations.json(slot, call.real))
        },
    ]
}
