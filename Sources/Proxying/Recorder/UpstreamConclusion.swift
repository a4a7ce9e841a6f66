import Crypto
import Emulation
import HTTPMessage
import JSON
import Recording

/// The results of an exchange with a real backend.
struct UpstreamConclusion: Sendable {
    var differences: [AnswerDifference]?
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
        _ check: OutgoingCheck
    ) {
        let response = capture.entry(keepsUndecoded: false).response
        content = response.content.bytes ?? []
        // The journal shows what the client got.
        let seen = links?.content(content, type: response.content.mimeType) ?? content
        foreign = check.forms(in: [capture.responseFields.wire, content])
        // The journal has only the beginning of longer content.
        let type = response.content.mimeType
        shown = JournalEntry.Body(clean: seen, type: type, by: redactor.answering(capture.url, status: response.status))
        if seen.count > JournalEntry.Body.wholeLimit { shown.digest = SHA256.digest(seen) }
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
}

extension IDCorrespondence.Translation {
    /// The translation as the journal shows it, with credentials replaced by their stand-ins.
    func json(_ redactor: Redactor) -> JSON {
        func shown(_ text: String) -> JSON {
            .string(isSecret ? redactor.pseudonyms.standIn(for: text, .token) : redactor.text(text))
        }
        return ["path": .string(path), "emulated": shown(emulated), "upstream": shown(upstream)]
    }
}
