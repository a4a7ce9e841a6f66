package import HTTPMessage

extension Response.Body {
    /// All content in one piece, whenever it is sent.
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
