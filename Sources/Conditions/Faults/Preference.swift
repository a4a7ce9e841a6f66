package import Backend
package import HTTPMessage
import JSON

/// The faults that a single request asks for (control contract, section 8): `Prefer: code=429, wait=2, fault=reset`, or
/// the query `__code=429&__delay=500`.
package struct Preference {
    package var effect: FaultSpec?
    package var delay: FaultSpec?
    /// The preferences that are echoed in `Preference-Applied`.
    package var applied: [String] = []

    static let field: FieldName = "Prefer"
    package static let appliedField: FieldName = "Preference-Applied"
    private static let queryName = "__code"
    private static let delayName = "__delay"
    /// The longest `wait` in seconds, an hour.
    private static let longestWait = 3_600.0

    /// Returns whether a request may have preferences; cheap, because it runs for every request.
    package static func mayBe(in head: RequestHead) -> Bool {
        head.contains(field) || head.rawQuery.map(mayBe(inQuery:)) ?? false
    }

    private static func mayBe(inQuery query: String) -> Bool {
        // Two underscores are rare enough; searching for the whole name would cost more.
        var last: UInt8 = 0
        for byte in query.utf8 {
            if byte == 0x5F, last == 0x5F { return true }
            last = byte
        }
        return false
    }

    /// Returns a query without the delay that it asks for, which is no parameter of the API; nil if it asks for none.
    package static func withoutDelay(_ query: String) -> String? {
        guard mayBe(inQuery: query) else { return nil }
        let pieces = query.split(separator: "&", omittingEmptySubsequences: false)
        let others = pieces.filter { $0 != delayName && !$0.hasPrefix(delayName + "=") }
        return others.count < pieces.count ? others.joined(separator: "&") : nil
    }

    /// Reads the preferences; nil if there are none that Understudy knows.
    ///
    /// `query` is the query as it was sent. `omittingCode` leaves a status to the endpoint, which chooses among the
    /// responses that its document declares; one that can't be used is refused here all the same.
    package static func read(
        _ head: RequestHead,
        query: String?,
        omittingCode: Bool = false
    ) throws(Problem) -> Preference? {
        var preference = Preference()
        var code: (text: String, source: Source, place: Int)?
        for value in head.fields.values(field) {
            for piece in pieces(of: value[...], at: ",") {
                guard let (name, text) = pair(piece) else { continue }
                switch name {
                case "code" where omittingCode: _ = try status(text, .field)
                case "dynamic" where omittingCode: try checkTruth(text, .field)
                case "code": if code == nil { code = (text, .field, preference.applied.count) }
                case "wait": if preference.delay == nil { try preference.take(wait: text) }
                case "fault": if preference.effect == nil { try preference.take(fault: text) }
                // An unknown preference is ignored (RFC 7240 section 2).
                default: break
                }
            }
        }
        let query = QueryItems(query)
        // Of each name the last counts, and the echo keeps their order.
        let delay = query.items.lastIndex { $0.name == delayName }
        let status = query.items.lastIndex { $0.name == queryName }
        if let delay, preference.delay == nil, delay < status ?? .max {
            try preference.take(delay: query.items[delay].value)
        }
        if code == nil, let status {
            let text = query.items[status].value
            if omittingCode {
                _ = try Self.status(text, .query)
            } else {
                code = (text, .query, preference.applied.count)
            }
        }
        if let delay, preference.delay == nil { try preference.take(delay: query.items[delay].value) }
        if omittingCode, let text = query.last("__dynamic") { try checkTruth(text, .query) }
        // The echo keeps the order of the request.
        if let code { try preference.take(code: code.text, code.source, at: code.place) }
        return preference.applied.isEmpty ? nil : preference
    }

    /// Refuses what can't be used of the preferences that are left to the endpoint; no others are looked at.
    package static func checkChoice(_ head: RequestHead) throws(Problem) {
        for value in head.fields.values(field) {
            for piece in pieces(of: value[...], at: ",") {
                guard let (name, text) = pair(piece) else { continue }
                if name == "code" { _ = try status(text, .field) }
                if name == "dynamic" { try checkTruth(text, .field) }
            }
        }
        let query = QueryItems(head.target.rawQuery)
        if let text = query.last(queryName) { _ = try status(text, .query) }
        if let text = query.last("__dynamic") { try checkTruth(text, .query) }
    }

    /// Returns the parts of a list; a quoted text is never split.
    private static func pieces(of text: Substring, at separator: Unicode.Scalar) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for place in text.unicodeScalars.indices {
            switch text.unicodeScalars[place] {
            case _ where isEscaped: isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case separator where !isQuoted:
                pieces.append(text[start..<place])
                start = text.unicodeScalars.index(after: place)
            default: break
            }
        }
        return pieces + [text[start...]]
    }

    /// Returns `name=value` of one preference without its parameters and without quotes around the value.
    private static func pair(_ piece: Substring) -> (name: String, value: String)? {
        guard let own = pieces(of: piece, at: ";").first else { return nil }
        let parts = own.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = trimmed(parts[0]).lowercased()
        guard !name.isEmpty else { return nil }
        var value = parts.count > 1 ? trimmed(parts[1]) : ""
        if value.utf8.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
            value = String(value.dropFirst().dropLast())
        }
        return (name, value)
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text.utf8[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        return String(Substring(rest))
    }

    /// The part of a request that has a preference, which a refusal names.
    private enum Source {
        case field, query

        func path(_ name: String) -> String { self == .field ? "Prefer.\(name)" : "?__\(name)" }
    }

    private static func status(_ text: String, _ source: Source) throws(Problem) -> Int {
        guard text.utf8.count == 3, let code = Int(text), (200...599).contains(code) else {
            throw unusable("code", text, "a status from 200 to 599", source)
        }
        return code
    }

    /// Checks a preference that a document's responses take: without a value it is true.
    private static func checkTruth(_ text: String, _ source: Source) throws(Problem) {
        guard ["", "true", "false"].contains(text) else { throw unusable("dynamic", text, "true or false", source) }
    }

    private mutating func take(code text: String, _ source: Source, at place: Int) throws(Problem) {
        let code = try Self.status(text, source)
        // A `fault` preference has been read before and wins: only one effect acts.
        guard effect == nil else { return }
        effect = FaultSpec(
            effect: StatusEffect(order: InjectedStatus(Status(code))),
            source: ["status": .integer(Int64(code))]
        )
        applied.insert("code=\(code)", at: place)
    }

    private mutating func take(wait text: String) throws(Problem) {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isNumber, let seconds = Double(text), (0...Self.longestWait).contains(seconds) else {
            throw Self.unusable("wait", text, "a number of seconds from 0 to 3600")
        }
        wait(milliseconds: seconds * 1_000, applied: text)
    }

    /// Takes the delay of a query, in whole milliseconds.
    private mutating func take(delay text: String) throws(Problem) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            number <= Int(Self.longestWait) * 1_000
        else { throw Self.unusable("delay", text, "a whole number of milliseconds from 0 to 3600000", .query) }
        let seconds = number.isMultiple(of: 1_000) ? "\(number / 1_000)" : "\(Double(number) / 1_000)"
        wait(milliseconds: Double(number), applied: seconds)
    }

    private mutating func wait(milliseconds: Double, applied text: String) {
        delay = FaultSpec(
            effect: DelayEffect(distribution: DelayDistribution(.fixed(milliseconds: milliseconds))),
            source: ["delay": ["ms": .double(milliseconds)]]
        )
        applied.append("wait=\(text)")
    }

    private mutating func take(fault text: String) throws(Problem) {
        guard let known = FaultEffects.words.first(where: { $0.name == text.lowercased() }),
            let spec = FaultSpec(known.order)
        else {
            let names = FaultEffects.words.map(\.name)
            let near = Suggestion.nearest(to: text, among: names) ?? FaultSymptom.of(text)?.word
            throw Self.unusable("fault", text, "one of \(names.joined(separator: ", "))" + Suggestion.hint(near))
        }
        effect = spec
        applied.append("fault=\(known.name)")
    }

    private static func unusable(
        _ name: String,
        _ text: String,
        _ wanted: String,
        _ source: Source = .field
    ) -> Problem {
        let reason = "must be \(wanted)"
        return Problem(
            .invalidParameter,
            "The preference \(name)=\(text.cut) can't be used: it \(reason).",
            items: [Problem.Item(path: source.path(name), reason: reason)]
        )
    }

    /// Removes the preferences that Understudy obeys from a list of preferences, or from a `Preference-Applied`; nil
    /// when nothing is left.
    static func othersIn(_ value: String) -> String? {
        let own = ["code", "wait", "fault"]
        let others = pieces(of: value[...], at: ",").filter { piece in
            guard let name = pair(piece)?.name else { return false }
            return !own.contains(name)
        }
        guard !others.isEmpty else { return nil }
        return others.map(trimmed).joined(separator: ", ")
    }

    /// Returns whether a peer is this machine.
    package static func isLocal(_ peer: String) -> Bool {
        peer.isEmpty || peer == "::1" || peer.hasPrefix("127.") || peer.hasPrefix("::ffff:127.")
    }
}
