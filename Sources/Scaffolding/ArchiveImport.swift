import Backend
import Recording
import Secrets

/// Archives as the recordings of a folder, without their secrets (own-API contract, sections 18 and 23).
struct ArchiveImport {
    private(set) var files: [Scaffold.File] = []
    private(set) var omissions: [SeedError.Item] = []

    private struct Archive {
        var source: ScaffoldOrder.Source
        var found: [HARStreamReader.Found]
        /// The number of entries of hosts that are not wanted.
        var otherHosts: Int
        var oddities: [HAROddity]
    }

    init(
        _ sources: [ScaffoldOrder.Source],
        _ hosts: HostFilter,
        redacts: Bool,
        version: String
    ) throws(SeedError) {
        var archives: [Archive] = []
        var problems: [SeedError.Item] = []
        var hosts = hosts
        func refuse(_ source: ScaffoldOrder.Source, _ reason: String) {
            problems.append(SeedError.Item(place: source.place, line: 1, path: "$.log.entries", reason: reason))
        }
        for source in sources {
            var reader = HARStreamReader(attachments: source.attachments)
            do throws(HARError) {
                let all = try reader.feed(source.bytes[...])
                try reader.finish()
                if reader.entryCount == 0 { refuse(source, "there are no entries") }
                let found = all.filter { hosts.takes($0.entry.request.url) }
                archives.append(
                    Archive(
                        source: source,
                        found: found,
                        otherHosts: all.count - found.count,
                        oddities: reader.oddities.items + reader.cached.notes
                    )
                )
            } catch {
                problems.append(
                    SeedError.Item(place: source.place, line: error.line, path: error.path, reason: error.reason)
                )
            }
        }
        if let source = sources.first, let refusal = hosts.refusal { refuse(source, refusal) }
        guard problems.isEmpty else { throw SeedError(problems) }
        var names: Set<String> = []
        let kept = redacts ? Self.redacted(archives) : archives.map { $0.found.map(\.entry) }
        for (archive, entries) in zip(archives, kept) {
            noteLosses(of: archive, entries)
            let name = Self.name(archive.source.name, redacts: redacts, &names)
            let comment = redacts ? "Redacted by Understudy." : nil
            files.append(
                Scaffold.File(
                    path: "recordings/\(name)",
                    bytes: HARText.file(entries, version: version, comment: comment)
                )
            )
        }
    }

    /// The entries without their secrets.
    ///
    /// All archives share their pseudonyms. A secret may be learnt behind a place where it occurs, so everything is
    /// redacted again until nothing is learnt any more.
    private static func redacted(_ archives: [Archive]) -> [[HAREntry]] {
        let redactor = Redactor()
        var known: Int
        var entries: [[HAREntry]]
        repeat {
            known = redactor.pseudonyms.learntCount
            entries = archives.map { $0.found.map { redactor.entry($0.entry) } }
        } while redactor.pseudonyms.learntCount != known
        return entries
    }

    /// Lists what is not as the archive has it, the entries that can't answer, and contents that were left out.
    private mutating func noteLosses(of archive: Archive, _ entries: [HAREntry]) {
        let place = archive.source.place
        // Entries without a response are listed one by one.
        for oddity in archive.oddities
        where !(oddity.path.hasSuffix(".response") || oddity.path.hasSuffix(".response.status")) {
            omissions.append(SeedError.Item(place: place, line: oddity.line, path: oddity.path, reason: oddity.reason))
        }
        if archive.otherHosts > 0 {
            let reason = "\(archive.otherHosts) of other hosts; left out"
            omissions.append(SeedError.Item(place: place, line: 1, path: "$.log.entries", reason: reason))
        }
        var line = 1
        var offset = 0
        for (found, entry) in zip(archive.found, entries) {
            line += archive.source.bytes[offset..<found.offset].count { $0 == 0x0A }
            offset = found.offset
            func note(_ member: String, _ reason: String) {
                let path = "$.log.entries[\(found.index)]\(member)"
                omissions.append(SeedError.Item(place: place, line: line, path: path, reason: reason))
            }
            if entry.response.status < 200 { note(".response", "has no response, so it can't answer a request") }
            if found.entry.response.content.bytes != nil, entry.response.content.bytes == nil {
                note(".response.content", "is encoded, so secrets in it can't be found; left out")
            }
            if found.entry.request.postData?.bytes.isEmpty == false, entry.request.postData?.bytes.isEmpty == true {
                note(".request.postData", "is encoded, so secrets in it can't be found; left out")
            }
        }
    }

    /// The name of a recording after its archive's; a second one of the same name gets a number.
    private static func name(_ file: String, redacts: Bool, _ taken: inout Set<String>) -> String {
        var stem = file.split(separator: "/").last.map(String.init) ?? "recording"
        for ending in [".har", ".unredacted"] where stem.hasSuffix(ending) {
            stem = String(stem.dropLast(ending.count))
        }
        // The reader of a folder passes over names that begin with a dot.
        stem = String(stem.drop { $0 == "." })
        if stem.isEmpty { stem = "recording" }
        let ending = redacts ? ".har" : ".unredacted.har"
        var name = stem + ending
        var number = 2
        while !taken.insert(name).inserted {
            name = "\(stem)-\(number)\(ending)"
            number += 1
        }
        return name
    }
}
