package import Backend
package import HTTPMessage
package import Journal
package import Recording
import Secrets

/// The journal's view of requests to real backends, without their secrets.
extension ProxyController {
    /// The journal's view of an exchange with a real backend.
    func disclosure(of entry: ProxyExchange) -> JournalDisclosure {
        var shown = entry.shown
        shown.responseFields =
            entry.hasHead ? entry.redactor.fields(entry.view.fields(entry.capture.responseFields)) : nil
        return shown
    }

    /// Returns what makes the journal's view of a request that is not forwarded, or not read to its end; nil without a
    /// mode that goes to a real backend.
    package func disclosureAtHead(of api: Int, _ address: Address) -> ((HTTPRequest) -> JournalDisclosure)? {
        guard let mode = active[api], mode.value.order.mode.needsUpstream else { return nil }
        let redactor = mode.value.redactor
        return { JournalDisclosure(of: $0, path: address.path, by: redactor) }
    }
}

extension JournalDisclosure {
    /// The length up to which content is searched; the journal has only the beginning of longer content.
    private static let longest = 64 * 1_024

    /// Creates the view of a request to a real backend, on any thread.
    package init(of request: HTTPRequest, path: Path, by redactor: Redactor) {
        let known = redactor.pseudonyms.learntCount
        self = JournalDisclosure(once: request, path, redactor)
        // A secret learnt from the end of a request may occur at its beginning.
        if redactor.pseudonyms.learntCount != known { self = JournalDisclosure(once: request, path, redactor) }
        secrets = known
    }

    private init(once request: HTTPRequest, _ path: Path, _ redactor: Redactor) {
        self.init(request)
        text = { redactor.text($0) }
        self.path = redactor.path(path.text)
        query = request.head.target.rawQuery.map(redactor.form)
        fields = redactor.fields(request.head.fields)
        // The journal has only the beginning of longer content.
        let type = request.head.fields[.contentType] ?? ""
        let content = Self.content(of: request)
        if content.count > Self.longest {
            body = redactor.head(of: content, type: type, count: JournalEntry.Body.headLength)
        } else {
            body = redactor.content(content, type: type)
            length = body.count
        }
    }

    /// The part of a request's content that is searched for the journal; empty if the content can't be decoded.
    private static func content(of request: HTTPRequest) -> [UInt8] {
        let body = request.body.bytes
        let codings = request.head.fields.listElements("Content-Encoding").filter { $0 != "identity" }
        guard !codings.isEmpty else { return body }
        guard body.count <= longest else { return [] }
        return ContentCoding.original(body, codings, limit: longest) ?? []
    }

    /// The same view, with the secrets removed from the response to a path as it leaves.
    package func cleaning(by redactor: Redactor, responseTo path: Path) -> JournalDisclosure {
        var shown = self
        shown.clean = { answered, content in
            let redactor = redactor.answering(path.text, status: answered.status.code)
            let fields = redactor.fields(answered.fields)
            return (fields, JournalEntry.Body(clean: content, type: answered.fields[.contentType] ?? "", by: redactor))
        }
        return shown
    }
}

extension JournalEntry.Body {
    /// Creates the content without secrets; of long content its head.
    init(clean content: [UInt8], type: String, by redactor: Redactor) {
        guard content.count > Self.wholeLimit else {
            self.init(redactor.content(content, type: type))
            return
        }
        self.init(redactor.head(of: content, type: type, count: Self.headLength), length: content.count)
    }
}
