import Backend
package import HTTPMessage
import JSON

/// The findings about the content of one answer: its plain form, and what faults find in it and make of it.
///
/// All of it follows from the answer and the effect alone, so that a worker can find it out ahead. Nothing is taken from
/// here for an answer that differs from the one that was read.
package final class AnswerReading {
    /// The question that an effect asks of an answer.
    struct Question: Hashable {
        var effect: JSON
        var stream: SeededStream
        var schema: JSONSchema?

        // A schema may be long, and nearly always is the same for the same effect.
        func hash(into hasher: inout Hasher) {
            hasher.combine(effect)
            hasher.combine(stream)
        }
    }

    /// Content that was coded here.
    private struct Coded {
        let plain: [UInt8]
        let coding: CodingName
        let bytes: [UInt8]
    }

    private var coded: [Coded] = []
    private var plain: (answer: Response, found: Response?)?
    private var json: (content: [UInt8], found: JSON?)?
    private var examined: Response?
    private var obstacles: [Question: String?] = [:]
    private var changes: [(question: Question, answer: Response, found: Response)] = []

    /// The content that the answer was selected from; nil for an answer that is what it is whatever the request says.
    package var selection: ContentSelection?
    /// The request that is answered.
    package var request: RequestHead?

    package init() {}

    /// Returns the content that an answer was selected from, or may still be.
    func selection(of answer: Response) -> ContentSelection? {
        selection ?? request.flatMap { ContentSelection(answer, for: $0) }
    }

    /// Returns the answer without its codings; nil if one can't be taken off.
    func decoded(_ answer: Response) -> Response? {
        if let plain, plain.answer == answer { return plain.found }
        let found: Response?
        if let known = known(answer.body.content), answer.codings == [known.coding.rawValue] {
            found = answer.plain(with: known.plain)
        } else {
            found = answer.decoded
        }
        plain = (answer, found)
        return found
    }

    // MARK: Codings

    /// Returns content in a coding; nil if there is no memory for it.
    func encoded(_ content: [UInt8], _ coding: CodingName) -> [UInt8]? {
        if let known = coded.first(where: { $0.coding == coding && $0.plain == content }) { return known.bytes }
        guard let bytes = ContentCoding.encoded(content, [coding.rawValue]) else { return nil }
        coded.append(Coded(plain: content, coding: coding, bytes: bytes))
        return bytes
    }

    private func known(_ bytes: [UInt8]) -> Coded? { coded.last { $0.bytes == bytes } }

    /// Returns the plain form of content that was coded here, or of its beginning; nil for any other.
    package func plain(of bytes: [UInt8]) -> (content: [UInt8], coding: CodingName)? {
        if coded.isEmpty || bytes.isEmpty { return nil }
        if let known = known(bytes) { return (known.plain, known.coding) }
        guard let whole = coded.last(where: { $0.bytes.count > bytes.count && $0.bytes.starts(with: bytes) }) else {
            return nil
        }
        return (ContentCoding.beginning(of: bytes, whole.coding, limit: whole.plain.count), whole.coding)
    }

    /// Codes an answer as the client prefers, where the setting `compress` is on (wire contract, section 3).
    ///
    /// `whole` is the answer that it was selected from; nil where it was not selected.
    package func compress(_ answer: inout Response, of whole: Response?, for head: RequestHead) {
        let preferred = CodingName.preferred(by: head)
        guard (whole ?? answer).isCodable else {
            // An endpoint has found that the client has the content; the tag is that of the content as it would come.
            guard whole == nil, answer.status == .notModified else { return }
            answer.varyByCoding()
            if preferred != nil, answer.isNamedWeakly(by: head) { answer.weakenTag() }
            return
        }
        answer.varyByCoding()
        guard let preferred else { return }
        if answer.status == .notModified {
            answer.weakenTag()
        } else if answer.isCodable {
            answer = answer.joined
            guard let bytes = encoded(answer.body.content, preferred) else { return }
            answer.body = .bytes(bytes)
            answer.describeCoded(as: preferred.rawValue)
        }
    }

    /// Returns an answer in the codings of the one that it was made of.
    func encoded(_ changed: Response, as answer: Response) -> Response {
        let codings = answer.codings
        let content = changed.body.content
        guard !codings.isEmpty, !content.isEmpty, !changed.fields.contains(.contentEncoding) else { return changed }
        let bytes =
            codings.count == 1
            ? CodingName(named: codings[0]).flatMap { encoded(content, $0) } : ContentCoding.encoded(content, codings)
        guard let bytes else { return changed }
        var sent = changed
        sent.replaceContent(bytes)
        sent.fields.set(.contentEncoding, answer.fields.values(.contentEncoding).joined(separator: ", "))
        return sent
    }

    /// Keeps of all that was found what was coded, and nothing that an effect has found.
    package func onlyCodings() -> AnswerReading? {
        if coded.isEmpty { return nil }
        let reading = AnswerReading()
        reading.coded = coded
        return reading
    }

    /// Returns the content as JSON; nil if it is none.
    func json(_ content: [UInt8]) -> JSON? {
        if let json, json.content == content { return json.found }
        let found = try? JSONReader.read(content, options: JSONReader.Options(maxDepth: 512))
        json = (content, found)
        return found
    }

    /// Returns the reason why an effect would not change an answer, which `find` finds where it is not known.
    func obstacle(_ question: Question, in answer: Response, find: () -> String?) -> String? {
        if examined != answer {
            examined = answer
            obstacles = [:]
        }
        if let known = obstacles[question] { return known }
        let found = find()
        obstacles[question] = .some(found)
        return found
    }

    /// Returns what an effect makes of an answer, which `make` makes where it is not known.
    func change(_ question: Question, of answer: Response, make: () -> Response) -> Response {
        if let known = changes.first(where: { $0.question == question && $0.answer == answer }) { return known.found }
        let found = make()
        changes.append((question, answer, found))
        return found
    }

    /// Forgets the forms of the content, which are long and take long to free, and keeps what was found with them.
    func forgetForms() {
        plain = nil
        json = nil
    }
}

extension Response {
    /// Tells whether a request names the tag as a weak one, and asks for content of another.
    fileprivate func isNamedWeakly(by head: RequestHead) -> Bool {
        guard let tag = fields[.eTag].flatMap({ EntityTag(parsing: $0) }),
            case .tags(let tags)? = ConditionalRequest(head.fields).ifNoneMatch
        else { return false }
        return tags.contains { $0.isWeak && $0.opaque == tag.opaque }
    }
}
