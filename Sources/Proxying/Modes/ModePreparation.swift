package import Backend
package import Recording
package import Transport

/// The location of a recording.
package enum RecordingPlace: Sendable, Equatable {
    /// A file directly in the folder of recordings, which a control call may name.
    case named(String)
    /// A file directly in the folder of recordings of a custom API.
    case inFolder(String, name: String)
    /// A path given on the command line.
    case path(String)

    package var text: String {
        switch self {
        case .named(let name), .inFolder(_, let name): name
        case .path(let path): path
        }
    }

    /// Returns the place of the same name in another folder.
    func moved(to folder: String) -> RecordingPlace { .inFolder(folder, name: text) }

    package static let folder = "recordings"

    /// The suffix of a recording, and the infix of one whose secrets were kept.
    package static let ending = ".har"
    package static let unredacted = ".unredacted"

    /// Reads a name of letters, digits, `.`, `_` and `-`, with or without `.har`, perhaps with the folder before it.
    ///
    /// `exists` tells which files exist, for a recording that is read: a name without the suffix also matches the
    /// recording whose secrets were kept, if that is the only one.
    package init?(name: String, exists: (String) -> Bool = { _ in false }) {
        let prefix = Self.folder + "/"
        var bare = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
        guard !bare.isEmpty else { return nil }
        if !bare.hasSuffix(Self.ending) {
            let kept = bare + Self.unredacted + Self.ending
            bare += Self.ending
            if !exists(prefix + bare), exists(prefix + kept) { bare = kept }
        }
        guard bare.utf8.count <= 128, !bare.hasPrefix("."),
            bare.utf8.allSatisfy({ byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            })
        else { return nil }
        self = .named(bare)
    }

    fileprivate func open(isWritable: Bool) throws(RecordingError) -> DataFile {
        do throws(Errno) {
            switch self {
            case .named(let name): return try .named(name, below: Self.folder, isWritable: isWritable)
            case .inFolder(let folder, let name): return try .named(name, below: folder, isWritable: isWritable)
            case .path(let path): return isWritable ? try .writing(path) : try .reading(path)
            }
        } catch {
            throw RecordingError(text: "\(text): \(isWritable ? "\(error)" : error.unreadable)")
        }
    }

    /// Moves an existing recording out of the way; returns its new path.
    fileprivate func keepPrevious() -> String? {
        switch self {
        case .named(let name): DataFile.keepPrevious(Self.folder + "/" + name, ending: ".har")
        case .inFolder(let folder, let name): DataFile.keepPrevious(folder + "/" + name, ending: ".har")
        case .path(let path): DataFile.keepPrevious(path, ending: ".har")
        }
    }
}

/// The prerequisites of a mode, prepared on any thread: recordings read, a file opened.
package struct ModePreparation: Sendable {
    package var order: ModeOrder
    package var book: ReplayIndex?
    package var files: [DataFile] = []
    package var read: [ReadRecording] = []
    /// The hosts whose entries are wanted, with the number of other entries.
    package private(set) var hosts = HostFilter([])
    /// The file to record into, with the position to continue at.
    var output: DataFile?
    var end: Int?
    var entries = 0
    var numbersFrom: UInt64 = 1
    var redacts = true
    /// The location of a new recording.
    var place: RecordingPlace?

    /// Reads the recordings of a mode, or opens the one it writes.
    ///
    /// `progress` is called with the current file, the bytes read and the bytes in all.
    package static func make(
        _ order: ModeOrder,
        _ places: [RecordingPlace],
        redacts: Bool = true,
        progress: (String, Int, Int) -> Void = { _, _, _ in }
    ) throws(RecordingError) -> ModePreparation {
        var made = ModePreparation(order: order)
        made.hosts = HostFilter(order.hosts)
        made.redacts = redacts
        switch order.mode {
        case .emulate, .spy, .diff: break
        case .record:
            guard let place = places.first else { throw RecordingError(text: "a recording needs a file") }
            // An existing file is moved away when the mode begins, because until then another mode may be recording
            // into it, or the start may fail.
            made.output = try place.open(isWritable: true)
            made.place = place
        case .replay: try made.read(places, progress)
        case .recordMissing:
            guard let place = places.first else { throw RecordingError(text: "a recording needs a file") }
            let file = try place.open(isWritable: true)
            made.output = file
            if file.size > 0 {
                try made.read(places, progress)
                guard let first = made.read.first, let end = first.end else {
                    throw RecordingError(text: "\(place.text): the end of its entries was not found")
                }
                made.end = end
                made.entries = first.entries
                made.numbersFrom = first.lastPseudonym + UInt64(first.entries) + 1
            } else {
                made.book = made.newIndex()
            }
        }
        return made
    }

    /// The places where the recordings are not as they should be.
    package var notes: [SeedError.Item] {
        read.flatMap { recording in
            recording.oddities.map {
                SeedError.Item(
                    place: recording.name,
                    line: $0.line,
                    path: $0.path,
                    reason: $0.reason,
                    severity: .note
                )
            }
        }
    }

    /// The reason why the recordings can answer nothing at all; nil if they have entries.
    package var refusal: String? {
        if let empty = read.first(where: { $0.entries == 0 }) {
            return "\(empty.name): $.log.entries: there are no entries to replay"
        }
        return hosts.refusal.map { "\(read.map(\.name).joined(separator: ", ")): \($0)" }
    }

    /// Moves an older recording out of the way of the new one; the caller holds the lock of the file.
    ///
    /// A file without entries stays, since it would take the place of an older one that has some.
    ///
    /// - Returns: the file to record into and the new path of the older one; nil if there was nothing to move.
    func renewed() throws(RecordingError) -> (file: DataFile, previous: String)? {
        guard let place, let output, output.holdsEntries, let previous = place.keepPrevious() else { return nil }
        let file = try place.open(isWritable: true)
        return (file, previous)
    }

    /// An empty book, in which the backend that is forwarded to is one of the recorded hosts.
    private func newIndex() -> ReplayIndex {
        var book = ReplayIndex(rules: order.rules)
        if let origin = order.upstream.flatMap({ UpstreamOrigin($0) }) { book.noteHome(origin.authority) }
        return book
    }

    private mutating func read(
        _ places: [RecordingPlace],
        _ progress: (String, Int, Int) -> Void
    ) throws(RecordingError) {
        var book = newIndex()
        for (number, place) in places.enumerated() {
            let file = try place.open(isWritable: false)
            files.append(file)
            let result = try RecordingReader.read(
                file,
                name: place.text,
                progress: { progress(place.text, $0, $1) },
                visit: {
                    guard hosts.takes($0.entry.request.url) else { return }
                    book.add($0.entry, file: number, offset: $0.offset, length: $0.length)
                }
            )
            read.append(result)
        }
        book.settle { line in ReplayReading.Entry(0, line, in: files[line.file]).read() }
        self.book = book
    }
}

extension ModeOrder {
    /// The values that replay and comparisons ignore.
    var rules: MatchRules { MatchRules(headers: ignoredHeaders, query: ignoredQuery, body: ignoredBody) }
}
