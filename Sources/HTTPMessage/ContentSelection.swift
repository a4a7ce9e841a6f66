import CivilTime

/// A response with content, and the request that may ask for a part of it or set conditions on it (wire contract,
/// section 1; RFC 9110 sections 13 and 14).
package struct ContentSelection: Sendable {
    /// The way in which conditions and ranges are taken.
    package enum Manner: Sendable {
        case correct
        /// No ranges, and the response says so.
        case withoutRanges
        /// The response says that there are ranges, and is whole all the same.
        case ignoringRange
        /// The content has other validators than before.
        case changed
        /// The tag is a weak one.
        case weak
        /// `Content-Range` is one byte further on than the bytes are.
        case shifted
    }

    /// The response to a request without conditions and ranges.
    package let whole: Response
    private let request: RequestHead
    private let takesRanges: Bool
    private let isOfOther: Bool

    /// Creates a selection of what a response has; nil if the response is sent as it is whatever the request says.
    package init?(_ response: Response, for request: RequestHead) {
        guard response.selection != .none, request.isMethod(.get) || request.isMethod(.head) else { return nil }
        var whole = response
        whole.selection = .none
        self.whole = whole
        self.request = request
        isOfOther = response.selection == .rangesOfOther
        takesRanges = response.selection == .ranges || isOfOther
    }

    /// Tells whether the request asks for one range, whether or not a byte of it is there.
    package var asksForRange: Bool { takesRanges && range != nil }

    /// Tells whether the response differs from the correct one.
    package func isChanged(_ manner: Manner) -> Bool { response(manner) != response(.correct) }

    /// Returns the response to the request.
    package func response(_ manner: Manner = .correct) -> Response {
        let validators = validators(manner)
        var response = whole
        if manner != .correct {
            if let tag = validators.tag { response.fields.set(.eTag, tag.text) }
            if manner == .changed, let modified = validators.modified {
                response.fields.set(.lastModified, modified.httpDate)
            }
        }
        switch outcome(manner, validators) {
        case .preconditionFailed:
            response.removeContent()
            response.status = Status(412)
        case .notModified:
            response.removeContent()
            response.status = .notModified
        case .whole:
            if !isOfOther || manner != .correct { acceptRanges(&response, manner) }
        case .part(let places):
            response.status = Status(206)
            acceptRanges(&response, manner)
            let (first, last) = (places.lowerBound, places.upperBound - 1)
            let shift = manner == .shifted ? 1 : 0
            response.fields.set(.contentRange, "bytes \(first + shift)-\(last + shift)/\(count)")
            // Players begin with all of it, which needs no copy.
            if places.count < count { response.body = .bytes(Array(content[places])) }
            if response.fields.contains(.contentLength) { response.fields.set(.contentLength, "\(places.count)") }
        case .unsatisfiable:
            response.removeContent()
            response.status = Status(416)
            response.fields.set(.contentRange, "bytes */\(count)")
        }
        return response
    }

    private func acceptRanges(_ response: inout Response, _ manner: Manner) {
        guard takesRanges else { return }
        response.fields.set(.acceptRanges, manner == .withoutRanges ? "none" : "bytes")
    }

    // MARK: Outcome

    private enum Outcome {
        case preconditionFailed
        case notModified
        case whole
        case part(Range<Int>)
        case unsatisfiable
    }

    private struct Validators {
        var tag: EntityTag?
        var modified: Instant?
    }

    private var range: ByteRange? { request.isMethod(.get) ? ByteRange(request.fields) : nil }

    /// The content; that of a recording may come in steps.
    private var content: [UInt8] {
        switch whole.body {
        case .empty: []
        case .bytes(let bytes): bytes
        case .steps(let steps):
            steps.reduce(into: []) { joined, step in
                if case .bytes(let bytes) = step { joined.append(contentsOf: bytes) }
            }
        }
    }

    private var count: Int {
        if case .bytes(let bytes) = whole.body { bytes.count } else { content.count }
    }

    private func validators(_ manner: Manner) -> Validators {
        var validators = Validators(
            tag: whole.fields[.eTag].flatMap { EntityTag(parsing: $0) },
            modified: whole.fields[.lastModified].flatMap { Instant(receivedHTTPDate: $0) }
        )
        switch manner {
        case .changed:
            if validators.tag != nil || validators.modified == nil {
                validators.tag = EntityTag(opaque: (validators.tag?.opaque ?? "") + "-changed")
            }
            validators.modified = validators.modified.map { $0 + .seconds(1) }
        case .weak:
            validators.tag = validators.tag.flatMap { EntityTag(opaque: $0.opaque, isWeak: true) }
        case .correct, .withoutRanges, .ignoringRange, .shifted: break
        }
        return validators
    }

    /// The order is that of RFC 9110, section 13.2.2.
    private func outcome(_ manner: Manner, _ validators: Validators) -> Outcome {
        let fields = request.fields
        let conditions = ConditionalRequest(fields)
        if fields.contains(.ifMatch) {
            // A star asks for any content, and there is some.
            if conditions.ifMatch != .any, conditions.isMatchFailed(current: validators.tag) {
                return .preconditionFailed
            }
        } else if let modified = validators.modified, let limit = date(.ifUnmodifiedSince), modified > limit {
            return .preconditionFailed
        }
        if fields.contains(.ifNoneMatch) {
            if conditions.ifNoneMatch == .any || conditions.isNoneMatchFailed(current: validators.tag) {
                return .notModified
            }
        } else if let modified = validators.modified, let limit = date(.ifModifiedSince), modified <= limit {
            return .notModified
        }
        guard takesRanges, manner != .withoutRanges, manner != .ignoringRange, let range else { return .whole }
        if let condition = fields[.ifRange], !names(condition, validators) { return .whole }
        return range.places(in: count).map { .part($0) } ?? .unsatisfiable
    }

    /// Tells whether the value of `If-Range` names the content as it is.
    private func names(_ condition: String, _ validators: Validators) -> Bool {
        if let tag = EntityTag(parsing: condition) {
            return validators.tag.map { $0.stronglyMatches(tag) } ?? false
        }
        guard let date = Instant(receivedHTTPDate: condition) else { return false }
        return date == validators.modified
    }

    private func date(_ name: FieldName) -> Instant? { request.fields[name].flatMap { Instant(receivedHTTPDate: $0) } }
}

extension Response {
    /// Returns what a request gets of the content: all of it, a part, or the outcome of its conditions.
    package func selected(for request: RequestHead) -> Response {
        ContentSelection(self, for: request)?.response() ?? self
    }

    /// Removes the content and the fields that describe it.
    fileprivate mutating func removeContent() {
        body = .empty
        framing = nil
        for name: FieldName in [
            .contentType, .contentEncoding, .contentLength, "Content-Language", .contentDisposition,
        ] {
            fields.remove(name)
        }
    }
}

extension FieldName {
    package static let acceptRanges: FieldName = "Accept-Ranges"
    package static let contentRange: FieldName = "Content-Range"
    package static let ifRange: FieldName = "If-Range"
    package static let ifUnmodifiedSince: FieldName = "If-Unmodified-Since"
    package static let lastModified: FieldName = "Last-Modified"
}
