import Backend
import Basics
import CivilTime
import ConductKit
import HTTPMessage
import Recording

/// An entry of an archive, as far as it can be read as an exchange (conduct contract, section 13).
enum FileEntry {
    /// The reason why an entry is not judged, or the exchange with the address that it went to.
    enum Reading {
        case exchange(ConductExchange, host: String)
        /// Nothing is lost by leaving it out.
        case noExchange
        case oddity(String)
    }

    /// Reads an entry; its file and number make its name.
    static func read(_ entry: HAREntry, id: String, file: Int) -> Reading {
        guard let address = HARAddress(entry.request.url) else {
            return .oddity("the address is not http or https; it is not judged")
        }
        let method = entry.request.method
        guard method != "CONNECT" else { return .noExchange }
        // An own exchange that is sent again, a held one, and what the browser had at hand.
        guard entry.replayOf == nil, entry.response.error != "the answer is being held", !entry.isFromCache,
            !isControlCall(address.path)
        else { return .noExchange }
        guard entry.started != .epoch else { return .oddity("there is no usable time; it is not judged") }
        let host = host(of: address)
        var exchange = ConductExchange(
            id: id,
            seq: 0,
            at: entry.virtualTime ?? entry.started,
            startedAt: entry.started,
            endedAt: entry.started + .microseconds(Int64((max(entry.time, 0) * 1_000).rounded())),
            peer: [String(file), entry.peer.map(addressOfPeer)].compactMap { $0 }.joined(separator: " "),
            connection: nil,
            api: host,
            method: HTTPMethod(rawValue: method),
            // In the form that a journal has.
            path: Path(raw: address.path)?.text ?? address.path,
            query: address.query,
            fields: fields(entry.request.headers),
            body: body(entry.request, isOwn: entry.virtualTime != nil),
            status: entry.response.status,
            responseFields: fields(entry.response.headers),
            responseBody: body(entry.response),
            outcome: outcome(entry.response),
            isEmulated: false
        )
        exchange.file = file
        exchange.world = entry.world ?? exchange.fields[.world]
        exchange.isLocal = entry.peer.map { ConductExchange.isLoopback(addressOfPeer($0)) } ?? false
        // Some tools leave a field out that they write down beside the content.
        if exchange.body.length > 0, exchange.fields[.contentType] == nil,
            let type = entry.request.postData?.mimeType, !type.isEmpty
        {
            exchange.fields.append(.contentType, type)
        }
        return .exchange(exchange, host: host)
    }

    /// The number in `connection` where it is one: some tools write the server's port there.
    static func connection(_ entry: HAREntry) -> String? {
        guard let text = entry.connection, !text.isEmpty, text != "0" else { return nil }
        guard let address = HARAddress(entry.request.url) else { return nil }
        let port = address.authority.split(separator: ":").last.map(String.init) ?? ""
        let usual = address.isSecure ? "443" : "80"
        return text == port || text == usual ? nil : text
    }

    private static func isControlCall(_ path: String) -> Bool {
        var rest = path[...]
        if rest.hasPrefix("/@"), let slash = rest.dropFirst(2).firstIndex(of: "/") { rest = rest[slash...] }
        if isReserved(rest) { return true }
        // Below a mount of the hub.
        guard let slash = rest.dropFirst().firstIndex(of: "/") else { return false }
        return isReserved(rest[slash...])
    }

    private static func isReserved(_ path: Substring) -> Bool { path == "/__admin" || path.hasPrefix("/__admin/") }

    /// The host with its port where that is not the usual one, and without a user's name.
    private static func host(of address: HARAddress) -> String {
        var text = address.authority.lowercased()
        if let at = text.lastIndex(of: "@") { text = String(text[text.index(after: at)...]) }
        let usual = address.isSecure ? ":443" : ":80"
        if text.hasSuffix(usual) { text = String(text.dropLast(usual.utf8.count)) }
        return String(text.filter { $0.isASCII && ($0.isLetter || $0.isNumber || ".:-_[]".contains($0)) })
    }

    private static func addressOfPeer(_ peer: String) -> String {
        peer.lastIndex(of: ":").map { String(peer[..<$0]) } ?? peer
    }

