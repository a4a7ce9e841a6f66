import Backend
import HTTPMessage

extension Response {
    /// Returns a 206 cut to some bytes of it, of content of a length.
    func part(_ places: Range<Int>, of total: Int?) -> Response {
        guard let text = fields[.contentRange],
            let first = text.split(whereSeparator: { $0 == " " || $0 == "-" }).dropFirst().first,
            let start = Int(first), start <= places.lowerBound
        else { return self }
        var cut = self
        let content = Array(body.content.dropFirst(places.lowerBound - start).prefix(places.count))
        cut.body = .bytes(content)
        cut.fields.set(
            .contentRange,
            "bytes \(places.lowerBound)-\(places.upperBound - 1)/\(total.map { "\($0)" } ?? "*")"
        )
        if fields.contains(.contentLength) { cut.fields.set(.contentLength, "\(content.count)") }
        cut.fields.remove(.transferEncoding)
        return cut
    }
}
