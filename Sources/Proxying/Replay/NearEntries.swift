import Backend
import Basics
import HTTPMessage
import Journal
import Recording
import Transport
import Worlds

/// Compares a request of the journal with the entries of a recording, off the loop.
///
/// Made for one call, which may ask for thousands of requests; an entry read for one request is cached for the next.
final class NearEntries: Sendable {
    private let book: ReplayIndex
    private let files: [DataFile]
    private let known = Locked<[Int: RequestFingerprint]>([:])

    init(book: ReplayIndex, files: [DataFile]) {
        self.book = book
        self.files = files
    }

    /// The number of entries whose fingerprints are cached.
    private static let mostKnown = 512

    /// The number of entries with similar paths that are read to find those that differ least.
    private static let mostRead = 8

    /// The entries that differ least: first by method and path, then by the number of other differences.
    func nearest(to request: JournalEntry, count: Int) -> [NearRoute] {
        let live = fingerprint(of: request)
        var found: [(score: Int, differences: [String]?, line: ReplayIndex.Line)] = []
        for ranked in book.ranked(to: live, count: Self.mostRead) {
            let line = book.lines[ranked.place]
            found.append((ranked.score, differences(live, request, line, ranked.place), line))
        }
        let order = found.indices.sorted { left, right in
            let (few, many) = (found[left].differences?.count ?? Int.max, found[right].differences?.count ?? Int.max)
            return (found[left].score, few, left) < (found[right].score, many, right)
        }
        return order.prefix(count).map { index in
            let (_, differences, line) = found[index]
            let distance = line.distance(to: live, differences?.count)
            let differs =
                differences.map {
                    $0.isEmpty
                        ? line.lacksContent || line.role.isParticular ? line.reason : "nothing"
                        : $0.joined(separator: "; ")
                }
                ?? "not compared: the entry has \(line.size) bytes"
            let path = line.path + (line.query.map { "?" + $0 } ?? "")
            return NearRoute(
                method: HTTPMethod(rawValue: line.method),
                template: path,
                differs: differs,
                distance: distance
            )
        }
    }

    private func fingerprint(of request: JournalEntry) -> RequestFingerprint {
        let host = request.headers[.host] ?? "localhost"
        return book.fingerprinter.at(book.homes + [host], prefix: "").sent(to: host).fingerprint(
            method: request.method.rawValue,
            path: request.path,
            query: request.query,
            contentType: request.headers[.contentType] ?? "",
            coding: request.headers["Content-Encoding"],
            body: request.body.isTruncated ? [] : request.body.kept
        )
    }

    /// The differences; nil if the entry is too long, or can't be read any more.
    private func differences(
        _ live: RequestFingerprint,
        _ request: JournalEntry,
        _ line: ReplayIndex.Line,
        _ index: Int
    ) -> [String]? {
        guard let recorded = recorded(line, index) else { return nil }
        let all = MatchReport.differences(live: live, recorded: recorded)
        guard request.body.isTruncated else { return all }
        // The journal has only the beginning of a longer body.
        return all.filter { !$0.hasPrefix("body: ") } + ["body: not compared, it has \(request.body.length) bytes"]
    }

    private func recorded(_ line: ReplayIndex.Line, _ index: Int) -> RequestFingerprint? {
        if let print = known.withLock({ $0[index] }) { return print }
        guard line.size <= ReplayPlayer.longestInPlace, files.indices.contains(line.file),
            let entry = ReplayReading.Entry(index, line, in: files[line.file]).read(),
            let address = HARAddress(entry.request.url)
        else { return nil }
        let print = book.fingerprint(of: entry, address)
        known.withLock { if $0.count < Self.mostKnown { $0[index] = print } }
        return print
    }
}