    private static func fields(_ pairs: [HARPair]) -> Fields {
        var fields = Fields()
        for pair in pairs { if let name = FieldName(pair.name) { fields.append(name, pair.value) } }
        return fields
    }

    // MARK: Content

    private static func body(_ request: HARRequest, isOwn: Bool) -> ConductExchange.Body {
        let announced = request.headers.value("content-length").flatMap { Int($0) } ?? -1
        guard let post = request.postData, !post.bytes.isEmpty else {
            // A declared type without a size and a text: there was content, and nobody knows which.
            let isUntold =
                ["POST", "PUT", "PATCH"].contains(request.method) && request.bodySize < 0 && announced < 0
                && request.headers.value("content-type") != nil
            let isChunked = request.headers.value("transfer-encoding") != nil
            let length = max(request.bodySize, announced, isChunked || isUntold ? 1 : 0)
            return ConductExchange.Body([], length: length)
        }
        // What a tool wrote down of the parts of a form is not what was sent.
        if let type = MediaType(request.headers.value("content-type") ?? post.mimeType),
            type.essence == "multipart/form-data", !hasBoundary(type, post.bytes)
        {
            return ConductExchange.Body([], length: max(request.bodySize, announced, post.bytes.count))
        }
        return content(
            post.bytes,
            request.headers,
            length: request.bodySize,
            isCut: post.isCut,
            // Our own files say what they decoded.
            isStillCoded: isOwn && post.comment?.hasPrefix("decoded") != true
        )
    }

    private static func hasBoundary(_ type: MediaType, _ bytes: [UInt8]) -> Bool {
        guard let boundary = type.parameter("boundary"), !boundary.isEmpty else { return false }
        return bytes.starts(with: Array("--\(boundary)".utf8))
    }

    private static func body(_ response: HARResponse) -> ConductExchange.Body {
        let content = response.content
        guard let bytes = content.bytes else {
            let isEmpty = content.size <= 0 && response.bodySize == 0 || content.size == 0 && response.bodySize < 0
            return ConductExchange.Body([], length: isEmpty ? 0 : max(content.size, response.bodySize, 1))
        }
        return self.content(
            bytes,
            response.headers,
            length: content.size,
            isCut: content.isCut,
            isStillCoded: content.comment?.hasPrefix("still coded") == true
        )
    }

    /// The content without its codings; unknown where the archive has only a part of it, or its coding can't be taken
    /// off.
    private static func content(
        _ bytes: [UInt8],
        _ headers: [HARPair],
        length: Int,
        isCut: Bool,
        isStillCoded: Bool
    ) -> ConductExchange.Body {
        let announced = headers.value("content-length").flatMap { Int($0) } ?? length
        let fields = Self.fields(headers.filter { $0.name.lowercased() == "content-encoding" })
        let body = ConductExchange.Body(bytes)
        let plain = body.decoded(fields)
        let isCoded = plain.length != body.length || !plain.isWhole || plain.bytes != bytes
        // No coding makes content much longer.
        let room = isCoded ? bytes.count / 64 + 64 : 0
        guard !isCut, announced <= bytes.count + room else {
            return ConductExchange.Body(isCoded ? [] : bytes, length: max(announced, bytes.count + 1))
        }
        guard !plain.isWhole, !isStillCoded, let text = String(validating: bytes, as: UTF8.self) else { return plain }
        // Most tools write coded content as text without its coding, and some write the coded bytes as if they were text.
        let isBroken = text.unicodeScalars.contains {
            $0 == "\u{FFFD}" || $0.value < 0x20 && !["\t", "\n", "\u{0C}", "\r"].contains($0)
        }
        return isBroken ? ConductExchange.Body([], length: max(announced, bytes.count)) : body
    }

    /// The words for an end that the client wanted, in lower case.
    private static let departures = ["abort", "cancel", "the client went away", "client disconnect"]

    private static func outcome(_ response: HARResponse) -> ConductExchange.Outcome {
        let error = response.error.flatMap { $0.isEmpty ? nil : $0 }
        guard response.status == 0 || error != nil else { return .delivered }
        let text = [error, response.statusText, response.content.comment].compactMap { $0 }.joined(separator: " ")
            .lowercased()
        return departures.contains(where: text.contains) ? .interrupted : .cut
    }
}
