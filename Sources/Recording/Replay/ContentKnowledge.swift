import Basics
import HTTPMessage

/// The part of a request's content that an archive has.
package enum ContentKnowledge: Sendable, Equatable {
    case whole
    /// The fields of a form, but not all of its files.
    case withoutFiles
    /// No more than that there was some.
    case none
}

extension HARRequest {
    /// The part of the content that the archive has.
    ///
    /// Browsers write no content for a file that is sent, and leave the files of a form empty. Other tools decode bytes
    /// as text, which damages them, or leave long content out, as the recorder does.
    package var contentKnowledge: ContentKnowledge {
        let bytes = postData?.bytes ?? []
        let announced = headers.value("content-length").flatMap { Int($0) } ?? -1
        if postData?.isCut == true { return .none }
        guard !bytes.isEmpty else { return hadContent(announced) ? .none : .whole }
        // `bodySize` is no evidence: some tools count the text that they wrote.
        guard bytes.count != announced else { return .whole }
        let type = headers.value("content-type") ?? postData?.mimeType ?? ""
        if type.lowercased().hasPrefix("multipart/"), let parts = FormPart.parts(of: bytes, type) {
            let lost = parts.filter { $0.isLost }
            guard lost.allSatisfy({ $0.filename != nil }) else { return .none }
            return lost.isEmpty ? .whole : .withoutFiles
        }
        return bytes.isDamaged ? .none : .whole
    }

    /// Tells whether a request without recorded content was sent with some.
    private func hadContent(_ announced: Int) -> Bool {
        if bodySize > 0 || announced > 0 || postData?.file != nil { return true }
        guard bodySize < 0, announced < 0, method != "GET", method != "HEAD" else { return false }
        // No length is known, but nobody sends a form without parts, or a picture of no bytes.
        if headers.value("transfer-encoding") != nil { return true }
        let type = (headers.value("content-type") ?? postData?.mimeType ?? "").lowercased()
        return ["multipart/", "image/", "audio/", "video/", "application/octet-stream"].contains { type.hasPrefix($0) }
    }
}

extension FormPart {
    /// Tells whether the archive has none of a file, or a part that was damaged.
    var isLost: Bool {
        if let filename, !filename.isEmpty {
            return content.isEmpty || content.elementsEqual("(binary)".utf8) || content.isDamaged
        }
        return content.isDamaged
    }
}

extension Collection where Element == UInt8 {
    /// Tells whether bytes were decoded as text that was none, and U+FFFD stands in the wrong places.
    fileprivate var isDamaged: Bool {
        var rest = self[...]
        while let place = rest.firstIndex(of: 0xEF) {
            rest = rest[place...]
            if rest.starts(with: [0xEF, 0xBF, 0xBD]) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

extension HAREntry {
    /// Tells whether the archive does not have the content of the response, so that it can't be sent again.
    ///
    /// A redirect is complete without its content, which no client looks at.
    package var lacksContent: Bool {
        let content = response.content
        guard request.method != "HEAD", response.status >= 200, !(300..<400).contains(response.status),
            ![204, 205].contains(response.status)
        else { return false }
        if content.isCut { return true }
        guard content.bytes == nil else { return false }
        if content.size > 0 || content.file != nil { return true }
        guard content.size < 0 else { return false }
        // Nothing says that the response had no content, and its length or its type that it had some.
        if let length = response.headers.value("content-length") { return Int(length) != 0 }
        if response.bodySize > 0 || (response.bodySize == 0 && !isFromCache) { return response.bodySize > 0 }
        let type = content.mimeType.isEmpty ? response.headers.value("content-type") ?? "" : content.mimeType
        return !type.isEmpty && type != "x-unknown"
    }
}
