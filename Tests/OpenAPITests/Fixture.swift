import CivilTime
import HTTPMessage
import JSON
import OpenAPI
import TestSupport
import Testing

/// Short ways to documents, requests and responses.
enum Fixture {
    /// 2025-01-31T12:00:00Z.
    static let start = Instant(seconds: 1_738_324_800)

    static func read(
        _ files: [String: String],
        entry: String = "openapi.yaml",
        options: OpenAPIReader.Options = OpenAPIReader.Options()
    ) -> OpenAPIReader.Reading {
        OpenAPIReader.read(entry, options: options) { name in
            files[name].map { .content(Array($0.utf8)) } ?? .missing
        }
    }

    static func document(_ text: String, options: OpenAPIReader.Options = OpenAPIReader.Options()) throws
        -> OpenAPIDocument
    {
        let reading = read(["openapi.yaml": text], options: options)
        expectEqual(reading.errors.map(\.description), [])
        return try #require(reading.document)
    }

    /// A document with one operation, whose YAML begins at the path item's indentation.
    static func operation(_ path: String, _ item: String, version: String = "3.1.0") throws -> OpenAPIOperation {
        let lines = item.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }
        let text =
            "openapi: \(version)\ninfo: {title: T, version: '1'}\npaths:\n  \(path):\n" + lines.joined(separator: "\n")
        let document = try document(text)
        return try #require(document.operations.first)
    }

    static func json(_ text: String) throws -> JSON { try JSONReader.read(text: text) }

    /// What a schema says about a value.
    static func issues(_ schema: String, _ value: String, direction: Schema.Direction = .neither) throws -> [String] {
        Schema(try json(schema)).validate(try json(value), direction: direction).map(\.description)
    }
}

extension OpenAPIOperation {
    /// The violations of a request as `path: reason`.
    func problems(
        path: [String] = [],
        query: String? = nil,
        _ fields: [(FieldName, String)] = [],
        body: String = ""
    ) -> [String] {
        result(path: path, query: query, fields, body: body).violations.map { "\($0.path): \($0.reason)" }
    }

    func result(
        path: [String] = [],
        query: String? = nil,
        _ fields: [(FieldName, String)] = [],
        body: String = ""
    ) -> OpenAPIRequestResult {
        var all = Fields()
        for field in fields { all.append(field.0, field.1) }
        return check(OpenAPIRequest(pathValues: path, query: query, fields: all, body: Array(body.utf8)))
    }

    /// The outcome in short: status, media type and content, or what went wrong.
    func reply(
        _ path: String = "/",
        values: [String] = [],
        query: String? = nil,
        accept: String? = nil,
        prefer: String? = nil,
        seed: UInt64 = 1,
        isEnforced: Bool = false
    ) -> String {
        switch outcome(
            path,
            values: values,
            query: query,
            accept: accept,
            prefer: prefer,
            seed: seed,
            isEnforced: isEnforced
        ) {
        case .answer(let answer):
            "\(answer.status) \(answer.contentType ?? "-") \(String(decoding: answer.content, as: UTF8.self))"
        case .undeclaredStatus(let status, let applied): "undeclared \(status) \(applied)"
        case .notAcceptable(let offered): "406 \(offered.joined(separator: ", "))"
        case .unknownExample(let name, let known, _): "no example \(name); \(known.joined(separator: ", "))"
        case .noSample: "no sample"
        }
    }

    func outcome(
        _ path: String = "/",
        values: [String] = [],
        query: String? = nil,
        accept: String? = nil,
        prefer: String? = nil,
        seed: UInt64 = 1,
        isEnforced: Bool = false
    ) -> OpenAPIOutcome {
        var fields = Fields()
        if let accept { fields.append("Accept", accept) }
        if let prefer { fields.append("Prefer", prefer) }
        return answer(
            OpenAPICall(
                path: path,
                pathValues: values,
                query: query,
                fields: fields,
                seed: seed,
                start: Fixture.start,
                isEnforced: isEnforced
            )
        )
    }
}
