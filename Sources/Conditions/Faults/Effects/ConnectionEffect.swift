import Backend
import CivilTime
import HTTPMessage
import JSON

/// A connection that fails, before a response or in the middle of one.
enum ConnectionEffect: FaultEffect {
    /// TCP RST, at once or in the middle of the body.
    case reset(afterBytes: Int?)
    /// Closed without a byte.
    case empty
    /// Nothing on an open socket, at once or in the middle of the body, without end or for that many milliseconds.
    case stall(forMilliseconds: Int?, afterBytes: Int?)
    /// Fewer bytes than announced; half of the body by default.
    case truncate(afterBytes: Int?)
    /// Random bytes instead of a response, inside TLS or in place of a record of TLS.
    case garbage(isBelowTLS: Bool)
    /// A good head, then broken chunk framing.
    case malformedChunk
    /// The whole response, then the end of the connection, that many milliseconds later.
    case close(afterMilliseconds: Int)

    private enum Word: String, CaseIterable {
        case reset, empty, stall, truncate, garbage
        case malformedChunk = "malformed-chunk"
        case close
    }

    private enum Layer: String, CaseIterable { case tls }

    var behavior: FaultBehavior {
        switch self {
        case .reset(nil), .empty, .stall(_, nil), .garbage: .replacesEndpoint(.ownAnswer)
        case .reset, .stall, .truncate, .malformedChunk: .shapesAnswer(.withContent)
        case .close: .shapesAnswer(.everyEnd)
        }
    }

    func obstacle(to request: MatchSubject) -> String? {
        guard case .close = self else { return nil }
        if request.version != .http11 { return EffectObstacle.otherVersion }
        return request.asksClose ? "closes anyway" : nil
    }

