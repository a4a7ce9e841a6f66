import HTTPMessage
import JSON

/// Replaces secrets in server-sent events, even those that begin in one event and end in a later one.
enum EventRedactor {
    static func redacted(_ bytes: [UInt8], by redactor: Redactor) -> [UInt8] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        for place in lines.indices {
            guard let start = EventTexts.dataStart(lines[place]) else {
                lines[place] = redactor.bytes(lines[place], isText: true)
                continue
            }
            let hasReturn = lines[place].last == 0x0D
            let data = Array(lines[place][start..<lines[place].count - (hasReturn ? 1 : 0)])
            let clean: [UInt8]
            if let json = try? JSONReader.read(data, options: JSONReader.Options(maxDepth: 512)),
                json.doubleValue == nil
            {
                clean = JSONRedactor.redacted(data, by: redactor)
            } else {
                clean = redactor.bytes(data, isText: true)
            }
            lines[place] = lines[place][..<start] + clean + (hasReturn ? [0x0D] : [])
        }
        joinPieces(&lines, redactor, EventTexts.dataStart)
        return Array(lines.joined(separator: [0x0A]))
    }

    /// Joins the texts of each member over all events, and redacts the secrets that only show when joined.
    ///
    /// `dataStart` returns the start of a line's data; nil for a line without data.
    static func joinPieces(_ lines: inout [[UInt8]], _ redactor: Redactor, _ dataStart: ([UInt8]) -> Int?) {
        EventTexts.rewrite(&lines, dataStart) { PieceRedactor.redacted($0, by: redactor) }
    }
}

/// Replaces secrets that are split across several pieces of one text.
enum PieceRedactor {
    /// Returns the pieces; a secret's pseudonym is in the piece where the secret began.
    static func redacted(_ pieces: [String], by redactor: Redactor) -> [String] {
        let joined = pieces.flatMap { Array($0.utf8) }
        let findings = SecretScanner.find(joined, redactor.pseudonyms)
        let spans = findings.map { finding in
            JoinedText.Span(range: finding.range, text: redactor.pseudonym(joined, finding))
        }
        return JoinedText.replaced(pieces, joined, spans)
    }
}
