import Backend
import Recording

extension ReplayIndex.Line {
    /// The reason why an entry has not answered a request that differs in nothing that is compared.
    var reason: String {
        guard !lacksContent else { return "the archive does not have the content of its response" }
        return switch role {
        case .notModified(_, hasText: false): "the condition: a 304 answers its own alone"
        case .part(let part):
            "the range: it has " + (part.words.map { "only the bytes \($0)" } ?? "an answer to its own alone")
        case .plain, .content, .whole, .notModified: "nothing: each such entry has been served"
        }
    }

    /// The distance of a request, for the order among stubs and routes; `differences` counts all, if they are known.
    func distance(to live: RequestFingerprint, _ differences: Int?) -> Double {
        let ofPath = NearRoute.distance(path, live.path)
        let ofMethod = method == live.method ? 0 : NearRoute.otherMethod
        let others = (differences ?? 0) - (ofPath > 0 ? 1 : 0) - (ofMethod > 0 ? 1 : 0)
        return ofPath + ofMethod + Double(max(others, 0))
    }
}
