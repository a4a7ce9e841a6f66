import Backend
import Basics
import Engine
import HTTPMessage
import JSON
import Journal

/// Comparisons of exchanges and of worlds (console contract, section 9).
enum CompareOperations {
    private static let request = BodyMember("request", .string())
    private static let world = BodyMember("world", .string())
    private static let side = JSONSchema.closed(request.property, world.property)
    static let difference = Schemas.object([("path", .string())], optional: [("a", .any), ("b", .any)])

    private static let pair = Schemas.object(
        [
            ("state", .string(enumeration: ["same", "changed", "missing", "extra"])), ("api", .string()),
            ("method", .string()), ("route", .string()), ("differences", .integer(minimum: 0)),
        ],
        optional: [("a", .string()), ("b", .string())]
    )

    static let all: [ControlOperation] = [
        ControlOperation(
            .post,
            "/compare",
            "Compares two exchanges, or the exchanges of two worlds",
            reads: .seed,
            body: .json(
                name: "ComparisonOrder",
                schema: .closed(JSONSchema.Property("a", side), JSONSchema.Property("b", side)),
                isRequired: true,
                example: ["a": ["request": "req_1"], "b": ["request": "req_2"]]
            ),
            answers: [
                Schemas.answer(
                    "Comparison",
                    Schemas.object(
                        [("same", .boolean)],
                        optional: [
                            ("differences", .array(difference)), ("truncated", .boolean),
                            ("ignored", .array(.string())),
                            ("items", .array(pair)),
                        ]
                    ),
                    "The differences, or the exchanges side by side"
                )
            ],
            act: compare
        )
    ]

    private struct Side {
        var request: String?
        var world: String?
    }

    private static func compare(_ call: ControlCall) throws(Problem) -> ControlDecision {
        var check = BodyCheck(try call.object())
        let (a, b) = (side("a", &check), side("b", &check))
        if let a, let b, (a.request == nil) != (b.request == nil) {
            check.fault("give an exchange on both sides, or a world on both")
        }
        try check.finish()
        guard let a, let b else { return .now(ControlAnswer.nothing) }
        let (left, right) = (try journal(a, call), try journal(b, call))
        let api = call.scope
        return ControlJob.Work(isShort: false) { (_: Wanted) throws(Problem) in
            guard let first = a.request, let second = b.request else {
                return ControlAnswer.json(WorldComparison(left.hashed, right.hashed, api: api).json)
            }
            let comparison = ExchangeComparison(
                try entry(first, in: left, api: api),
                try entry(second, in: right, api: api)
            )
            return ControlAnswer.json(comparison.json)
        }.reply
    }

    private static func side(_ name: String, _ check: inout BodyCheck) -> Side? {
        if check.value(name) == nil { check.fault(name, "is required") }
        return check.inner(name) { inner in
            let side = Side(request: inner.read(request), world: inner.read(world))
            if side.request == nil, side.world == nil { inner.fault("must have a request, or a world") }
            return side
        }
    }

    private static func journal(_ side: Side, _ call: ControlCall) throws(Problem) -> JournalCopy {
        // Two worlds that are named need no other.
        guard let name = side.world else { return call.emulator.journal(of: try call.world()) }
        guard let hosted = call.emulator[world: name] else { throw Emulator.unknownWorld(name) }
        return call.emulator.journal(of: hosted)
    }

    private static func entry(_ id: String, in journal: JournalCopy, api: String?) throws(Problem) -> JournalEntry {
        guard let entry = journal.hashed.entry(of: id, api: api) else {
            throw Problem(.notFound, "The journal has no exchange \"\(id.cut)\"; it drops the oldest when full.")
        }
        return entry
    }
}
