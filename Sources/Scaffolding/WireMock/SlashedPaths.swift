import HTTPMessage
import JSON

/// The addresses of an import that end in a slash: WireMock tells them from those without, a path of ours does not.
struct SlashedPaths {
    private var shapes: Set<[Segment]> = []

    private enum Segment: Hashable {
        case text(String)
        /// A parameter of a template.
        case any
    }

    init(_ requests: [JSONObject]) {
        for request in requests {
            for name in ["url", "urlPath", "urlPathTemplate"] {
                guard let text = request[name]?.stringValue else { continue }
                let path = String(text.prefix { $0 != "?" })
                if path.hasSuffix("/"), path != "/" { shapes.insert(Self.shape(path)) }
            }
        }
    }

    /// Tells whether a slash at the end makes a difference: the path has one, or another mapping takes it with one.
    func isTold(_ path: String) -> Bool {
        guard path != "/" else { return false }
        guard !path.hasSuffix("/") else { return true }
        let shape = Self.shape(path)
        guard !shapes.contains(shape) else { return true }
        return shapes.contains { other in
            other.count == shape.count && zip(other, shape).allSatisfy { $0 == $1 || $0 == .any || $1 == .any }
        }
    }

    private static func shape(_ path: String) -> [Segment] {
        path.split(separator: "/").map { segment in
            segment.hasPrefix("{") ? .any : .text(Path(raw: "/" + segment)?.segments.first ?? String(segment))
        }
    }
}
