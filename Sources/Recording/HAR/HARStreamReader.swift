import JSON

/// Reads an archive piece by piece.
///
/// An entry is returned as soon as its last byte is read, and only that entry is in memory.
package struct HARStreamReader: Sendable {
    /// An entry with its place in the file.
    package struct Found: Sendable {
        package var entry: HAREntry
        /// From 0.
        package var index: Int
        /// The start of its text, in bytes from the start of the file.
        package var offset: Int
        package var length: Int
    }

    private enum Level: Equatable {
        case root, log, entries
    }

    private enum Want {
        /// The first byte of the file.
        case start
        case nameOrEnd
        case colon
        case value
        case commaOrEnd
        case nothing
    }

    /// The largest single value that is read.
    private let limit: Int
    private let attachments: HARAttachments?
    private var level = Level.root
    private var want = Want.start
    private var name = ""
    private var isAfterComma = false
    private var opening: [UInt8] = []
    /// The mistakes of the last entry, if it can't be used, and its end.
    ///
    /// They count once the list goes on behind it: the last entry of a file of ours may be half of one.
    private var unusable: (mistakes: [HARError], end: Int)?
    /// The first mistake of the file, and the number of entries with one.
    private var firstMistake: HARError?
    private var unusableCount = 0

    /// The value that is being read.
    private var value: [UInt8] = []
    private var isInValue = false
    private var isName = false
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var isScalar = false
    private var valueOffset = 0
    private var valueLine = 1

    private var offset = 0
    private var line = 1
    private var count = 0
    private var hasLog = false
    private var hasEntries = false
    package private(set) var creator: String?
    package private(set) var oddities = HAROddities()
    /// The 304s, and the 200s that they stand for.
    package private(set) var cached = CachedAnswers()
    /// The start of the closing text behind the last entry, which a writer that continues the file overwrites.
    package private(set) var endOfEntries: Int?
    private var endOfLastEntry = 0
    /// An error at the end of a file of ours, left by an interrupted write.
    private var torn: HARError?
    private var bytesBehindTear = 0

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - limit: The size of the largest entry that is accepted, in bytes.
    ///   - attachments: Reads the files beside the archive; nil for none.
    package init(limit: Int = 128 * 1024 * 1024, attachments: HARAttachments? = nil) {
        self.limit = limit
        self.attachments = attachments
    }

    /// Reads the text of one entry again, as it was found in its file.
    package static func entry(_ text: [UInt8], attachments: HARAttachments? = nil) throws(HARError) -> HAREntry {
        var reader = HARStreamReader(limit: text.count, attachments: attachments)
        let (entry, mistakes) = reader.entry(text, "$")
        guard let entry else { throw mistakes.first ?? reader.fault("$", "is no entry") }
        return entry
    }

    /// The number of entries read so far, with those that can't be used.
    package var entryCount: Int { count }

    /// Reads a piece and returns the entries that ended in it.
    package mutating func feed(_ bytes: ArraySlice<UInt8>) throws(HARError) -> [Found] {
        var found: [Found] = []
        var place = bytes.startIndex
        if torn == nil {
            do throws(HARError) {
                try read(bytes, &place, &found)
                return found
            } catch {
                // An interrupted write leaves the end of the former closing text behind it.
                guard creator == HARText.creator, hasEntries else { throw error }
                torn = error
            }
        }
        bytesBehindTear += bytes.endIndex - place
        if let torn, bytesBehindTear > HARText.closing.count { throw torn }
        return found
    }

    private mutating func read(
        _ bytes: ArraySlice<UInt8>,
        _ place: inout Int,
        _ found: inout [Found]
    ) throws(HARError) {
        while place < bytes.endIndex {
            if isInValue {
                try take(bytes, &place, &found)
                continue
            }
            let byte = bytes[place]
            if byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A {
                if byte == 0x0A { line += 1 }
            } else {
                try structure(byte)
                if isInValue { continue }
            }
            place += 1
            offset += 1
        }
    }

    /// Ends the file; one of ours that was cut inside an entry counts as complete up to there.
    package mutating func finish() throws(HARError) {
        if torn == nil, case .nothing = want, !isInValue {
            guard hasLog else { throw fault("$.log", "is required: the file is JSON, but not an HTTP archive") }
            guard hasEntries else { throw fault("$.log.entries", "is required") }
            // A file without any usable entry is no archive of exchanges.
            if let firstMistake, unusableCount == count { throw firstMistake }
            if count == 0, creator != HARText.creator {
                oddities.note("there are no entries", line: line, path: "$.log.entries")
            }
            return
        }
        if creator == HARText.creator, hasEntries {
            oddities.note(
                "the file ends before the archive does; the entries before that are read",
                line: line,
                path: "$.log.entries[\(count)]"
            )
            endOfEntries = endOfLastEntry
            return
        }
        guard case .start = want else { throw fault(path, "the file ends here, in the middle of the archive") }
        throw opening.first.map { unexpected($0, "'{'") } ?? fault("$", "the file is empty")
    }

    private var path: String {
        switch level {
        case .root: name.isEmpty ? "$" : "$.\(name)"
        case .log: name.isEmpty ? "$.log" : "$.log.\(name)"
        case .entries: "$.log.entries[\(count)]"
        }
    }

    private func fault(_ path: String, _ reason: String) -> HARError {
        HARError(line: line, path: path, reason: reason)
    }

    // MARK: Structure

    private mutating func structure(_ byte: UInt8) throws(HARError) {
        switch want {
        case .start: try begin(byte)
        case .nameOrEnd:
            if byte == 0x7D {
                if isAfterComma { oddities.note("there is a comma before a closing brace", line: line, path: path) }
                close()
            } else {
                guard byte == 0x22 else {
                    if let kind = ForeignFile([0x7B, byte]), offset == 1 { throw fault("$", kind.refusal) }
                    throw unexpected(byte, "a member name or '}'")
                }
                beginValue(isName: true)
            }
        case .colon:
            guard byte == 0x3A else { throw unexpected(byte, "':'") }
            want = .value
        case .value: try beginMember(byte)
        case .commaOrEnd:
            if byte == 0x2C || byte == 0x5D { passOver() }
            if byte == 0x2C {
                isAfterComma = true
                want = level == .entries ? .value : .nameOrEnd
            } else if byte == (level == .entries ? 0x5D : 0x7D) {
                close()
            } else {
                throw unexpected(byte, level == .entries ? "',' or ']'" : "',' or '}'")
            }
        case .nothing:
            // Some exporters end the file with a NUL.
            guard byte == 0 else { throw unexpected(byte, "the end of the file after the archive") }
            oddities.note("there is a NUL after the archive", line: line, path: "$")
        }
    }

    private mutating func begin(_ byte: UInt8) throws(HARError) {
        guard byte != 0x7B || !opening.isEmpty else {
            want = .nameOrEnd
            return
        }
        opening.append(byte)
        if opening == [0xEF, 0xBB, 0xBF] {
            oddities.note("the file begins with a byte order mark", line: 1, path: "$")
            opening = []
        } else if let kind = ForeignFile(opening) {
            throw fault("$", kind.refusal)
        } else if !ForeignFile.mayBegin(with: opening), ![0xEF, 0xBB, 0xBF].starts(with: opening) {
            throw unexpected(opening[0], "'{'")
        }
    }

    private mutating func beginMember(_ byte: UInt8) throws(HARError) {
        switch level {
        case .root where name == "log":
            guard byte == 0x7B else { throw fault("$.log", "must be an object") }
            hasLog = true
            open(.log)
        case .log where name == "entries":
            guard byte == 0x5B else { throw fault("$.log.entries", "must be an array") }
            if hasEntries { oddities.note("there are two lists of entries; both are read", line: line, path: path) }
            hasEntries = true
            endOfEntries = nil
            endOfLastEntry = offset + 1
            level = .entries
            name = ""
            want = .value
            isAfterComma = false
        case .entries where byte == 0x5D:
            if isAfterComma { oddities.note("there is a comma after the last entry", line: line, path: path) }
            close()
        case .root, .log, .entries:
            guard byte != 0x7D, byte != 0x5D, byte != 0x2C, byte != 0x3A else { throw unexpected(byte, "a value") }
            beginValue(isName: false)
        }
    }

    private mutating func open(_ next: Level) {
        level = next
        name = ""
        want = .nameOrEnd
        isAfterComma = false
    }

    private mutating func close() {
        isAfterComma = false
        name = ""
        switch level {
        case .entries:
            endOfEntries = endOfLastEntry
            level = .log
            want = .commaOrEnd
        case .log:
            level = .root
            want = .commaOrEnd
        case .root: want = .nothing
        }
    }

    private func unexpected(_ byte: UInt8, _ expected: String) -> HARError {
        let shown = byte > 0x20 && byte < 0x7F ? "'\(Unicode.Scalar(byte))'" : "the byte \(byte)"
        return fault(path, "expected \(expected), found \(shown)")
    }

    // MARK: Values

    private mutating func beginValue(isName: Bool) {
        value = []
        isInValue = true
        self.isName = isName
        depth = 0
        isInString = false
        isEscaped = false
        isScalar = false
        valueOffset = offset
        valueLine = line
    }

    /// Reads bytes of a value until it or the piece ends.
    private mutating func take(
        _ bytes: ArraySlice<UInt8>,
        _ place: inout Int,
        _ found: inout [Found]
    ) throws(HARError) {
        let start = place
        var isDone = false
        var includesLast = true
        scan: while place < bytes.endIndex {
            let byte = bytes[place]
            if byte == 0x0A { line += 1 }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isInString = false
                    if depth == 0 { isDone = true }
                }
            } else {
                switch byte {
                case 0x22: isInString = true
                case 0x7B, 0x5B: depth += 1
                case 0x7D, 0x5D:
                    if depth == 0 {
                        isDone = true
                        includesLast = false
                    } else {
                        depth -= 1
                        if depth == 0 { isDone = true }
                    }
                case 0x2C, 0x20, 0x09, 0x0A, 0x0D:
                    if depth == 0, isScalar {
                        isDone = true
                        includesLast = false
                        if byte == 0x0A { line -= 1 }
                    }
                default: if depth == 0 { isScalar = true }
                }
            }
            if isDone { break scan }
            place += 1
        }
        let end = isDone && includesLast ? place + 1 : place
        guard value.count + (end - start) <= limit else {
            throw HARError(line: valueLine, path: path, reason: "is larger than \(limit) bytes")
        }
        value.append(contentsOf: bytes[start..<end])
        offset += end - start
        place = end
        guard isDone else { return }
        isInValue = false
        try finishValue(&found)
    }

    private mutating func finishValue(_ found: inout [Found]) throws(HARError) {
        let text = value
        value = []
        let path = path
        if level == .entries {
            let (entry, mistakes) = entry(text, path)
            if let entry {
                cached.note(entry, line: valueLine, path: path)
                found.append(Found(entry: entry, index: count, offset: valueOffset, length: text.count))
                count += 1
                endOfLastEntry = offset
            } else {
                unusable = (mistakes, offset)
            }
        } else {
            let json = try parse(text, path)
            if isName {
                name = json.stringValue ?? ""
                want = .colon
                return
            }
            if level == .log, name == "creator" { creator = json["name"]?.stringValue }
        }
        isAfterComma = false
        want = .commaOrEnd
    }

    /// Counts and notes the entry before this place, if it can't be used.
    private mutating func passOver() {
        guard let (mistakes, end) = unusable else { return }
        unusable = nil
        count += 1
        unusableCount += 1
        firstMistake = firstMistake ?? mistakes.first
        endOfLastEntry = end
        for mistake in mistakes {
            let note = "\(mistake.reason); the entry is left out"
            oddities.note(note, line: mistake.line, path: mistake.path, isOfEntry: true, isMistake: true)
        }
    }

    private mutating func parse(_ text: [UInt8], _ path: String) throws(HARError) -> JSON {
        do throws(JSONSyntaxError) {
            return try JSONReader.read(text, options: JSONReader.Options(maxDepth: 512))
        } catch {
            guard [.loneSurrogate, .invalidUTF8, .controlCharacter].contains(error.reason),
                let json = try? JSONReader.read(HARRepair.repaired(text), options: JSONReader.Options(maxDepth: 512))
            else { throw HARError(line: valueLine + error.line - 1, path: path, reason: error.message) }
            oddities.note(
                "the text is not valid Unicode everywhere; the invalid parts are replaced",
                line: valueLine + error.line - 1,
                path: path
            )
            return json
        }
    }

    /// Returns an entry, or the mistakes for which it can't be used.
    private mutating func entry(_ text: [UInt8], _ path: String) -> (HAREntry?, mistakes: [HARError]) {
        let json: JSON
        do throws(HARError) {
            json = try parse(text, path)
        } catch {
            return (nil, [error])
        }
        var reader = HAREntryReader(attachments: attachments)
        let entry = reader.entry(json)
        for (inner, note, isOfEntry) in reader.notes {
            let path = path + inner.formattedJSONPath.dropFirst()
            oddities.note(note, line: valueLine, path: path, isOfEntry: isOfEntry)
        }
        guard entry == nil else { return (entry, []) }
        let positions = try? JSONReader.readWithPositions(text, options: JSONReader.Options(maxDepth: 512)).1
        let lines = positions?.closestLines(to: reader.mistakes.map(\.path)).map(\.line)
        let mistakes = reader.mistakes.enumerated().map { place, mistake in
            HARError(
                line: valueLine + (lines?[place] ?? 1) - 1,
                path: path + mistake.path.formattedJSONPath.dropFirst(),
                reason: mistake.reason
            )
        }
        return (nil, mistakes)
    }
}
