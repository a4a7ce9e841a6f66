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
        case .request(let id, let api, let method, let path, let status, let user):
            writer.flag(true)
            writer.text(id)
            writer.text(api)
            writer.text(method)
            writer.text(path)
            writer.signed(Int64(status))
            writer.optional(user)
            return true
        case .members(let members):
            let text = JSON.object(members).serialized()
            // Members that are nested deeper than the reader's limit are not packed.
            guard let read = try? JSONReader.read(text), read == .object(members) else { return false }
            writer.flag(false)
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
        if isRequest {
            guard let id = reader.text(), let api = reader.text(), let method = reader.text(), let path = reader.text(),
                let status = reader.int(), let user = reader.optional({ $0.text() })
            else { return nil }
            detail = .request(id: id, api: api, method: method, path: path, status: status, user: user)
        } else {
            guard let text = reader.block(), let members = (try? JSONReader.read(text))?.objectValue else { return nil }
            detail = .members(members)
        }
        self.init(seq: seq, at: at, kind: kind, world: world, detail: detail)
    }
}
