import Basics
import HTTPMessage
import JSON
package import Recording

/// The content of one side of an entry, as far as the archive has it, to be compared or sent again.
package enum RecordedContent: Sendable, Equatable {
    /// All of it, without codings.
    case whole([UInt8])
    /// None of it, or less than there was; the text continues "its content is".
    case unknown(String)

    package var bytes: [UInt8]? {
        guard case .whole(let bytes) = self else { return nil }
        return bytes
    }

    private static let missing = "not in the recording"
    private static let cut = "not in the recording as a whole"

    /// Reads the content of a response.
    package init(responseOf entry: HAREntry) {
        let content = entry.response.content
        guard let bytes = content.bytes else {
            let isMissing = entry.lacksContent || content.size > 0 && entry.request.method != "HEAD"
            self = isMissing ? .unknown(Self.missing) : .whole([])
            return
        }
        let coding = RecordedCoding(entry.response.headers, type: content.mimeType)
        guard let plain = content.isEncoded ? coding.decoded(bytes) : bytes else {
            self = .unknown(Self.coded(coding))
            return
        }
        let isCut =
            entry.response.error != nil || content.isCut
            || content.size > bytes.count && Self.isBrokenJSON(plain, content.mimeType)
        self = isCut ? .unknown(Self.cut) : .whole(plain)
    }

    /// Reads the content of a request.
    package init(of request: HARRequest) {
        guard request.contentKnowledge == .whole else {
            self = .unknown(Self.missing)
            return
        }
        guard let post = request.postData else {
            self = .whole([])
            return
        }
        let type = request.headers.value("content-type") ?? post.mimeType
        let coding = RecordedCoding(request.headers, type: type)
        guard let plain = coding.isCoded(post.bytes) ? coding.decoded(post.bytes) : post.bytes else {
            self = .unknown(Self.coded(coding))
            return
        }
        let announced = max(request.headers.value("content-length").flatMap { Int($0) } ?? -1, request.bodySize)
        let isCut = announced > post.bytes.count && Self.isBrokenJSON(plain, type)
        self = isCut ? .unknown(Self.cut) : .whole(plain)
    }

    private static func coded(_ coding: RecordedCoding) -> String {
        "\(missing) but in a coding that can't be read (\(coding.names))"
    }

    /// Tells whether content that should be JSON is none.
    ///
    /// Tools count content in many ways, so that a length alone does not say that some of it is missing.
    private static func isBrokenJSON(_ bytes: [UInt8], _ type: String) -> Bool {
        guard let essence = MediaType(type)?.essence, essence.hasSuffix("json") else { return false }
        return (try? JSONReader.read(bytes, options: JSONReader.Options(maxDepth: 512, allowBOM: true))) == nil
    }
}
