package import Backend
import CivilTime
import HTTPMessage

/// The answer that is kept for repetitions of a request (wire contract, section 8).
package struct KeptAnswer: Row, Codable, Sendable, Equatable {
    /// A line of the header section.
    package struct Line: Codable, Sendable, Equatable {
        let name: String
        let value: String
    }

    /// The identity of all repetitions.
    package let id: String
    package let key: String
    package let method: String
    package let path: String
    package let user: String?
    /// The digest of the content of the request.
    let request: [UInt8]
    let keptAt: Instant
    let status: Int
    let headers: [Line]
    let content: [UInt8]
    /// Tells whether the content came in pieces.
    let isStream: Bool
    /// The source of the answer, and the template of the route.
    let source: String
    let route: String?
    /// The bytes of the contents that were ever kept, up to this one; nil in a store of an earlier version.
    let total: Int?

    /// The numbers of a stored answer.
    package static let ranges: StoredRanges = [
        "keptAt": .date, "status": .whole(200...299), "total": .whole(0...(1 << 53)),
    ]

    /// The bytes of the contents from an older answer up to this one.
    func bytes(from oldest: KeptAnswer) -> Int { (total ?? 0) - (oldest.total ?? 0) + oldest.content.count }

    /// Creates the answer to a call.
    init(_ response: Response, under identity: String, key: String, request: [UInt8], to call: Call, after total: Int) {
        id = identity
        self.key = key
        method = call.method.rawValue
        path = call.path.text
        user = call.user?.id
        self.request = request
        keptAt = call.now
        status = response.status.code
        headers = response.fields.pairs.map { Line(name: $0.name, value: $0.value) }
        content = response.body.content
        if case .steps = response.body { isStream = true } else { isStream = false }
        self.total = total + content.count
        source = call.source?.rawValue ?? ""
        route = call.route
    }

    /// The answer as it is sent again.
    var response: Response {
        var fields = Fields()
        for line in headers {
            if let name = FieldName(line.name) { fields.append(name, line.value) }
        }
        fields.append("Idempotency-Replayed", "true")
        var response = Response(status: Status(status), fields: fields)
        if isStream {
            response.body = .steps([.bytes(content), .end])
        } else if !content.isEmpty {
            response.body = .bytes(content)
        }
        return response
    }
}
