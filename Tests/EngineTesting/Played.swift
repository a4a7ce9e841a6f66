import Backend
package import HTTPMessage
package import JSON

/// An answer as it was played: what came, and when.
package struct Played {
    package struct Chunk {
        /// Milliseconds since the request.
        package var at: Int64
        package var bytes: [UInt8]
    }

    package enum Ending { case unfinished, ended, closed, aborted, held, left }

    package var status: Int
    package var fields: Fields
    package var chunks: [Chunk] = []
    package var headAt: Int64 = -1
    package var duration: Int64 = 0
    package var ending = Ending.unfinished

    package init(status: Int, fields: Fields) {
        self.status = status
        self.fields = fields
    }

    /// An answer that is there at once.
    package init(immediate response: Response) {
        self.init(status: response.status.code, fields: response.fields)
        chunks = [Chunk(at: 0, bytes: response.body.content)]
        ending = .ended
    }

    package var bytes: [UInt8] { chunks.flatMap(\.bytes) }
    package var text: String { String(decoding: bytes, as: UTF8.self) }
    package var json: JSON { (try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 1_000))) ?? .null }

    package subscript(name: FieldName) -> String? { fields[name] }

    /// The names of the top-level members in order.
    package var keys: [String] { json.keys }

    /// The text at a place such as `user.id`; the empty text if there is none.
    package func text(at path: String) -> String { json.at(path).stringValue ?? "" }
}
