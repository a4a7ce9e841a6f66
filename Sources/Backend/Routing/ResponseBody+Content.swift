package import HTTPMessage

extension Response.Body {
    /// The content in one piece, regardless of when its parts are sent.
    package var content: [UInt8] {
        switch self {
        case .empty: []
        case .bytes(let bytes): bytes
        case .steps(let steps):
            steps.reduce(into: []) { joined, step in
                if case .bytes(let bytes) = step { joined.append(contentsOf: bytes) }
            }
        }
    }
}
