import Control
package import Emulation
package import HTTPMessage
package import Recording

/// The journal's view of requests to real backends, without their secrets.
extension ProxyController {
    /// The journal's view of an exchange with a real backend.
    func disclosure(of entry: ProxyExchange) -> JournalDisclosure {
        var shown = disclosure(of: entry.request, entry.address, entry.redactor)
        shown.responseFields =
            entry.hasHead ? entry.redactor.fields(entry.view.fields(entry.capture.responseFields)) : nil
        return shown
    }

    /// Removes the secrets from a response as it leaves, for the journal.
    static func clean(
        _ redactor: Redactor,
        responseTo path: String
    ) -> @Sendable (Response, [UInt8]) -> (fields: Fields, body: JournalEntry.Body) {
        let redactor = redactor.answering(path)
        return { answered, content in
            let type = answered.fields[.contentType] ?? ""
            let fields = redactor.fields(answered.fields)
            guard content.count > JournalEntry.Body.wholeLimit else {
                return (fields, JournalEntry.Body(redactor.content(content, type: type)))
            }
            let head = redactor.head(of: content, type: type, count: JournalEntry.Body.headLength)
            return (fields, JournalEntry.Body(head, length: content.count))
        }
    }

    /// The journal's view of a request that both the emulation and a real backend answer.
    package func emulatedDisclosure(of request: HTTPRequest, _ address: Address, _ redactor: Redactor)
        -> JournalDisclosure
    {
        var shown = disclosure(of: request, address, redactor)
        shown.clean = Self.clean(redactor, responseTo: address.path.text)
        return shown
    }

    /// Returns what makes the journal's view of a request that is not forwarded, or not read to its end; nil without a
    /// mode that goes to a real backend.
    package func disclosureAtHead(of api: Int, _ address: Address) -> ((HTTPRequest) -> JournalDisclosure)? {
        guard let mode = self[api], mode.order.mode.needsUpstream else { return nil }
        return { [weak self] request in
            self?.disclosure(of: request, address, mode.redactor) ?? JournalDisclosure(request)
        }
    }

    /// The journal's view of a request to a real backend.
    package func disclosure(of request: HTTPRequest, _ address: Address, _ redactor: Redactor) -> JournalDisclosure {
        let known = redactor.pseudonyms.learntCount
        let first = disclosureOnce(of: request, address, redactor)
        // A secret learnt from the end of a request may occur at its beginning.
        return redactor.pseudonyms.learntCount == known ? first : disclosureOnce(of: request, address, redactor)
    }

    private func disclosureOnce(of request: HTTPRequest, _ address: Address, _ redactor: Redactor) -> JournalDisclosure
    {
        var shown = JournalDisclosure(request)
        shown.text = { redactor.text($0) }
        shown.path = redactor.path(address.path.text)
        shown.query = request.head.target.rawQuery.map(redactor.form)
        shown.fields = redactor.fields(request.head.fields)
        // The journal has only the beginning of longer content.
        let type = request.head.fields[.contentType] ?? ""
        let body = disclosedBody(of: request)
        if body.count > Self.longestInPlace {
            shown.body = redactor.head(of: body, type: type, count: JournalEntry.Body.headLength)
        } else {
            shown.body = redactor.content(body, type: type)
            shown.length = shown.body.count
        }
        return shown
    }

    /// The part of a request's content that is searched for the journal; empty if the content can't be decoded.
    private func disclosedBody(of request: HTTPRequest) -> [UInt8] {
        let body = request.body.bytes
        let codings = request.head.fields.listElements("Content-Encoding").filter { $0 != "identity" }
        guard codings.isEmpty else {
            guard body.count <= Self.longestInPlace else { return [] }
            return ContentCoding.original(body, codings, limit: Self.longestInPlace) ?? []
        }
        return body
    }
}
