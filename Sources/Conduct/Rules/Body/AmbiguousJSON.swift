import Basics
import ConductKit
import HTTPMessage
import JSON

/// `body/json-unsafe`.
struct AmbiguousJSON: ConductRule {
    static let declaration = RuleDeclaration(
        "body/json-unsafe",
        "Ambiguous JSON",
        .error,
        situation: "a JSON body",
        breach: "not UTF-8, a byte order mark, one name twice in an object, an integer beyond ±(2^53 − 1)",
        excused: ["a body that did not arrive whole, was not kept whole, or is in a coding that can't be decoded"],
        source: [.rfc(8259, "4"), .rfc(8259, "6"), .rfc(8259, "8.1")],
        exercisedBy: ["any write"],
        what: "A JSON body contains something that parsers interpret differently.",
        why: "One server uses the first of two equal names, another the last, and large numbers lose digits.",
        expected: "Send UTF-8 without a byte order mark, each name once, and large numbers as strings.",
        urlsession: """
            Write each name once, and ids and amounts beyond 2^53 as strings:

                struct Order: Encodable { let id: String }
            """,
        fetch: """
            Write each name once, and ids and amounts beyond 2^53 as strings:

                JSON.stringify({ id: id.toString() })
            """
    )

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.exchange.body.length > 0, x.exchange.body.isWhole, x.row.outcome != .interrupted,
            let type = x.field(.contentType)?.lowercased(), type.contains("json")
        else { return }
        context.situation(x)
        guard let fault = Self.fault(x.exchange.body.bytes) else { return }
        context.breach([x.index], "\(x.row.id) had JSON with \(fault).")
    }

    static func fault(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return "a byte order mark" }
        guard String(validating: bytes, as: UTF8.self) != nil else { return "bytes that are not UTF-8" }
        let options = JSONReader.Options(maxDepth: 1_024)
        guard let json = try? JSONReader.read(bytes, options: options) else { return nil }
        return fault(json)
    }

    private static func fault(_ json: JSON) -> String? {
        // Without recursion: content may be nested deeply.
        var open = [json]
        while let value = open.popLast() {
            switch value {
            case .object(let object):
                if object.firstDuplicateName() != nil { return "one name twice in an object" }
                open += object.members.map(\.value)
            case .array(let items): open += items
            case .integer(let number) where number.magnitude > 9_007_199_254_740_991:
                return "an integer beyond ±(2^53 − 1)"
            case .number(let number)
            where !number.text.contains(where: { ".eE".contains($0) })
                && number.double.magnitude > 9_007_199_254_740_991:
                return "an integer beyond ±(2^53 − 1)"
            default: continue
            }
        }
        return nil
    }
}
