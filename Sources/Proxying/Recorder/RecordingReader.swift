package import Backend
package import Recording
package import Transport

/// A reason for which a recording can't be used.
package struct RecordingError: Error, Sendable, Equatable {
    /// `file:line: path: reason`, or `file: reason`.
    package var text: String
    /// The parts of the text, where it has a line.
    package var item: SeedError.Item?

    package init(text: String) { self.text = text }

    /// Creates the reason for which a line of a file can't be used.
    package init(_ error: HARError, in file: String) {
        text = error.text(in: file)
        item = SeedError.Item(place: file, line: error.line, path: error.path, reason: error.reason)
    }
}

/// A recording that has been read through once.
package struct ReadRecording: Sendable {
    package var name: String
    package var file: DataFile
    package var oddities: [HAROddity]
    /// Its 304s, and the 200s that they stand for.
    var cached: CachedAnswers
    package var entries: Int
    /// The offset of the closing text after the last entry.
    package var end: Int?
    /// The largest number of a stand-in in it.
    package var lastPseudonym: UInt64
    package var creator: String?
}

extension DataFile {
    /// The size of the largest content that is read from a file beside an archive, in bytes.
    package static let longestAttachment = 128 * 1_024 * 1_024

    /// Reads the files beside an archive that have contents of its entries.
    package func attachments(limit: Int = longestAttachment) -> HARAttachments {
        { self.contents(beside: $0, limit: limit) }
    }

    /// The size up to which an archive is looked through for entries; a longer one has some.
    private static let longestEmpty = 4 * 1_024

    /// Tells whether an archive may hold entries; what can't be read may hold anything.
    var holdsEntries: Bool {
        guard size > 0, size <= Self.longestEmpty else { return size > 0 }
        var hasEntry = false
        guard (try? RecordingReader.read(self, name: "", visit: { _ in hasEntry = true })) != nil else { return true }
        return hasEntry
    }
}

/// Reads archives from files, piece by piece.
package enum RecordingReader {
    private static let piece = 256 * 1_024

    /// Walks through a file; `visit` is called with each entry, `progress` with the bytes read so far and in all.
    package static func read(
        _ file: DataFile,
        name: String,
        progress: (Int, Int) -> Void = { _, _ in },
        visit: (HARStreamReader.Found) -> Void
    ) throws(RecordingError) -> ReadRecording {
        var reader = HARStreamReader(attachments: file.attachments())
        var pseudonymTexts = PseudonymNumbers()
        var offset = 0
        let total = file.size
        do throws(HARError) {
            while true {
                let bytes: [UInt8]
                do throws(Errno) {
                    bytes = try file.read(at: offset, count: piece)
                } catch {
                    throw HARError(line: 0, path: "", reason: "\(error)")
                }
                guard !bytes.isEmpty else { break }
                pseudonymTexts.look(at: bytes)
                for found in try reader.feed(bytes[...]) { visit(found) }
                offset += bytes.count
                progress(offset, max(total, offset))
            }
            try reader.finish()
        } catch {
            throw error.line == 0 ? RecordingError(text: "\(name): \(error.reason)") : RecordingError(error, in: name)
        }
        return ReadRecording(
            name: name,
            file: file,
            oddities: reader.oddities.items,
            cached: reader.cached,
            entries: reader.entryCount,
            end: reader.endOfEntries,
            lastPseudonym: pseudonymTexts.last,
            creator: reader.creator
        )
    }
}

/// Finds the largest number of a stand-in, so that a continued recording uses none twice.
struct PseudonymNumbers {
    private(set) var last: UInt64 = 0
    private var tail: [UInt8] = []

    /// Looks at the next piece of a text.
    mutating func look(at bytes: [UInt8]) {
        let text = tail + bytes
        var place = 0
        while let found = text[place...].firstIndex(of: 0x72) {
            place = found + 1
            guard RedactionMark.begins(text[found...]) else { continue }
            var next = found + RedactionMark.markBytes.count
            while next < text.count, text[next] >= 0x61, text[next] <= 0x7A { next += 1 }
            guard next < text.count, text[next] == 0x2D else { continue }
            let digits = text[(next + 1)...].prefix { $0 &- 0x30 < 10 }.prefix(18)
            if let number = UInt64(String(decoding: digits, as: UTF8.self)) { last = max(last, number) }
        }
        tail = Array(text.suffix(64))
    }
}
