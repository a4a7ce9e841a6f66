import Backend
import HTTPMessage
import JSON
import Journal

extension RequestTargetForm {
    /// The stored form of a way: without members for that of most requests.
    struct Record: Decodable, Sendable {
        var prefix: String?
        var authority: String?
        var path: String?
        var origin: String?
    }

    init(_ record: Record) throws(PartFault) {
        let prefix = record.prefix ?? ""
        guard prefix.isEmpty || Path(raw: prefix)?.text == prefix && !prefix.hasSuffix("/") else {
            throw PartFault(path: ["way", "prefix"], "must be a normalized path without a trailing slash")
        }
        if let authority = record.authority,
            authority.isEmpty || !authority.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        {
            throw PartFault(path: ["way", "authority"], "must be a host with or without a port")
        }
        if let path = record.path, !path.hasPrefix("/") || !path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw PartFault(path: ["way", "path"], "must be the path of a request")
        }
        if let origin = record.origin,
            !origin.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) || !origin.hasPrefix("http")
        {
            throw PartFault(path: ["way", "origin"], "must be the origin of a request")
        }
        self.init(prefix: prefix, authority: record.authority, path: record.path, origin: record.origin)
    }

    /// Writes the form that `Record` reads.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if !prefix.isEmpty {
            writer.name("prefix")
            writer.string(prefix)
        }
        if let authority {
            writer.name("authority")
            writer.string(authority)
        }
        if let path {
            writer.name("path")
            writer.string(path)
        }
        if let origin {
            writer.name("origin")
            writer.string(origin)
        }
        writer.endObject()
    }
}
