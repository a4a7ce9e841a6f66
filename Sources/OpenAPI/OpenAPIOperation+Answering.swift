import CivilTime
import HTTPMessage
import JSON

extension OpenAPIOperation {
    /// Chooses the response to a request and makes its content (own-API contract, sections 16 and 17).
    package func answer(_ call: OpenAPICall) -> OpenAPIOutcome {
        let wishes = OpenAPIPreferences(fields: call.fields, query: call.query)
        guard let (status, response) = chosen(wishes.status) else {
            let status = wishes.status ?? 200
            return .undeclaredStatus(status, applied: OpenAPIPreferences(status: status).applied ?? "")
        }
        var applied = OpenAPIPreferences(status: wishes.status)
        var fields = Fields()
        let samples = SampleSource(self, call)
        for header in response?.headers ?? [] {
            guard let name = FieldName(header.name), header.name.lowercased() != "content-type",
                let text = samples.text(of: header)
            else { continue }
            fields.append(name, text)
        }
        func answer(_ type: String?, _ content: [UInt8]) -> OpenAPIOutcome {
            if let text = applied.applied { fields.append("Preference-Applied", text) }
            return .answer(OpenAPIAnswer(status: status, fields: fields, contentType: type, content: content))
        }
        let contents = response?.content ?? []
        guard !contents.isEmpty, status != 204, status != 304 else {
            if let example = wishes.example { return .unknownExample(example, known: []) }
            return answer(nil, [])
        }
        let accept = call.fields.values("Accept")
        let preferred = ContentChoice.preferred(by: accept, in: contents)
        if preferred == nil, call.isEnforced { return .notAcceptable(offered: contents.map(\.name)) }
        guard let (content, type) = preferred ?? ContentChoice.preferred(by: [], in: contents) else {
            return answer(nil, [])
        }
        var shown: JSON?
        if let name = wishes.example {
            let known = content.examples.filter { $0.value != nil }
            guard let example = known.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                return .unknownExample(name, known: known.map(\.name))
            }
            shown = example.value
            applied.example = name
        } else if wishes.isDynamic {
            applied.isDynamic = true
        } else {
            shown = content.example ?? content.examples.lazy.compactMap(\.value).first
        }
        guard ContentChoice.isJSON(type) else {
            guard let text = samples.text(of: content, as: type, shown) else { return .noSample }
            return answer(type, text)
        }
        if let shown { return answer(type, shown.serialized()) }
        guard content.schema != nil else { return answer(type, JSON.object(JSONObject()).serialized()) }
        guard let sample = samples.value(of: content) else { return .noSample }
        return answer(type, sample.serialized())
    }

    /// The response and the status with which it is sent.
    ///
    /// An operation that declares none answers 200 without content.
    private func chosen(_ wished: Int?) -> (status: Int, response: OpenAPIResponse?)? {
        if let wished { return response(for: wished).map { (wished, $0) } }
        let codes = responses.compactMap { response -> (status: Int, response: OpenAPIResponse)? in
            guard case .code(let code) = response.status, code >= 200 else { return nil }
            return (code, response)
        }
        let smallest = codes.min { $0.status < $1.status }
        if let smallest, smallest.status < 300 { return smallest }
        if let range = responses.first(where: { $0.status == .range(2) }) { return (200, range) }
        if let fallback = responses.first(where: { $0.status == .fallback }) { return (200, fallback) }
        if let smallest { return smallest }
        let ranges = responses.compactMap { response -> (status: Int, response: OpenAPIResponse)? in
            guard case .range(let first) = response.status, first >= 2 else { return nil }
            return (first * 100, response)
        }
        return ranges.min { $0.status < $1.status } ?? (200, nil)
    }
}
