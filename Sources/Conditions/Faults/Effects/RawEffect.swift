import Backend
import CivilTime
import Crypto
import HTTPMessage
import JSON

/// Bytes in place of a response, which nothing checks (wire contract, section 4).
struct RawEffect: FaultEffect {
    /// The connection once the bytes are sent.
    private enum Then: String, CaseIterable { case close, keep, stall, reset }

    private let bytes: [UInt8]
    private let then: Then

    var behavior: FaultBehavior { .replacesEndpoint(.ownAnswer) }

    /// The members that hold the bytes; an order has exactly one of them.
    private static let contents = ["text", "base64"]

    static let declaration = EffectDeclaration(
        "raw",
        forms: [
            .closed([
                (
                    "raw",
                    .oneOf(contents.map { .closed([($0, .string())], optional: [("then", .words(Then.self))]) })
                )
            ])
        ],
        examples: [
            ["raw": ["text": "HTTP/1.1 204 No Content\r\n\r\nmilk", "then": "keep"]], ["raw": ["base64": "AAE="]],
        ],
        rows: [
            EffectDeclaration.Row(
                #"`{"raw":{"text":"…","then":"keep"}}`, with `"base64"` instead of `"text"`"#,
                "exactly these bytes in place of a response, unchecked and at most 1 MiB; then the connection closes, or with"
                    + " `then` it is kept (`keep`), nothing more is sent on it (`stall`), or it is reset (`reset`). HTTP/1.1"
                    + " only"
            )
        ],
        builders: contents.map { name in
            EffectBuilder(
                "raw",
                "Sends these bytes in place of a response" + (name == "base64" ? ", given in base64." : "."),
                [
                    .string(name, "raw.\(name)"),
                    .choice(
                        "then",
                        "raw.then",
                        EffectBuilder.Choice("AfterRaw", "The connection once raw bytes are sent.", Then.self),
                        isOptional: true
                    ),
                ]
            )
        },
        contents: contents
    )

    static func read(_ check: inout BodyCheck) -> RawEffect? { check.inner("raw", readBytes) }

    private static func readBytes(_ check: inout BodyCheck) -> RawEffect? {
        let then = check.choice("then", Then.self) ?? .close
        guard let form = check.exactlyOne(of: contents), let text = check.string(form) else { return nil }
        guard let bytes = form == "text" ? Array(text.utf8) : Base64.decode(text.utf8) else {
            check.fault(form, "is not base64 with padding (RFC 4648 section 4)")
            return nil
        }
        guard bytes.count <= RespondEffect.largestContent else {
            check.fault(form, "must be at most \(RespondEffect.largestContent) bytes")
            return nil
        }
        return RawEffect(bytes: bytes, then: then)
    }

    func obstacle(to request: MatchSubject) -> String? {
        request.version == .http11 ? nil : EffectObstacle.otherVersion
    }

    func apply(to response: Response, _ context: inout EffectContext) -> Response {
        var raw = Response(status: Self.finalStatus(in: bytes))
        let ending: [Step] =
            switch then {
            case .close: [.close]
            case .keep: [.end]
            case .stall: [.hold]
            // The wait lets the bytes leave before the reset overtakes them.
            case .reset: [.wait(.milliseconds(20), .either), .abort]
            }
        raw.prelude = [.stray(bytes)] + ending
        return raw
    }

    /// Returns the first status in bytes that is no interim one; `unanswered` where they have none.
    static func finalStatus(in bytes: [UInt8]) -> Status {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst(), let code = statusCode(of: line.last == 0x0D ? line.dropLast() : line) {
            guard (100..<200).contains(code) else { return Status(code) }
            // An interim response has nothing behind the empty line.
            lines = lines.drop { !$0.isEmpty && !$0.elementsEqual([0x0D]) }.dropFirst()
        }
        return .unanswered
    }

    /// Returns the status of a status line (RFC 9112, section 4); nil for another line.
    private static func statusCode(of line: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(line)
        guard bytes.count >= 12, bytes.starts(with: "HTTP/".utf8), bytes[5].isDigit, bytes[6] == 0x2E, bytes[7].isDigit,
            bytes[8] == 0x20, bytes.count == 12 || bytes[12] == 0x20, bytes[9...11].allSatisfy(\.isDigit)
        else { return nil }
        let code = bytes[9...11].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return code >= 100 ? code : nil
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
