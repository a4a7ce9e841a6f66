import CivilTime
import HTTPMessage

/// The requests that an entry's response may be sent to, beside those that have its key (wire contract, section 2).
package enum EntryRole: Sendable {
    /// Any.
    case plain
    /// Any: a 200 with its validators.
    case content(Validators)
    /// Any, as a 200: a 206 that has all of the content.
    case whole(Part)
    /// Requests whose condition it fits; `hasText` tells that the archive has the content, which is a 200 for others.
    case notModified(Validators, hasText: Bool)
    /// Requests for a range: a 206, or a 416.
    case part(Part)

    /// The tag and the date that name a version of content.
    package struct Validators: Sendable, Equatable {
        var tag: EntityTag?
        var modified: Instant?

        init(_ headers: [HARPair]) {
            tag = headers.value("etag").flatMap { EntityTag(parsing: $0) }
            modified = headers.value("last-modified").flatMap { Instant(httpDate: $0) }
        }

        /// Tells whether both name the same version: by their tags or, where one has none, by their dates.
        func names(_ other: Validators) -> Bool {
            if let tag, let theirs = other.tag { return tag.weaklyMatches(theirs) }
            guard let modified else { return false }
            return modified == other.modified
        }
    }

    /// A part of content.
    package struct Part: Sendable {
        /// The text of `Range` in the recorded request.
        let asked: String?
        /// The bytes that it is; nil if nothing can be cut out of it.
        let places: Range<Int>?
        /// The length of the whole; nil if unknown.
        let total: Int?
        let validators: Validators

        /// The range in words: `0-99/5000`.
        package var words: String? {
            places.map { "\($0.lowerBound)-\($0.upperBound - 1)/\(total.map { "\($0)" } ?? "*")" }
        }
    }

    init(_ entry: HAREntry) {
        let (request, response) = (entry.request, entry.response)
        guard request.method == "GET" || request.method == "HEAD" else {
            self = .plain
            return
        }
        var validators = Validators(response.headers)
        switch response.status {
        case 200: self = .content(validators)
        case 304:
            // A server may leave out what its client has named (RFC 9110, section 15.4.5).
            if validators.tag == nil {
                validators.tag = request.headers.value("if-none-match").flatMap { EntityTag(parsing: $0) }
            }
            if validators.modified == nil {
                validators.modified = request.headers.value("if-modified-since").flatMap { Instant(httpDate: $0) }
            }
            let hasText = !response.content.isCut && response.content.bytes?.isEmpty == false
            self = .notModified(validators, hasText: hasText)
        case 206 where request.method == "GET", 416 where request.method == "GET":
            let range = Self.range(response)
            let part = Part(
                asked: request.headers.value("range"),
                places: range?.places,
                total: range?.total,
                validators: validators
            )
            if let places = part.places, places.lowerBound == 0, places.upperBound == part.total {
                self = .whole(part)
            } else {
                self = .part(part)
            }
        default: self = .plain
        }
    }

    /// Tells whether only some requests with its key may get it.
    package var isParticular: Bool {
        switch self {
        case .plain, .content, .whole: false
        case .notModified, .part: true
        }
    }

    /// The range of a 206 that has as many bytes as it says, and the length of the whole.
    private static func range(_ response: HARResponse) -> (places: Range<Int>, total: Int?)? {
        guard response.status == 206, response.error == nil, let count = response.content.bytes?.count, count > 0,
            let text = response.headers.value("content-range")
        else { return nil }
        let pieces = text.split { $0 == " " || $0 == "-" || $0 == "/" }
        guard pieces.count == 4, pieces[0].lowercased() == "bytes", let first = Int(pieces[1]),
            let last = Int(pieces[2]),
            first >= 0, last - first == count - 1
        else { return nil }
        let total = pieces[3] == "*" ? nil : Int(pieces[3])
        guard pieces[3] == "*" || total.map({ $0 > last }) == true else { return nil }
        return (first..<last + 1, total)
    }
}

extension EntryRole.Validators {
    /// Tells whether a 304 with them answers the condition of a request.
    func fit(_ request: RequestHead) -> Bool {
        if request.fields.contains(.ifNoneMatch) {
            switch ConditionalRequest(request.fields).ifNoneMatch {
            case .any: return true
            case .tags(let tags): return tag.map { tag in tags.contains { $0.weaklyMatches(tag) } } ?? false
            case nil: return false
            }
        }
        guard let modified, let since = request.fields[.ifModifiedSince].flatMap({ Instant(httpDate: $0) }) else {
            return false
        }
        return modified <= since
    }

    /// Tells whether a part with them answers a request: it must be of the version that the request names.
    func admitPart(_ request: RequestHead) -> Bool {
        let conditions = ConditionalRequest(request.fields)
        if conditions.ifMatch != .any, conditions.isMatchFailed(current: tag) { return false }
        if conditions.isNoneMatchFailed(current: tag) { return false }
        guard let condition = request.fields[.ifRange] else { return true }
        if let named = EntityTag(parsing: condition) { return tag.map { $0.stronglyMatches(named) } ?? false }
        return Instant(httpDate: condition).map { $0 == modified } ?? false
    }
}

extension EntryRole.Part {
    /// Returns the bytes of it that a request asks for; nil if they are not all in it.
    func places(for range: ByteRange) -> Range<Int>? {
        guard let places else { return nil }
        let asked: Range<Int>?
        switch range {
        case .from(let start, let end?) where total == nil: asked = end < places.upperBound ? start..<end + 1 : nil
        default: asked = total.flatMap { range.places(in: $0) }
        }
        guard let asked, places.lowerBound <= asked.lowerBound, asked.upperBound <= places.upperBound else {
            return nil
        }
        return asked
    }
}
