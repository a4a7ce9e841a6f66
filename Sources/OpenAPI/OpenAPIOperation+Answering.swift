import CivilTime
package import Formats
package import HTTPMessage
import JSON

extension OpenAPIOperation {
    /// Chooses the response to a request and makes its content (own-API contract, sections 16 and 17).
    package func answer(_ call: OpenAPICall) -> OpenAPIOutcome { answer(call, within: .max) ?? .noSample }

    /// Does so if it takes no more than some steps of comparisons; nil if it takes more.
    ///
    /// An answer that depends on nothing but the media types that the client accepts, such as an example, is made and
    /// held against the document once.
    package func answer(_ call: OpenAPICall, within steps: Int) -> OpenAPIOutcome? {
        let store = OpenAPIPreferences(fields: call.fields, query: call.query).isEmpty ? example?.store : nil
        let key = KeptAnswerKey(
            operation: index,
            isEnforced: call.isEnforced,
            omitsBrokenExamples: call.omitsBrokenExamples,
            accept: ExactName(text: store == nil ? "" : call.fields.values(.accept).joined(separator: "\n"))
        )
        if let known = store?.answers[key] { return .answer(known) }
        let samples = SampleSource(self, call, ceiling: steps)
        let outcome = answer(call, samples)
        guard !samples.isStopped else { return nil }
        guard let store, case .answer(var answer) = outcome, !samples.isRequestNeeded,
            steps == .max || answer.content.count <= Self.shortExample
        else { return outcome }
        var fields = answer.fields
        if let type = answer.contentType { fields.append("Content-Type", type) }
        answer.keep(violations(ofResponse: answer.status, fields: fields, content: answer.content), of: self)
        store.answers.keep(answer, of: answer.content.count + key.accept.text.utf8.count + 256, for: key)
        return .answer(answer)
    }

    /// Bytes of an example that is held against the document in few steps.
    private static let shortExample = 4_096

    /// The schema of a response that shows an example; nil where none does.
    private var example: Schema? {
        for response in responses {
            for content in response.content where content.firstExample != nil {
                if let schema = content.schema { return schema }
            }
        }
        return nil
    }

