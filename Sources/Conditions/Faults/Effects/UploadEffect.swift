import Backend
import CivilTime
import HTTPMessage
import JSON

/// An upload that is read slowly, read only in part, refused at the head, reset, or kept waiting for `100 Continue`.
struct UploadEffect: FaultEffect {
    let action: FaultBehavior.UploadAction

    var behavior: FaultBehavior { .actsOnUpload(action) }

    private enum Continue: String, CaseIterable { case never }

    func obstacle(to request: MatchSubject) -> String? {
        guard case .withholdContinue = action, !request.awaitsContinue else { return nil }
        return "no Expect"
    }

    static let declaration = EffectDeclaration(
        "upload",
        forms: [
            .closed([
                (
                    "upload",
                    .oneOf([
                        .closed([("readBytesPerSecond", EffectNumbers.positiveSchema)]),
                        .closed([("stopAfterBytes", EffectNumbers.countSchema)]),
                        .closed([("rejectEarly", .integer(minimum: 400, maximum: 599))]),
                        .closed([("resetAfterBytes", EffectNumbers.countSchema)]),
                        .closed([("continue", .words(Continue.self))]),
                        .closed([("continueAfterMs", EffectNumbers.millisecondsSchema)]),
                    ])
                )
            ])
        ],
        examples: [
            ["upload": ["readBytesPerSecond": 100]], ["upload": ["stopAfterBytes": 10]],
            ["upload": ["rejectEarly": 413]], ["upload": ["resetAfterBytes": 10]], ["upload": ["continue": "never"]],
            ["upload": ["continueAfterMs": 100]],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"upload":{"readBytesPerSecond":n}}`, `{"stopAfterBytes":n}`, `{"rejectEarly":413}`, "#
                    + #"`{"resetAfterBytes":n}`"#,
                "uploads that are read slowly, read in part, rejected at the head, or reset. Decided when the head"
                    + " has arrived, before all other faults: `match.body` can't be used"
            ),
            EffectDeclaration.Row(
                #"`{"upload":{"continue":"never"}}`, `{"continueAfterMs":n}`"#,
                "no `100 Continue` for a client that sends `Expect: 100-continue`, or one that comes n ms late; the content"
                    + " is awaited. Decided when the head has arrived, too"
            ),
        ],
        builders: [
            EffectBuilder(
                "uploadRead",
                "Limits the rate at which an upload is read.",
                [.integer("bytesPerSecond", "upload.readBytesPerSecond")]
            ),
            EffectBuilder(
                "uploadStop",
                "Stops reading an upload after a number of bytes.",
                [.integer("afterBytes count", "upload.stopAfterBytes")]
            ),
            EffectBuilder(
                "uploadReject",
                "Rejects an upload before it ends.",
                [.integer("_ status", "upload.rejectEarly")]
            ),
            EffectBuilder(
                "uploadReset",
                "Resets the connection of an upload after a number of bytes.",
                [.integer("afterBytes count", "upload.resetAfterBytes")]
            ),
            EffectBuilder(
                "uploadContinue",
                "Never writes the `100 Continue` that an upload waits for.",
                [
                    .choice(
                        "_ answer",
                        "upload.continue",
                        EffectBuilder.Choice("Continue", "A time at which `100 Continue` is written.", Continue.self)
                    )
                ]
            ),
            EffectBuilder(
                "uploadContinue",
                "Delays the `100 Continue` that an upload waits for.",
                [.integer("afterMilliseconds milliseconds", "upload.continueAfterMs")]
            ),
        ]
    )

    static func read(_ check: inout BodyCheck) -> UploadEffect? {
        check.inner("upload", readAction).map { UploadEffect(action: $0) }
    }

    private static func readAction(_ check: inout BodyCheck) -> FaultBehavior.UploadAction? {
        let names = [
            "readBytesPerSecond", "stopAfterBytes", "rejectEarly", "resetAfterBytes", "continue", "continueAfterMs",
        ]
        switch check.exactlyOne(of: names) {
        case "readBytesPerSecond":
            return check.requiredInteger("readBytesPerSecond", in: EffectNumbers.rate).map { .read(bytesPerSecond: $0) }
        case "stopAfterBytes":
            return check.requiredInteger("stopAfterBytes", in: EffectNumbers.bytes).map { .stop(afterBytes: $0) }
        case "rejectEarly": return check.requiredInteger("rejectEarly", in: 400...599).map { .reject(Status($0)) }
        case "continue": return check.choice("continue", Continue.self).map { _ in .withholdContinue(until: nil) }
        case "continueAfterMs":
            return check.requiredInteger("continueAfterMs", in: EffectNumbers.milliseconds)
                .map { .withholdContinue(until: .milliseconds(Int64($0))) }
        case .some:
            return check.requiredInteger("resetAfterBytes", in: EffectNumbers.bytes).map { .reset(afterBytes: $0) }
        case nil: return nil
        }
    }
}
