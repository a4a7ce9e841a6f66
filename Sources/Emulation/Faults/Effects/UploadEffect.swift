import HTTPMessage
import JSON

/// An upload that is read slowly, read only in part, refused at the head, or reset.
struct UploadEffect: FaultEffect {
    let action: FaultBehavior.UploadAction

    var behavior: FaultBehavior { .actsOnUpload(action) }

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
                    ])
                )
            ])
        ],
        examples: [
            ["upload": ["readBytesPerSecond": 100]], ["upload": ["stopAfterBytes": 10]],
            ["upload": ["rejectEarly": 413]], ["upload": ["resetAfterBytes": 10]],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"upload":{"readBytesPerSecond":n}}`, `{"stopAfterBytes":n}`, `{"rejectEarly":413}`, "#
                    + #"`{"resetAfterBytes":n}`"#,
                "uploads that are read slowly, not to their end, refused at the head, or reset. Decided when the head"
                    + " has come, before all other faults: `match.body` can't be used"
            )
        ],
        builders: [
            EffectBuilder(
                "uploadRead",
                "An upload that is read no faster than that.",
                [.integer("bytesPerSecond", "upload.readBytesPerSecond")]
            ),
            EffectBuilder(
                "uploadStop",
                "An upload that is no longer read after that many bytes.",
                [.integer("afterBytes count", "upload.stopAfterBytes")]
            ),
            EffectBuilder(
                "uploadReject",
                "An upload that is refused before it ends.",
                [.integer("_ status", "upload.rejectEarly")]
            ),
            EffectBuilder(
                "uploadReset",
                "An upload whose connection is reset after that many bytes.",
                [.integer("afterBytes count", "upload.resetAfterBytes")]
            ),
        ]
    )

    static func read(_ check: inout BodyCheck) -> UploadEffect? {
        check.inner("upload", readAction).map { UploadEffect(action: $0) }
    }

    private static func readAction(_ check: inout BodyCheck) -> FaultBehavior.UploadAction? {
        let names = ["readBytesPerSecond", "stopAfterBytes", "rejectEarly", "resetAfterBytes"]
        switch check.exactlyOne(of: names) {
        case "readBytesPerSecond":
            return check.requiredInteger("readBytesPerSecond", in: EffectNumbers.rate).map { .read(bytesPerSecond: $0) }
        case "stopAfterBytes":
            return check.requiredInteger("stopAfterBytes", in: EffectNumbers.bytes).map { .stop(afterBytes: $0) }
        case "rejectEarly": return check.requiredInteger("rejectEarly", in: 400...599).map { .reject(Status($0)) }
        case .some:
            return check.requiredInteger("resetAfterBytes", in: EffectNumbers.bytes).map { .reset(afterBytes: $0) }
        case nil: return nil
        }
    }
}
