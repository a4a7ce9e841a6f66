package import HTTPMessage
import JSON

extension OpenAPIOperation {
    /// Holds a request against the operation: parameters, media type and body.
    package func check(_ request: OpenAPIRequest) -> OpenAPIRequestResult {
        var check = RequestCheck(self, request)
        return check.run()
    }

    /// Tells whether content of a response has been held against its schema, or needs not be.
    package func knowsVerdict(ofResponse status: Int, type: String?, content: [UInt8]) -> Bool {
        guard let response = response(for: status), let type = type.flatMap({ MediaType($0) }),
            let schema = ContentChoice.content(of: type, in: response.content)?.schema
        else { return true }
        return content.count > Self.longestChecked || schema.store.verdicts[schema.number]?.content == content
    }

    /// Holds the request against the operation if that takes no more than some steps; nil if it takes more.
    package func check(_ request: OpenAPIRequest, within steps: Int) -> OpenAPIRequestResult? {
        let allowance = WorkAllowance(steps)
        var check = RequestCheck(self, request, allowance)
        let result = check.run()
        return allowance.isExceeded ? nil : result
    }

    /// Bytes of content up to which a response is held against its schema: more would keep others waiting.
    package static let longestChecked = 1 << 20

    /// Returns what breaks the operation in a response of whatever source, with paths that begin with `response.`.
    package func violations(ofResponse status: Int, fields: Fields, content: [UInt8]) -> [OpenAPIViolation] {
        guard !responses.isEmpty else { return [] }
        guard let response = response(for: status) else {
            return [OpenAPIViolation(path: "response.status", reason: "\(status) is not declared")]
        }
        var found: [OpenAPIViolation] = []
        for header in response.headers {
            guard let name = FieldName(header.name), header.name.lowercased() != "content-type" else { continue }
            let path = "response.headers.\(header.name)"
            guard let text = fields[name] else {
                if header.isRequired { found.append(OpenAPIViolation(path: path, reason: "missing")) }
                continue
            }
            guard let schema = header.schema else { continue }
            let value: JSON
            if header.isJSON {
                guard let read = try? JSONReader.read(text: text) else {
                    found.append(OpenAPIViolation(path: path, reason: "is not JSON"))
                    continue
                }
                value = read
            } else {
                let coercion = TextCoercion(schema.store)
                let texts = text.split(",").map(\.trimmingBlanks)
                let found = coercion.read(schema.number) { schema in
                    coercion.form(schema) == .array ? coercion.value(texts, schema) : coercion.value(text, schema)
                }
                value = found ?? .string(text)
            }
            for issue in schema.validate(value, direction: .response, limit: 10) {
                found.append(OpenAPIViolation(path: path + issue.formattedPath.dropFirst(), reason: issue.reason))
            }
        }
        found += violations(ofContent: content, fields, response, status)
        return Array(found.prefix(100))
    }

    private func violations(
        ofContent content: [UInt8],
        _ fields: Fields,
        _ response: OpenAPIResponse,
        _ status: Int
    ) -> [OpenAPIViolation] {
        guard !response.content.isEmpty, method != .head, status != 204, status != 304 else { return [] }
        guard let text = fields["Content-Type"], let type = MediaType(text) else {
            guard content.isEmpty else {
                return [OpenAPIViolation(path: "response.headers.Content-Type", reason: "missing")]
            }
            return [OpenAPIViolation(path: "response.body", reason: "missing")]
        }
        guard let declared = ContentChoice.content(of: type, in: response.content) else {
            return [
                OpenAPIViolation(path: "response.headers.Content-Type", reason: "\(text.cut) is not declared")
            ]
        }
        guard let schema = declared.schema, type.subtype == "json" || type.subtype.hasSuffix("+json") else { return [] }
        guard content.count <= Self.longestChecked else {
            let reason = "has \(content.count) bytes: over \(Self.longestChecked) are not checked"
            return [OpenAPIViolation(path: "response.body", reason: reason)]
        }
        return issues(of: content, schema).map { issue in
            OpenAPIViolation(path: "response.body" + issue.formattedPath.dropFirst(), reason: issue.reason)
        }
    }

    /// Returns what does not fit of content that is JSON; of equal contents one after the other the first is looked at.
    private func issues(of content: [UInt8], _ schema: Schema) -> [JSONIssue] {
        if let known = schema.store.verdicts[schema.number], known.content == content { return known.issues }
        let value = try? JSONReader.read(content, options: JSONReader.Options(maxDepth: 128))
        let issues =
            value.map { schema.validate($0, direction: .response) } ?? [JSONIssue(path: [], reason: "is not JSON")]
        schema.store.verdicts.keep((content, issues), of: content.count, for: schema.number)
        return issues
    }

    /// The declared response that stands for a status.
    package func response(for status: Int) -> OpenAPIResponse? {
        responses.first { $0.status == .code(status) } ?? responses.first { $0.status == .range(status / 100) }
            ?? responses.first { $0.status == .fallback }
    }
}
