/// The 304s of an archive, and the 200s that they stand for (wire contract, section 2).
package struct CachedAnswers: Sendable {
    /// A 304, with its place in the archive.
    private struct NotModified: Sendable {
        let key: String
        let validators: EntryRole.Validators
        let line: Int
        let path: String
    }

    private var contents: [String: [EntryRole.Validators]] = [:]
    private var notModified: [NotModified] = []

    package init() {}

    /// Notes an entry; returns true for a 304 whose 200 is not there so far.
    @discardableResult
    package mutating func note(_ entry: HAREntry, line: Int = 0, path: String = "") -> Bool {
        let key = entry.request.method + " " + entry.request.url
        switch EntryRole(entry) {
        case .content(let own):
            if contents[key]?.contains(where: { $0 == own }) != true { contents[key, default: []].append(own) }
        case .whole(let part): contents[key, default: []].append(part.validators)
        case .notModified(let own, hasText: false):
            notModified.append(NotModified(key: key, validators: own, line: line, path: path))
            return isLone(key, own)
        case .notModified, .plain, .part: break
        }
        return false
    }

    private func isLone(_ key: String, _ validators: EntryRole.Validators) -> Bool {
        contents[key]?.contains { $0.names(validators) } != true
    }

    /// The 304s whose 200 is not there.
    package var notes: [HAROddity] {
        var oddities = HAROddities()
        for item in notModified where isLone(item.key, item.validators) {
            oddities.note(Self.words + " file", line: item.line, path: item.path, isOfEntry: true)
        }
        return oddities.items
    }

    package static let words = "only requests with its condition get this 304, because its 200 is not in the"
}
