import Compression

extension WireAnswer {
    /// The content as text without its coding, which the answer has to have.
    func plain() throws -> String {
        let coding: Inflater.Coding =
            switch self["Content-Encoding"] {
            case "gzip"?: .gzip
            case "deflate"?: .deflate
            default: throw TestError(description: "not coded: \(text)")
            }
        return String(decoding: try Inflater.inflate(bytes, coding, limit: 1 << 26), as: UTF8.self)
    }
}
