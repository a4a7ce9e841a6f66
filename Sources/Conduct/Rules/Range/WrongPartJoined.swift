import ConductKit
import HTTPMessage

/// `range/wrong-part-joined`.
struct WrongPartJoined: ConductRule {
    static let declaration = RuleDeclaration(
        "range/wrong-part-joined",
        "Content joined that was not the part asked for",
        .error,
        situation: """
            a GET with `Range: bytes=N-`, N above 0, that is answered 200, or 206 with another beginning; or one with `If-Range` \
            that is answered 200 with another tag
            """,
        breach: """
            a request behind the bytes that the answer brought, reckoned from N; or the next part with the tag in `If-Range` that \
            was refused
            """,
        excused: [
            "another response to the same request that ended there", "a response in a coding",
            "a response that the client interrupted", "a response since with the former tag",
        ],
        source: [.rfc(9110, "15.3.7"), .rfc(9110, "13.1.5")],
        exercisedBy: [#"{"range":"changed"}"#, #"{"range":"ignored"}"#, #"{"range":"shifted"}"#],
        what: "A download went on as if an answer had been the part that it had asked for.",
        why: "The file on the device is broken: a part of the old content with all of the new one behind it.",
        expected: "Append only a 206 whose `Content-Range` begins where the part ends, and replace the part by a 200.",
        urlsession: """
            Keep the part only for a 206 that begins at its end, and start the file anew for a 200:

                let range = response.value(forHTTPHeaderField: "Content-Range") ?? ""
                let isRest = response.statusCode == 206 && range.hasPrefix("bytes \\(part.count)-")
                if !isRest { part.removeAll() }
            """,
        fetch: """
            Keep the part only for a 206 that begins at its end, and start the file anew for a 200:

                const range = response.headers.get("Content-Range") ?? ""
                const isRest = response.status === 206 && range.startsWith(`bytes ${part.length}-`)
                if (!isRest) part = new Uint8Array()
            """
    )

    /// An answer that was not the part asked for, and the request by which a client shows that it took it for that.
    private struct Wrong {
        var row: Int32
        var status: Int16
        /// The offset at which it goes on.
        var next: Int
        /// Tells whether only a request for all that follows shows it.
        var isOpen: Bool
        /// The tag that it has to come with; nil for any.
        var tag: String?
    }

    private struct Download {
        /// The offsets at which answers ended.
        var ends: [Int] = []
        var wrong: [Wrong] = []
    }

    private static let most = 64

    private var downloads: [Int32: Download] = [:]

    mutating func take(_ x: JudgedExchange, _ context: inout RuleContext) {
        guard x.isGet, x.row.request >= 0 else { return }
        var start: Int?
        var end: Int?
        if case .from(let place, through: let last)? = ByteRange(x.exchange.fields) { (start, end) = (place, last) }
        if let start { judge(x, from: start, isOpen: end == nil, &context) }
        note(x, from: start, through: end, &context)
    }

    private mutating func judge(_ x: JudgedExchange, from start: Int, isOpen: Bool, _ context: inout RuleContext) {
        guard let download = downloads[x.row.request] else { return }
        let place = download.wrong.firstIndex { wrong in
            wrong.next == start && (isOpen || !wrong.isOpen) && context.sawEnd(context[wrong.row], x.row)
                && (wrong.tag.map { $0 == x.field(.ifRange) } ?? !download.ends.contains(start))
        }
        guard let place else { return }
        let wrong = download.wrong[place]
        downloads[x.row.request]?.wrong.removeAll { $0.row == wrong.row }
        let answer = wrong.status == 200 ? "200 with the whole content" : "206 with another part"
        let goes =
            wrong.tag == nil
            ? "went on at byte \(start), as if that had been the part"
            : "asked for the next part with the tag in `If-Range` that this had refused"
        context.breach(
            [wrong.row, x.index],
            "\(context.id(wrong.row)) asked for a part and was answered \(answer); \(x.row.id) \(goes)."
        )
    }

    /// Notes up to where an answer has brought a client.
    private mutating func note(
        _ x: JudgedExchange,
        from start: Int?,
        through end: Int?,
        _ context: inout RuleContext
    ) {
        let fields = x.exchange.responseFields
        let length = x.exchange.responseBody.length
        guard x.row.outcome != .interrupted, x.row.status == 200 || x.row.status == 206,
            !fields.contains(.contentEncoding)
        else { return }
        var download = downloads[x.row.request] ?? Download()
        if let tag = fields[.eTag] { download.wrong.removeAll { $0.tag == tag } }
        var begin = 0
        if x.row.status == 206 {
            guard let place = Self.begin(of: fields) else { return }
            begin = place
        }
        download.ends.append(begin &+ length)
        if let start, start > 0, begin != start {
            context.situation(x)
            let isOpen = end == nil
            // What a server cut in a part of a given length says little of what a client holds.
            if length > 0, isOpen || x.row.isDelivered {
                let isCut = isOpen && !x.row.isDelivered
                download.wrong.append(
                    Wrong(row: x.index, status: x.row.status, next: start &+ length, isOpen: isCut)
                )
            }
            if let end, x.row.status == 200, let tag = x.field(.ifRange), let other = fields[.eTag], tag != other {
                download.wrong.append(Wrong(row: x.index, status: 200, next: end &+ 1, isOpen: false, tag: tag))
            }
        }
        if download.ends.count > Self.most { download.ends.removeFirst() }
        if download.wrong.count > Self.most { download.wrong.removeFirst() }
        downloads[x.row.request] = download
    }

    /// The first byte that a `Content-Range` names.
    private static func begin(of fields: Fields) -> Int? {
        guard let value = fields["Content-Range"], value.lowercased().hasPrefix("bytes ") else { return nil }
        return Int(value.dropFirst("bytes ".count).prefix { $0 != "-" })
    }
}