    static let declaration = EffectDeclaration(
        "connection",
        forms: [
            .closed(
                [("connection", .string(enumeration: ["reset", "truncate"]))],
                optional: [("afterBytes", EffectNumbers.countSchema)]
            ),
            .closed(
                [("connection", .string(enumeration: ["stall"]))],
                optional: [("afterBytes", EffectNumbers.countSchema), ("forMs", EffectNumbers.millisecondsSchema)]
            ),
            .closed([("connection", .string(enumeration: ["empty", "malformed-chunk"]))]),
            .closed(
                [("connection", .string(enumeration: ["close"]))],
                optional: [("afterMs", EffectNumbers.millisecondsSchema)]
            ),
            .closed(
                [("connection", .string(enumeration: ["garbage"]))],
                optional: [("layer", .string(enumeration: ["tls"]))]
            ),
        ],
        examples: [
            ["connection": "reset"], ["connection": "truncate", "afterBytes": 10],
            ["connection": "stall", "forMs": 1_000], ["connection": "stall", "afterBytes": 10], ["connection": "empty"],
            ["connection": "close", "afterMs": 100],
            ["connection": "garbage", "layer": "tls"],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"connection":"reset"}`, with `"afterBytes":n`"#,
                "a TCP RST at once, or after n bytes of the body, but before its last byte"
            ),
            EffectDeclaration.Row(#"`{"connection":"empty"}`"#, "the connection closes without a response"),
            EffectDeclaration.Row(
                #"`{"connection":"stall"}`, with `"forMs":n`, `"afterBytes":n`"#,
                "no bytes on an open connection, which is closed after n ms; with `afterBytes` the head and n bytes of the"
                    + " body, then nothing"
            ),
            EffectDeclaration.Row(
                #"`{"connection":"truncate"}`, with `"afterBytes":n`"#,
                "fewer bytes than Content-Length, half of them by default; a chunked body has no last chunk"
            ),
            EffectDeclaration.Row(
                #"`{"connection":"garbage"}`, with `"layer":"tls"`"#,
                "512 seeded bytes that are not HTTP; with `layer` in place of a TLS record, so not TLS either"
            ),
            EffectDeclaration.Row(#"`{"connection":"malformed-chunk"}`"#, "a valid head with malformed chunks"),
            EffectDeclaration.Row(
                #"`{"connection":"close"}`, with `"afterMs":n`"#,
                "the whole response without `Connection: close`; then the connection closes, at once or after n ms, unless"
                    + " a further request has begun. HTTP/1.1 only"
            ),
        ],
        words: Word.allCases.map { EffectDeclaration.Word($0.rawValue, ["connection": .string($0.rawValue)]) },
        builders: [
            EffectBuilder(
                "connection",
                "Breaks or ends the connection; `afterBytes` is for `reset`, `truncate` and `stall`, `forMilliseconds` for "
                    + "`stall`, `layer` for `garbage`, `afterMilliseconds` for `close`.",
                [
                    .choice(
                        "_ kind",
                        "connection",
                        EffectBuilder.Choice("Connection", "A way in which a connection fails.", Word.self)
                    ),
                    .integer("afterBytes", "afterBytes", isOptional: true),
                    .integer("forMilliseconds", "forMs", isOptional: true),
                    .choice(
                        "layer",
                        "layer",
                        EffectBuilder.Choice("Layer", "The layer whose bytes are corrupted.", Layer.self),
                        isOptional: true
                    ),
                    .integer("afterMilliseconds", "afterMs", isOptional: true),
                ]
            )
        ]
    )

    static func read(_ check: inout BodyCheck) -> ConnectionEffect? {
        guard let word = check.choice("connection", Word.self, meant: { FaultSymptom.of($0)?.hint(in: "connection") })
        else {
            for name in declaration.companions { _ = check.present(name) }
            return nil
        }
        switch word {
        case .reset: return .reset(afterBytes: check.count("afterBytes", in: EffectNumbers.bytes))
        case .truncate: return .truncate(afterBytes: check.count("afterBytes", in: EffectNumbers.bytes))
        case .stall:
            let count = check.count("afterBytes", in: EffectNumbers.bytes)
            return .stall(forMilliseconds: check.count("forMs", in: EffectNumbers.milliseconds), afterBytes: count)
        case .close: return .close(afterMilliseconds: check.count("afterMs", in: EffectNumbers.milliseconds) ?? 0)
        case .empty: return .empty
        case .garbage: return .garbage(isBelowTLS: check.choice("layer", Layer.self) != nil)
        case .malformedChunk: return .malformedChunk
        }
    }

    /// The most bytes of a response after which it is still cut.
    private static func last(of response: Response) -> Int { max(response.body.content.count - 1, 0) }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        switch self {
        case .reset(nil): return .silent([.abort])
        case .empty: return .silent([.close])
        case .stall(let milliseconds, let count):
            let ending = milliseconds.map { [.wait(.milliseconds(Int64($0)), context.waiting), .close] } ?? [Step.hold]
            guard let count else { return .silent(ending) }
            return response.cut(after: min(count, Self.last(of: response)), ending)
        case .close(let milliseconds):
            var last = response
            last.closesConnection = false
            if last.fields.listElements(.connection).contains("close") { last.fields.remove(.connection) }
            last.prelude.insert(.closeAfter(.milliseconds(Int64(milliseconds)), context.waiting), at: 0)
            return last
        case .garbage(let isBelowTLS):
            // The first byte never begins a status line.
            var bytes = (0..<512).map { _ in UInt8(truncatingIfNeeded: context.random.next()) }
            bytes[0] |= 0x80
            return .silent([isBelowTLS ? .belowTLS(bytes) : .raw(bytes), .close])
        case .reset(let count?):
            // The wait lets the bytes leave before the reset overtakes them.
            return response.cut(
                after: min(count, Self.last(of: response)),
                [.wait(.milliseconds(20), .either), .abort]
            )
        case .truncate(let count):
            let last = Self.last(of: response)
            return response.cut(after: min(count ?? (last + 1) / 2, last), [.close])
        case .malformedChunk:
            var broken = response
            let content = response.body.content
            let wrong = "\(String(content.count, radix: 16))zz\r\n"
            broken.framing = .chunked
            broken.body = .steps([.raw(Array(wrong.utf8) + content + Array("\r\n".utf8)), .close])
            return broken
        }
    }
}
