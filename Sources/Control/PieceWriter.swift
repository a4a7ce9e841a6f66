import HTTPMessage
import JSON

/// Writes a long JSON document in pieces that are sent one after the other, so that neither the whole tree nor the
/// whole text is in memory at once.
struct PieceWriter {
    private static let pieceBytes = 64 * 1_024
    /// The length up to which content is sent in one piece.
    static let wholeBytes = 2 * pieceBytes

    private var pieces: [[UInt8]] = []
    private var piece: [UInt8] = []
    private var length = 0

    /// Appends text that is JSON already.
    mutating func append(text: String) { piece.append(contentsOf: text.utf8) }

    mutating func append(_ value: JSON) {
        var writer = JSONWriter(appendingTo: piece)
        piece = []
        writer.write(value)
        piece = writer.bytes
        if piece.count >= Self.pieceBytes { cut() }
    }

    /// Appends an array of rows, each made when it is written.
    mutating func append(rows: some Sequence<JSON>) {
        append(text: "[")
        var isFirst = true
        for row in rows {
            if !isFirst { append(text: ",") }
            isFirst = false
            append(row)
        }
        append(text: "]")
    }

    private mutating func cut() {
        length += piece.count
        // One value can be as long as a whole world.
        var start = 0
        while piece.count - start > Self.wholeBytes {
            pieces.append(Array(piece[start..<(start + Self.pieceBytes)]))
            start += Self.pieceBytes
        }
        pieces.append(start == 0 ? piece : Array(piece[start...]))
        piece = []
        piece.reserveCapacity(Self.pieceBytes + Self.pieceBytes / 8)
    }

    /// Returns a response with that content, and with the number of items if it is a list.
    consuming func response(total: Int? = nil) -> Response {
        cut()
        var fields: Fields = [.contentType: "application/json; charset=utf-8"]
        if let total { fields.append(.totalCount, "\(total)") }
        guard length > Self.wholeBytes else {
            return Response(status: .ok, fields: fields, body: .bytes(Array(pieces.joined())))
        }
        var response = Response(status: .ok, fields: fields, body: .steps(pieces.map { .bytes($0) } + [.end]))
        response.framing = .length(length)
        return response
    }
}
