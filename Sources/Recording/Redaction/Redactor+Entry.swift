import HTTPMessage
import JSON
import Secrets

extension Redactor {
    /// Returns the entry without its secrets; sizes and times stay those of the exchange.
    package func entry(_ entry: HAREntry) -> HAREntry {
        var copy = entry
        // Responses first: their secrets under telltale names are then known in the request's address too.
        let count = pseudonyms.secretCount
        // A refusal may repeat what the request had, among its messages.
        if entry.response.status >= 400 { _ = request(entry.request) }
        copy.response = response(entry.response, of: entry.request.url)
        copy.request = request(entry.request)
        // Secrets that were learned on the way may occur before the place where they were learned.
        if pseudonyms.secretCount != count {
            copy.response = response(entry.response, of: entry.request.url)
            copy.request = request(entry.request)
        }
        copy.comment = entry.comment.map(text)
        copy.fault = entry.fault.map(texts)
        if let events = entry.events {
            let body = copy.response.content.bytes ?? []
            copy.events = self.events(events, in: body)
        }
        return copy
    }

    private static let closed = "packed; left out, since secrets in it could not be seen"

    /// Redacts the texts of our own members, such as a fault's name; their names are not telltale (`tokens` is an
    /// effect).
    private func texts(_ json: JSON) -> JSON {
        switch json {
        case .string(let value): .string(text(value))
        case .array(let items): .array(items.map(texts))
        case .object(let object):
            .object(JSONObject(object.members.map { JSONObject.Member(name: $0.name, value: texts($0.value)) }))
        case .null, .bool, .integer, .number: json
        }
    }

    private func request(_ request: HARRequest) -> HARRequest {
        var copy = request
        copy.url = url(request.url)
        copy.headers = request.headers.map(field)
        copy.cookies = request.cookies.map(cookie)
        let address = HARAddress(request.url)
        let query = address?.queryPairs == request.query ? PlusSign.pairs(address?.query) : request.query
        copy.query = query.map { HARPair(name($0.name), value($0.value, under: $0.name)) }
        if var post = request.postData {
            let coding = RecordedCoding(request.headers, type: post.mimeType)
            if PackedContent(post.bytes).isClosed {
                post.comment = "\(Self.closed) (\(post.bytes.count) bytes)"
                post.bytes = []
            } else if coding.isCoded(post.bytes), coding.decoded(post.bytes) == nil {
                post.comment = CapturedExchange.stillCoded(coding.names, isKept: false)
                post.bytes = []
            }
            post.bytes = content(post.bytes, type: post.mimeType)
            post.mimeType = text(post.mimeType)
            post.comment = post.comment.map(text)
            post.parameters = post.parameters.map { parameter in
                var copy = parameter
                copy.name = name(parameter.name)
                copy.value = parameter.value.map { value($0, under: parameter.name) }
                copy.fileName = parameter.fileName.map(text)
                return copy
            }
            copy.postData = post
        }
        return copy
    }

    private func response(_ response: HARResponse, of address: String) -> HARResponse {
        var copy = response
        copy.headers = response.headers.map(field)
        // A backend may put anything into its reason phrase, too.
        copy.statusText = text(response.statusText)
        copy.cookies = response.cookies.map(cookie)
        copy.redirectURL = url(response.redirectURL)
        copy.error = response.error.map(text)
        copy.content.comment = response.content.comment.map(text)
        if let bytes = plainContent(of: response) {
            copy.content.isEncoded = false
            if PackedContent(bytes).isClosed {
                copy.content.bytes = nil
                copy.content.comment = Self.closed
            } else {
                copy.content.bytes = answering(address, status: response.status).content(
                    bytes,
                    type: response.content.mimeType
                )
            }
        }
        if response.content.bytes != nil, copy.content.isEncoded {
            let codings = RecordedCoding(response.headers, type: response.content.mimeType).names
            copy.content.bytes = nil
            copy.content.comment = CapturedExchange.stillCoded(codings, isKept: false)
        }
        copy.content.mimeType = text(response.content.mimeType)
        return copy
    }

    /// The content of a response without its codings; nil if there is none, or it can't be decoded.
    private func plainContent(of response: HARResponse) -> [UInt8]? {
        guard let bytes = response.content.bytes, response.content.isEncoded else { return response.content.bytes }
        return RecordedCoding(response.headers, type: response.content.mimeType).decoded(bytes)
    }

    /// Returns the events of the redacted content, with their times.
    private func events(_ events: [HAREvent], in content: [UInt8]) -> [HAREvent] {
        var parser = EventStreamParser()
        let clean = parser.feed(content[...])
        return events.enumerated().map { place, event in
            guard place < clean.count else {
                return HAREvent(
                    offset: event.offset,
                    name: text(event.name),
                    id: text(event.id),
                    data: text(event.data)
                )
            }
            return HAREvent(
                offset: event.offset,
                name: clean[place].type,
                id: clean[place].id,
                data: clean[place].data
            )
        }
    }
}
