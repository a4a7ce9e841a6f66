import HTTPMessage
import JSON
import Journal
import Recording

extension JournalEntry {
    /// Returns the entry without secrets that were learnt late; nil if it holds none.
    func without(_ late: LateSecrets) -> JournalEntry? {
        var copy = self
        var isChanged = false
        func clean(_ text: String) -> String {
            guard let clean = late.replaced(Array(text.utf8)) else { return text }
            isChanged = true
            return String(decoding: clean, as: UTF8.self)
        }
        func clean(_ fields: Fields) -> Fields {
            guard late.replaced(fields.wire) != nil else { return fields }
            var cleaned = Fields()
            for (name, value) in fields.pairs {
                if let name = FieldName(clean(name)) { cleaned.append(name, clean(value)) }
            }
            return cleaned
        }
        func clean(_ body: Body) -> Body {
            guard let kept = late.content(body.kept) else { return body }
            isChanged = true
            var cleaned = Body(kept, length: body.isTruncated ? max(body.length, kept.count + 1) : kept.count)
            if body.isTruncated { cleaned.digest = body.digest }
            if body.isPartial { (cleaned.length, cleaned.isPartial) = (body.length, true) }
            return cleaned
        }
        copy.path = clean(path)
        // The form that was sent has the same secret.
        if isChanged, let way {
            copy.way = RequestTargetForm(prefix: way.prefix, authority: way.authority, origin: way.origin)
        }
        copy.query = query.map(clean)
        copy.headers = clean(headers)
        copy.body = clean(body)
        copy.responseHeaders = clean(responseHeaders)
        copy.responseBody = clean(responseBody)
        copy.answeredBy = answeredBy.map(clean)
        copy.nearestStub = nearestStub.map(clean)
        copy.violations = violations?.map { violation in
            func text(_ name: String) -> JSON { .string(clean(violation[name]?.stringValue ?? "")) }
            return ["path": text("path"), "reason": text("reason")]
        }
        return isChanged ? copy : nil
    }
}

extension Redactor {
    /// Returns header fields without their secrets, in order.
    func fields(_ fields: Fields) -> Fields {
        var clean = Fields()
        for pair in HARPair.fields(fields).map(field) {
            if let name = FieldName(pair.name) { clean.append(name, pair.bytes) }
        }
        return clean
    }
}
