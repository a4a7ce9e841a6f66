import Backend
import JSON

extension WorldEvent {
    /// Writes the event in a form that can be read back.
    ///
    /// Returns false if that is impossible; the output is unusable then.
    func pack(to writer: inout PackedWriter) -> Bool {
        writer.number(seq)
        writer.instant(at)
        writer.text(kind.rawValue)
        writer.text(world)
        switch detail {
        case .request(let line):
            writer.flag(true)
            line.pack(to: &writer)
            return true
        case .members(let members):
            let text = JSON.object(members).serialized()
            // Members that are nested deeper than the reader's limit are not packed.
            guard let read = try? JSONReader.read(text), read == .object(members) else { return false }
            writer.flag(false)
            writer.optional(scope)
            writer.block(text)
            return true
        }
    }

    /// Reads the next packed event.
    init?(_ reader: inout PackedReader) {
        guard let seq = reader.number(), let at = reader.instant(), let kind = reader.text().flatMap(Kind.init),
            let world = reader.text(), let isRequest = reader.flag()
        else { return nil }
        let detail: Detail
        var scope: String?
        if isRequest {
            guard let line = JournalLine(&reader) else { return nil }
            detail = .request(line)
        } else {
            guard let read = reader.optional({ $0.text() }), let text = reader.block(),
                let members = (try? JSONReader.read(text))?.objectValue
            else { return nil }
            scope = read
            detail = .members(members)
        }
        self.init(seq: seq, at: at, kind: kind, world: world, detail: detail, scope: scope)
    }
}
