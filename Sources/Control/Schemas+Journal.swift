import JSON

/// The schemas of verdicts and archives (control contract, section 11).
extension Schemas {
    static let verdict = object(
        [
            ("verdict", .string(enumeration: Verification.Verdict.allCases.map(\.rawValue))), ("count", .integer()),
            ("nearMisses", .array(object([("id", .string()), ("differences", .array(.string()))]))),
        ],
        optional: [("reason", .string()), ("dropped", .integer(minimum: 1))]
    )

    private static let archivePairs = JSONSchema.array(object([("name", .string()), ("value", .string())]))

    private static let archiveRequest = object(
        [
            ("method", .string()), ("url", .string()), ("httpVersion", .string()), ("cookies", archivePairs),
            ("headers", archivePairs), ("queryString", archivePairs), ("headersSize", .integer()),
            ("bodySize", .integer()),
        ],
        optional: [("postData", object([("mimeType", .string()), ("params", .array(.any)), ("text", .string())]))]
    )

    private static let archiveResponse = object(
        [
            ("status", .integer()), ("statusText", .string()), ("httpVersion", .string()), ("cookies", archivePairs),
            ("headers", archivePairs),
            (
                "content",
                object(
                    [("size", .integer()), ("mimeType", .string())],
                    optional: [("text", .string()), ("encoding", .string()), ("comment", .string())]
                )
            ),
            ("redirectURL", .string()), ("headersSize", .integer()), ("bodySize", .integer()),
        ],
        optional: [("_error", .string())]
    )

    private static let archiveTimings = object(
        ["blocked", "dns", "connect", "send", "wait", "receive", "ssl"].map {
            ($0, .boundedNumber(minimum: -1))
        }
    )

    /// HAR 1.2 with our own members.
    static let archive = object([
        (
            "log",
            object(
                [
                    ("version", .string()), ("creator", object([("name", .string()), ("version", .string())])),
                    ("pages", .array(.any)),
                    (
                        "entries",
                        .array(
                            object(
                                [
                                    ("startedDateTime", instant), ("time", .number), ("request", archiveRequest),
                                    ("response", archiveResponse), ("cache", object([])), ("timings", archiveTimings),
                                    ("_world", .string()), ("_virtualTime", instant),
                                ],
                                optional: [
                                    ("connection", .string()), ("_peer", .string()), ("_gate", .string()),
                                    ("_replayOf", .string()), ("_fault", entryFault), ("_source", .string()),
                                    ("_stub", .string()),
                                    ("_eventSourceMessages", .array(.any)), ("_tls", tls),
                                ]
                            )
                        )
                    ),
                ],
                optional: [("_notes", .array(.any))]
            )
        )
    ])
}
