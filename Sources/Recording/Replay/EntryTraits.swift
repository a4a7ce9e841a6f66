import Backend
import HTTPMessage
import Secrets

/// The part of an entry by which it is chosen among those of one key: the fields of its request on which its response
/// depends, and the media type of that (wire contract, section 2).
struct EntryTraits: Hashable, Sendable {
    private struct Field: Hashable, Sendable {
        let name: String
        /// The value of the recorded request; nil if it had none.
        let value: String?
    }

    private let fields: [Field]
    /// In lower case, without parameters; nil where the response has none of its own.
    private let mediaType: String?

    /// The fields on which every response may depend.
    private static let usual = ["accept", "accept-language"]
    /// Fields that `Vary` may name although they change no response, or change from run to run.
    private static let ignored: Set<String> = [
        "accept-encoding", "authorization", "cookie", "origin", "user-agent", "*",
    ]

    init(_ entry: HAREntry, ignoring: Set<String>) {
        var names = Self.usual
        for line in entry.response.headers where line.name.lowercased() == "vary" {
            for name in line.value.split(separator: ",") {
                let name = name.filter { $0 != " " && $0 != "\t" }.lowercased()
                if !names.contains(name) { names.append(name) }
            }
        }
        let headers = entry.request.headers
        fields = names.filter { !Self.ignored.contains($0) && !ignoring.contains($0) && !VolatileNames.contains($0) }
            .compactMap { name in
                let values = headers.filter { $0.name.lowercased() == name }.map(\.value)
                // What was redacted can't be compared.
                guard SecretNames.kind(of: name) == nil, !values.contains(where: RedactionMark.begins) else {
                    return nil
                }
                return Field(name: name, value: values.isEmpty ? nil : values.joined(separator: ", "))
            }
        let type = entry.response.headers.value("content-type") ?? entry.response.content.mimeType
        mediaType = entry.response.status == 304 ? nil : MediaType(type)?.essence
    }

    /// Tells whether a request has the same text in all fields.
    func isSame(as request: RequestHead) -> Bool {
        fields.allSatisfy { field in
            guard let name = FieldName(field.name), request.fields.contains(name) else { return field.value == nil }
            return request.fields.values(name).joined(separator: ", ") == field.value
        }
    }

    /// Tells whether a request takes the media type; nil if there is none.
    func isAccepted(by accepted: AcceptedTypes) -> Bool? { mediaType.map(accepted.takes) }
}

/// The media types that a request takes (RFC 9110, section 12.5.1).
struct AcceptedTypes: Sendable {
    private var ranges: [(type: String, subtype: String, isTaken: Bool)] = []

    init(_ request: RequestHead) {
        for text in request.fields.listElements(.accept) {
            guard let range = MediaType(text) else { continue }
            let weight = range.parameter("q").flatMap { Double($0) } ?? 1
            ranges.append((range.type, range.subtype, !(weight <= 0)))
        }
    }

    /// Tells whether it takes a media type: the narrowest range that holds it says so.
    func takes(_ essence: String) -> Bool {
        let parts = essence.split(separator: "/", maxSplits: 1)
        guard !ranges.isEmpty, parts.count == 2 else { return true }
        let narrowest = ranges.filter {
            ($0.type == "*" || $0.type == parts[0]) && ($0.subtype == "*" || $0.subtype == parts[1])
        }
        .min { Self.width($0) < Self.width($1) }
        return narrowest?.isTaken ?? false
    }

    private static func width(_ range: (type: String, subtype: String, isTaken: Bool)) -> Int {
        range.type == "*" ? 2 : range.subtype == "*" ? 1 : 0
    }
}
