extension HostMap {
    /// An entry as it was written, with its place.
    package struct Draft: Sendable {
        package var host: String
        /// The API's name; nil where one API is served.
        package var api: String?
        package var place: String
        /// Sources of a lower number count first; those of one number must not differ.
        package var rank: Int

        package init(host: String, api: String?, place: String, rank: Int) {
            self.host = host
            self.api = api
            self.place = place
            self.rank = rank
        }
    }

    /// A mistake in the map.
    package struct Fault: Error, Equatable, Sendable {
        package let message: String
    }

    /// Makes a map of what was written.
    ///
    /// `unknown` says that there is no API of a name, with the nearest one.
    package init(
        _ drafts: [Draft],
        tunnels: [(text: String, place: String)],
        unmapped: Unmapped,
        apis: [String],
        unknown: (String) -> String
    ) throws(Fault) {
        var entries: [Entry] = []
        var ranks: [Int] = []
        for draft in drafts {
            let pattern = try Self.pattern(draft.host, draft.place)
            guard let api = draft.api ?? (apis.count == 1 ? apis[0] : nil) else {
                throw Fault(
                    message: "\(draft.place): \(draft.host) names no API; several are served: HOST=API names one"
                )
            }
            guard apis.contains(api) else { throw Fault(message: "\(draft.place): \(unknown(api))") }
            if let known = entries.firstIndex(where: { $0.pattern == pattern }) {
                guard ranks[known] == draft.rank, entries[known].api != api else { continue }
                throw Fault(
                    message: "\(draft.place): \(pattern.text) is mapped to both \(entries[known].api) and \(api)"
                )
            }
            entries.append(Entry(pattern, api: api, from: draft.place))
            ranks.append(draft.rank)
        }
        var passed: [TunnelEntry] = []
        for (text, place) in tunnels {
            let entry: TunnelEntry
            do throws(HostPattern.Refusal) {
                entry = try TunnelEntry(text)
            } catch {
                throw Fault(message: "\(place): \"\(text)\" \(error.reason)")
            }
            if case .pattern(let pattern) = entry.host, entries.contains(where: { $0.pattern == pattern }) {
                throw Fault(message: "\(place): \(pattern.text) is mapped to an API and can't be passed on as well")
            }
            if !passed.contains(entry) { passed.append(entry) }
        }
        self.init(entries, tunnels: passed, unmapped: unmapped)
    }

    private static func pattern(_ text: String, _ place: String) throws(Fault) -> HostPattern {
        do throws(HostPattern.Refusal) {
            return try HostPattern(text)
        } catch {
            throw Fault(message: "\(place): \"\(text)\" \(error.reason)")
        }
    }
}
