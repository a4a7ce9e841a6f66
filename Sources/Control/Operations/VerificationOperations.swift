import Backend
import Basics
import CivilTime
import Conditions
import Engine
import HTTPMessage
import JSON
import Journal

/// Counting and verification (control contract, section 11).
enum VerificationOperations {
    static let all: [ControlOperation] = [
        ControlOperation(
            .post,
            "/requests/count",
            "Counts matching requests in the journal",
            body: .json(
                name: "CountOrder",
                schema: .closed(Matcher.property),
                isRequired: false,
                example: ["match": ["method": "POST", "path": "/api/v1/auth/*"]]
            ),
            answers: [
                Schemas.answer(
                    "RequestCount",
                    Schemas.object([("count", .integer())], optional: [("dropped", .integer(minimum: 1))]),
                    "The number of matching requests, and of entries that the journal has dropped"
                )
            ],
            act: { call throws(Problem) in try count(call).reply }
        ),
        ControlOperation(
            .post,
            "/verify",
            "Verifies received requests against expectations",
            body: .json(
                name: "VerificationOrder",
                schema: Verification.schema,
                isRequired: false,
                example: [
                    "match": ["method": "POST", "path": "/api/v1/auth/refresh"], "count": ["exactly": 1],
                    "within": "PT2S",
                ]
            ),
            answers: [Schemas.answer("Verdict", Schemas.verdict, "The verdict, also if it is fail")],
            waiting: ControlWaiting(patience: patience, isVerification: true),
            act: { call throws(Problem) in
                let order = try read(call)
                let journal = call.emulator.journal(of: try call.world())
                let hosts = order.judgesHosts ? try call.otherHosts() : []
                return ControlJob.Work(isShort: isShort(journal, call), .searches) { wanted in
                    ControlAnswer.json(order.verdict(in: journal.entries, otherHosts: hosts, wanted))
                }.reply
            }
        ),
    ]

    /// Returns whether a search takes well under a millisecond, which depends on the journal and on the order.
    private static func isShort(_ journal: JournalCopy, _ call: ControlCall) -> Bool {
        journal.isShort && journal.entries.count * (64 + call.request.body.bytes.count) <= mostCompared
    }

    private static let mostCompared = 128 * 1_024

    private static func patience(_ call: ControlCall) throws(Problem) -> Interval? {
        let order = try read(call)
        guard let within = order.within else { return nil }
        let hosted = try call.world()
        let hosts = order.judgesHosts ? try call.otherHosts() : []
        var watch = VerificationWatch(order, hosted.world, otherHosts: hosts)
        // A worker searches a long journal.
        if isShort(call.emulator.journal(of: hosted), call) {
            watch.catchUp(hosted.world)
            guard watch.settled == nil else { return nil }
        }
        call.memo.watch = watch
        return within
    }

    private static func count(_ call: ControlCall) throws(Problem) -> ControlJob.Work {
        let journal = call.emulator.journal(of: try call.world())
        let order = VerificationOrder(call)
        guard call.request.body.bytes.count <= ControlAPI.longestRead else {
            return ControlJob.Work(isShort: false, .searches) { wanted throws(Problem) in
                counted(try order.matcher(), journal, wanted)
            }
        }
        let matcher = try order.matcher()
        return ControlJob.Work(isShort: matcher.isAnything || isShort(journal, call), .searches) { wanted in
            counted(matcher, journal, wanted)
        }
    }

    private static func counted(_ matcher: Matcher, _ journal: JournalCopy, _ wanted: Wanted) -> Response {
        var count = 0
        if matcher.isAnything {
            count = journal.entries.count
        } else {
            var search = JournalSearch(matcher)
            journal.entries.forEachPlaceNewestFirst { place in
                if search.takes(place) { count += 1 }
                return wanted.holds
            }
        }
        var answer: JSONObject = ["count": .integer(Int64(count))]
        if journal.entries.dropped > 0 { answer.append("dropped", .integer(Int64(journal.entries.dropped))) }
        return ControlAnswer.json(.object(answer))
    }

    private static func read(_ call: ControlCall) throws(Problem) -> Verification {
        if let known = call.memo.verification { return known }
        let order = try VerificationOrder(call).read().get()
        call.memo.verification = order
        return order
    }
}
