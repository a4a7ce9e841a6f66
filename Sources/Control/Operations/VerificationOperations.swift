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
            answers: [Schemas.answer("RequestCount", Schemas.object([("count", .integer())]), "How many")],
            act: { call throws(ControlFault) in try count(call).reply }
        ),
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
            waiting: ControlWaiting(patience: patience, look: look),
            act: { call throws(ControlFault) in
                let order = try read(call)
                let journal = call.emulator.journal(of: try call.world())
                return ControlWork(isShort: journal.isShort) { ControlAnswer.json(order.verdict(in: journal.entries)) }
                    .reply
            }
        ),
    ]

    private static func patience(_ call: ControlCall) throws(ControlFault) -> Interval? {
        let order = try read(call)
        guard let within = order.within else { return nil }
        let journal = call.emulator.journal(of: try call.world())
        // A long journal is looked through elsewhere, at once and again.
        return journal.isShort ? order.patience(order.find(in: journal.entries)) : within
    }

    private static func look(_ call: ControlCall) throws(ControlFault) -> ControlLook? {
        let order = try read(call)
        let journal = call.emulator.journal(of: try call.world())
        guard !journal.isShort else { return nil }
        return ControlLook {
            let isOpen = order.patience(order.find(in: journal.entries)) != nil
            return isOpen ? nil : ControlAnswer.json(order.verdict(in: journal.entries))
        }
    }

    private static func count(_ call: ControlCall) throws(ControlFault) -> ControlWork {
        let journal = call.emulator.journal(of: try call.world())
        var check = BodyCheck(try call.object())
        let apis = call.emulator.apis.map(\.identity.name)
        let matcher = Matcher.read(&check, apis: apis, scope: call.api.map { apis[$0] })
        try check.finish()
        return ControlWork(isShort: matcher.isAnything || journal.isShort) {
            var count = 0
            if matcher.isAnything {
                count = journal.entries.count
            } else {
                var search = JournalSearch(matcher)
                journal.entries.forEachPlaceNewestFirst { place in
                    if search.takes(place) { count += 1 }
                    return true
                }
            }
            return ControlAnswer.json(["count": .integer(Int64(count))])
        }
    }

    private static func read(_ call: ControlCall) throws(ControlFault) -> Verification {
        if let known = call.memo.verification { return known }
        let order = try Verification(call)
        call.memo.verification = order
        return order
    }
}
