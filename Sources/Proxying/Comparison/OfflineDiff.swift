import Backend
package import CivilTime
import HTTPMessage
package import JSON
package import Recording
import Transport
package import Worlds

/// Compares the responses of a recording with the emulation's responses to the same requests, without a server.
package enum OfflineDiff {
    package struct Order: Sendable {
        /// Reads the API of the recording with its seeds.
        let api: APIReader
        /// Reads the other APIs of the build, one of which the recording may be of.
        let others: @Sendable () -> [AnyAPI]
        /// Reads the recordings of the API's folder, which answer as they do in `serve`.
        let recordings: @Sendable () throws(RecordingError) -> ModePreparation?
        let seed: UInt64
        /// The user whose credential replaces the ones whose sign-in is not in the recording.
        package var user: String?
        package var rules = MatchRules()
        /// The hosts whose entries are compared.
        package var hosts = HostFilter([])

        package init(
            seed: UInt64,
            api: @escaping APIReader,
            others: @escaping @Sendable () -> [AnyAPI],
            recordings: @escaping @Sendable () throws(RecordingError) -> ModePreparation? = { nil }
        ) {
            self.seed = seed
            self.api = api
            self.others = others
            self.recordings = recordings
        }
    }

    /// The result for one entry: its differences, and the reason why it or its content was not compared.
    package struct Compared: Sendable {
        package var index: Int
        package var method: String
        package var path: String
        package var differences: [AnswerDifference]
        package var skipped: String?

        package var json: JSON {
            var object: JSONObject = [
                "entry": .integer(Int64(index)), "method": .string(method), "path": .string(path),
            ]
            if let skipped { object.append("skipped", .string(skipped)) }
            let items = differences.map { difference -> JSON in
                guard case .object(var object) = difference.json else { return .null }
                object.append("severity", .string(difference.severity.rawValue))
                return .object(object)
            }
            object.append("differences", .array(items))
            return .object(object)
        }

        package func lines(showsValues: Bool) -> [String] {
            let place = "entry \(index)  \(method) \(path)"
            let without = skipped.map { ["\(place)  not compared: \($0)"] } ?? []
            return without
                + differences.filter { showsValues || $0.severity != .value }.map { difference in
                    let left = difference.emulated.map { Self.shown($0) } ?? "nothing"
                    let right = difference.upstream.map { Self.shown($0) } ?? "nothing"
                    return
                        "\(place)  \(difference.severity.rawValue)  \(difference.path): emulated \(left), recorded \(right)"
                }
        }

        private static func shown(_ json: JSON) -> String {
            let text = json.text
            return text.count > 80 ? text.prefix(77) + "…" : text
        }
    }

    package struct Summary: Sendable {
        package var compared = 0
        package var skipped = 0
        package var breaking = 0
        package var additive = 0
        package var values = 0
        /// The reasons why entries were not compared, most frequent first.
        package var reasons: [(reason: String, count: Int)] = []
        /// Another API that has most of the entries' paths, if the named one has none of them.
        package var likelyAPI: String?
        /// The prefix behind which paths are the API's, if none is as it is.
        package var prefix: String?

        package var json: JSON {
            [
                "compared": .integer(Int64(compared)), "skipped": .integer(Int64(skipped)),
                "reasons": .array(
                    reasons.map { ["reason": .string($0.reason), "count": .integer(Int64($0.count))] }
                ),
                "breaking": .integer(Int64(breaking)), "additive": .integer(Int64(additive)),
                "values": .integer(Int64(values)),
            ]
        }

        /// The last line; the reasons precede the counts, so that the line ends with the counts.
        package var text: String {
            let why = reasons.map { "\($0.count) because \($0.reason)" }.joined(separator: ", ")
            return (why.isEmpty ? "" : "not compared: \(why). ")
                + "\(compared) \(compared == 1 ? "entry" : "entries") compared, \(skipped) not: \(breaking) breaking, "
                + "\(additive) additive, \(values) other \(values == 1 ? "value" : "values")"
        }

        fileprivate mutating func skip(_ reason: String) {
            skipped += 1
            if let place = reasons.firstIndex(where: { $0.reason == reason }) {
                reasons[place].count += 1
            } else {
                reasons.append((reason, 1))
            }
        }

        fileprivate mutating func sortReasons() {
            reasons = reasons.enumerated().sorted {
                ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
            }.map(\.element)
        }
    }

    /// The location of an entry in its file.
    private struct Place {
        var index: Int
        var offset: Int
        var length: Int
        var started: Instant
    }

    /// Returns the users that there are where the one of the order is none of them; nil where it is, and without one.
    package static func usersWithoutTheNamed(_ order: Order, at now: Instant) -> [String]? {
        guard let user = order.user, let api = try? order.api() else { return nil }
        var comparer = RecordingComparer(api, order)
        return comparer.usersWithout(user, at: now)
    }

    /// Walks through a recording; `visit` is called with each entry in the order in which the exchanges began, whatever
    /// the order in the file (HAR 1.2, `entries`), so that later entries see the changes of earlier ones.
    package static func run(
        _ path: String,
        _ order: Order,
        progress: (Int, Int) -> Void,
        visit: (Compared) -> Void
    ) throws(RecordingError) -> Summary {
        let file: DataFile
        do throws(Errno) {
            file = try .reading(path)
        } catch {
            throw RecordingError(text: "\(path): \(error.unreadable)")
        }
        let api: AnyAPI
        do throws(SeedError) {
            api = try order.api()
        } catch {
            throw RecordingError(text: error.items.map(\.text).joined(separator: "\n"))
        }
        let recordings = try order.recordings()
        let recorded = Set(recordings?.book?.lines.map(\.path) ?? [])
        var comparer = RecordingComparer(api, order, recordings)
        var summary = Summary()
        var places: [Place] = []
        var paths = SeenPaths()
        var hosts = order.hosts
        var last = Instant.epoch
        var total = 0
        _ = try RecordingReader.read(file, name: path) {
            total = $1
            progress($0 / 2, $1)
        } visit: { found in
            if hosts.takes(found.entry.request.url), let address = HARAddress(found.entry.request.url),
                let path = Path(raw: address.path)
            {
                paths.note(path.text)
            }
            // An entry without a time stays after the one before it.
            if found.entry.started != .epoch { last = found.entry.started }
            places.append(Place(index: found.index, offset: found.offset, length: found.length, started: last))
        }
        if let refusal = hosts.refusal { throw RecordingError(text: "\(path): \(refusal)") }
        places.sort { ($0.started, $0.index) < ($1.started, $1.index) }
        var done = 0
        comparer.hasNoPath = paths.areStrange { api.takes($0) || recorded.contains($0.text) }
        for place in places {
            guard let bytes = try? file.read(at: place.offset, count: place.length),
                let entry = try? HARStreamReader.entry(bytes, attachments: file.attachments())
            else { throw RecordingError(text: "\(path): entry \(place.index) can no longer be read") }
            done += place.length
            progress(min(total / 2 + done / 2, total), total)
            let compared = comparer.compare(entry, place.index)
            if let reason = compared.skipped {
                summary.skip(reason)
            } else {
                summary.compared += 1
            }
            for difference in compared.differences {
                switch difference.severity {
                case .breaking: summary.breaking += 1
                case .additive: summary.additive += 1
                case .value: summary.values += 1
                }
            }
            visit(compared)
        }
        summary.sortReasons()
        if comparer.hasNoPath {
            summary.likelyAPI = paths.likelyAPI(among: order.others)
            summary.prefix = paths.prefix(of: api)
        }
        return summary
    }

    /// The paths of a recording, which identify its API.
    private struct SeenPaths {
        private static let capacity = 1_000
        private var paths: [Path] = []
        private var known: Set<String> = []

        mutating func note(_ text: String) {
            guard paths.count < Self.capacity, known.insert(text).inserted, let path = Path(raw: text) else { return }
            paths.append(path)
        }

        /// Tells whether none of the paths is taken.
        func areStrange(to takes: (Path) -> Bool) -> Bool { !paths.isEmpty && !paths.contains(where: takes) }

        /// The first segments of the paths, as a gateway puts them in front, behind which an API has some of the rest.
        func prefix(of api: AnyAPI) -> String? {
            for count in 1...3 {
                for path in paths where path.segments.count > count {
                    let (front, rest) = (path.segments.prefix(count), path.segments.dropFirst(count))
                    if let own = Path(raw: "/" + rest.joined(separator: "/")), api.takes(own) {
                        return "/" + front.joined(separator: "/")
                    }
                }
            }
            return nil
        }

        /// The API that has most of the paths; nil if none has.
        func likelyAPI(among others: () -> [AnyAPI]) -> String? {
            var best: (name: String, count: Int)?
            for api in others() {
                let count = paths.count(where: api.knows)
                if count > best?.count ?? 0 { best = (api.identity.name, count) }
            }
            return best?.name
        }
    }
}

extension AnyAPI {
    /// Tells whether a path may be the API's: one of its routes, or of its stubs, which may take any.
    fileprivate func takes(_ path: Path) -> Bool { knows(path) || !hooks.seedStubs.isEmpty }
}
