import CivilTime
import Emulation
import HTTPMessage
import JSON

/// Counting and verification (control contract, section 11).
enum VerificationOperations {
    static let all: [ControlOperation] = [
        ControlOperation(
            .post,
            "/requests/count",
            "How many requests of the journal match",
            body: .json(
                name: "CountOrder",
                schema: Schemas.closed(optional: [("match", Schemas.match)]),
                isRequired: false,
                example: ["match": ["method": "POST", "path": "/api/v1/auth/*"]]
            ),
            answers: [Schemas.answer("RequestCount", Schemas.object([("count", .integer())]), "How many")]
        ) { call throws(ControlFault) in
            let slot = try call.world()
            var check = BodyCheck(try call.object())
            let apis = call.emulator.apis.map(\.identity.name)
            let matcher = Matcher.read(&check, apis: apis, scope: call.api.map { apis[$0] })
            try check.finish()
            var count = 0
            slot.world.journal.forEachNewestFirst { entry in
                if matcher.matches(entry) { count += 1 }
                return true
            }
            return ControlAnswer.json(["count": .integer(Int64(count))])
        },
        ControlOperation(
            .post,
            "/verify",
            "Whether the requests came that were expected",
            body: .json(
                name: "VerificationOrder",
                schema: Schemas.verificationOrder,
                isRequired: false,
                example: [
                    "match": ["method": "POST", "path": "/api/v1/auth/refresh"], "count": ["exactly": 1],
                    "within": "PT2S",
                ]
            ),
            answers: [Schemas.answer("Verdict", Schemas.verdict, "The verdict, whatever it is")],
            patience: { call throws(ControlFault) in
                let order = try read(call)
                guard order.within != nil else { return nil }
                return order.patience(order.find(in: try call.world().world.journal))
            }
        ) { call throws(ControlFault) in
            ControlAnswer.json(try read(call).verdict(in: try call.world().world.journal))
        },
    ]

    private static func read(_ call: ControlCall) throws(ControlFault) -> Verification {
        if let known = call.memo.verification { return known }
        let order = try Verification(call)
        call.memo.verification = order
        return order
    }
}
