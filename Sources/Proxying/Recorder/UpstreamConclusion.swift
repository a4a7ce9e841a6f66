import Crypto
import HTTPMessage
import JSON
import Journal
import Recording
import Secrets
import Worlds

/// The results of an exchange with a real backend.
struct UpstreamConclusion: Sendable {
    var differences: [AnswerDifference]?
    /// The rules of the API's document that the request and the backend's answer break, without secrets.
    var violations: [JSON] = []
    /// The translated values of the request, for the journal.
    var translated: [JSON] = []
    /// The real content, decoded.
    var content: [UInt8]
    /// The same without secrets, as the journal keeps it.
    var shown: JournalEntry.Body
    /// The content that the client got, where that is not the backend's and was too long to be searched before; without
    /// secrets.
    var sent: JournalEntry.Body?
    /// Prints of the credentials in it that have the emulator's form.
    var foreign: [UInt64]

    init(
        _ capture: CapturedExchange,
        emulated: ComparedAnswer?,
        rules: MatchRules,
        redactor: Redactor,
        links: LinkRewriter?,
        _ check: OutgoingCheck,
        judge: ExchangeJudge? = nil
    ) {
        let entry = capture.entry(keepsUndecoded: false)
        let response = entry.response
        content = response.content.bytes ?? []
        // The journal shows what the client got.
        let seen = links?.content(content, type: response.content.mimeType) ?? content
        foreign = check.forms(in: [capture.responseFields.wire, content])
        // The journal has only the beginning of longer content.
        let type = response.content.mimeType
        shown = JournalEntry.Body(clean: seen, type: type, by: redactor.answering(capture.url, status: response.status))
        if seen.count > JournalEntry.Body.wholeLimit { shown.digest = SHA256.digest(seen) }
        if let judge { violations = Self.violations(of: entry, capture, judge, redactor) }
        guard var emulated else { return }
        guard response.status > 0 else {
            differences = [
                AnswerDifference(
                    path: "upstream",
                    emulated: nil,
                    upstream: .string("no answer: \(response.error ?? "")"),
                    severity: .breaking
                )
            ]
            return
        }
        // Content that was left out of the capture is not a missing body.
        if response.content.bytes == nil { emulated.body = [] }
        differences = AnswerComparison.differences(
            emulated: emulated,
            upstream: ComparedAnswer(status: response.status, headers: response.headers, body: content),
            rules: rules,
            redactor: redactor
        )
    }

    /// Judges what is known of the exchange: content that was left out, cut or not decoded is not.
    private static func violations(
        of entry: HAREntry,
        _ capture: CapturedExchange,
        _ judge: ExchangeJudge,
        _ redactor: Redactor
    ) -> [JSON] {
        let sent = entry.request.postData?.bytes ?? []
        let isSentKnown = !sent.isEmpty || capture.requestBodyLength == 0
        var answer: (status: Int, fields: Fields, content: [UInt8])?
        if entry.response.status > 0, capture.error == nil, capture.method != "HEAD",
            let content = entry.response.content.bytes ?? (capture.responseBodyLength == 0 ? [] : nil)
        {
            answer = (entry.response.status, capture.responseFields, content)
        }
        return judge(isSentKnown ? sent : nil, answer).map { violation in
            ["path": .string(redactor.text(violation.path)), "reason": .string(redactor.text(violation.reason))]
        }
    }
}

extension IDCorrespondence.Translation {
    /// The translation as the journal shows it, with credentials replaced by their stand-ins.
    func json(_ redactor: Redactor) -> JSON {
        func shown(_ text: String) -> JSON {
            .string(isSecret ? redactor.pseudonyms.pseudonym(for: text, .token) : redactor.text(text))
        }
        return ["path": .string(path), "emulated": shown(emulated), "upstream": shown(upstream)]
    }
}