    private func answer(_ call: OpenAPICall, _ samples: SampleSource) -> OpenAPIOutcome {
        let wishes = OpenAPIPreferences(fields: call.fields, query: call.query)
        guard let (status, response) = chosen(wishes.status) else {
            let status = wishes.status ?? 200
            return .undeclaredStatus(status, applied: OpenAPIPreferences(status: status).applied ?? "")
        }
        var applied = OpenAPIPreferences(status: wishes.status)
        var fields = samples.fields(of: response)
        func answer(_ type: String?, _ content: [UInt8], _ origin: OpenAPIAnswer.Origin = .none) -> OpenAPIOutcome {
            if let text = applied.applied { fields.append("Preference-Applied", text) }
            return .answer(
                OpenAPIAnswer(status: status, fields: fields, contentType: type, content: content, origin: origin)
            )
        }
        let contents = response?.content ?? []
        guard !contents.isEmpty, status != 204, status != 304 else {
            if let name = wishes.example {
                return .unknownExample(name, known: [], elsewhere: place(ofExample: name, besides: response))
            }
            return answer(nil, [])
        }
        let accept = call.fields.values(.accept)
        let preferred = ContentChoice.preferred(by: accept, in: contents)
        if preferred == nil, call.isEnforced { return .notAcceptable(offered: contents.map(\.name)) }
        guard let (content, type) = preferred ?? ContentChoice.preferred(by: [], in: contents) else {
            return answer(nil, [])
        }
        var shown: JSON?
        if let name = wishes.example {
            let known = content.examples.filter { $0.value != nil }
            guard let example = known.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                let others = place(ofExample: name, besides: response)
                return .unknownExample(name, known: known.map(\.name), elsewhere: others)
            }
            shown = example.value
            applied.example = name
        } else if wishes.isDynamic {
            applied.isDynamic = true
        } else {
            shown = call.omitsBrokenExamples ? samples.validExample(of: content) : content.firstExample
        }
        let isFirst = content.example == nil && !call.omitsBrokenExamples
        let example = OpenAPIAnswer.Origin.example(
            wishes.example ?? (isFirst ? content.examples.first { $0.value != nil }?.name : nil)
        )
        guard ContentChoice.isJSON(type) else {
            guard let text = samples.text(of: content, as: type, shown, wishes.example) else { return .noSample }
            return answer(type, text, shown == nil ? .sample : example)
        }
        if let shown { return answer(type, samples.json(of: shown, content, wishes.example), example) }
        guard content.schema != nil else { return answer(type, JSON.object(JSONObject()).serialized(), .sample) }
        guard let sample = samples.json(of: content, isAnswer: status < 300) else { return .noSample }
        return answer(type, sample, .sample)
    }

    /// Returns the response that is declared for a refusal, as JSON, else that which most refusals have; nil if there is
    /// none.
    package func refusal(_ facts: RefusalFacts, _ call: OpenAPICall, else shared: SharedRefusal?) -> OpenAPIAnswer? {
        refusal(facts, call, shared, SampleSource(self, call))
    }

    /// Does so if it takes no more than some steps of comparisons; nil if it takes more.
    package func refusal(
        _ facts: RefusalFacts,
        _ call: OpenAPICall,
        else shared: SharedRefusal?,
        within steps: Int
    ) -> OpenAPIAnswer?? {
        let samples = SampleSource(self, call, ceiling: steps)
        let answer = refusal(facts, call, shared, samples)
        return samples.isStopped ? nil : .some(answer)
    }

    private func refusal(
        _ facts: RefusalFacts,
        _ call: OpenAPICall,
        _ shared: SharedRefusal?,
        _ samples: SampleSource
    ) -> OpenAPIAnswer? {
        var declared = response(for: facts.status)
        // Where nothing else succeeds, what is said by default is the success.
        if declared?.status == .fallback, chosen(nil)?.response?.status == .fallback { declared = nil }
        if declared?.content.isEmpty != false { declared = shared?.response }
        guard let declared, let (content, type) = Self.json(of: declared, call.fields) else { return nil }
        let example = samples.validExample(of: content)
        guard let made = example?.serialized() ?? samples.json(of: content, facts) else { return nil }
        let fields = samples.fields(of: declared)
        return OpenAPIAnswer(status: facts.status, fields: fields, contentType: type, content: made)
    }

    /// The JSON of a response that a client would rather have, else the first, with its media type.
    package static func json(of response: OpenAPIResponse, _ fields: Fields) -> (content: OpenAPIContent, type: String)?
    {
        let (all, accept) = (response.content.filter(\.isJSON), fields.values(.accept))
        return ContentChoice.preferred(by: accept, in: all) ?? ContentChoice.preferred(by: [], in: all)
    }

    /// Says which response has an example of a name, and how to ask for it; nil if none has.
    private func place(ofExample name: String, besides chosen: OpenAPIResponse?) -> String? {
        func content(of response: OpenAPIResponse) -> OpenAPIContent? {
            response.content.first { $0.examples.contains { $0.value != nil && $0.name.hasSameCodePoints(as: name) } }
        }
        if let content = chosen.flatMap(content) {
            return "\(content.name) of it has that one: Accept: \(content.name)"
        }
        guard let response = responses.first(where: { $0.status != chosen?.status && content(of: $0) != nil }) else {
            return nil
        }
        let (shown, code) =
            switch response.status {
            case .code(let code): ("\(code)", code)
            case .range(let first): ("\(first)XX", first * 100)
            case .fallback: ("default", 500)
            }
        let wish = OpenAPIPreferences(status: code, example: name).applied ?? ""
        return "the response \(shown) has that one: Prefer: \(wish)"
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

/// All that an answer depends on which no request changes but by the media types that it accepts.
struct KeptAnswerKey: Hashable, Sendable {
    let operation: Int
    let isEnforced: Bool
    let omitsBrokenExamples: Bool
    let accept: ExactName
}
