import CivilTime
import Crypto
import HTTPMessage
import JSON

/// The reader of an archive's entry from any tool: it accepts and notes deviations that it understands, and refuses an
/// entry with others.
struct HAREntryReader {
    /// The mistakes for which the entry can't be used, each with its place.
    private(set) var mistakes: [(path: [JSONPathElement], reason: String)] = []
    private(set) var notes: [(path: [JSONPathElement], note: String, isOfEntry: Bool)] = []
    /// The charset that the response's text was mistaken for; nil if the text is correct or absent.
    private var mended: String?
    /// Tells whether the response's content is given as a text, whose bytes are then UTF-8.
    private var isText = false
    /// Tells whether Polly.js wrote the entry, by the members that it adds.
    private var isOfPolly = false
    /// Reads the files beside the archive.
    private let attachments: HARAttachments?
    private var attachedBytes = 0

    init(attachments: HARAttachments? = nil) { self.attachments = attachments }

    /// Returns the entry; nil if there are mistakes, all of which are found.
    mutating func entry(_ json: JSON) -> HAREntry? {
        guard let object = json.objectValue else {
            mistake([], "must be an object, found \(json.typeName)")
            return nil
        }
        isOfPolly = object["_id"]?.stringValue != nil && object["_order"]?.intValue != nil
        let request = request(object["request"])
        var entry = HAREntry(
            started: instant(object["startedDateTime"], "startedDateTime") ?? .epoch,
            request: request,
            response: response(object["response"]),
            timings: timings(object["timings"])
        )
        if let time = number(object["time"], ["time"]), time >= 0 { entry.time = time }
        entry.serverAddress = object["serverIPAddress"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        entry.connection = object["connection"]?.stringValue ?? object["connection"]?.intValue.map { "\($0)" }
        entry.comment = object["comment"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        entry.events = events(object["_eventSourceMessages"], since: entry.started).map { mendedEvents($0, entry) }
        // Chromium lists the events of a stream and omits its text.
        if let events = entry.events, !events.isEmpty, (entry.response.content.bytes ?? []).isEmpty,
            entry.response.content.mimeType.lowercased().hasPrefix("text/event-stream")
        {
            entry.response.content.bytes = HAREvent.stream(events)
            note(["response", "content"], "the text of the stream is made of its events")
        }
        entry.world = object["_world"]?.stringValue
        if object["_virtualTime"]?.isNull == false {
            entry.virtualTime = instant(object["_virtualTime"], "_virtualTime")
        }
        entry.fault = object["_fault"]
        entry.source = object["_source"]?.stringValue
        entry.stub = object["_stub"]?.stringValue
        entry.tls = object["_tls"]
        entry.peer = object["_peer"]?.stringValue
        entry.gate = object["_gate"]?.stringValue
        entry.replayOf = object["_replayOf"]?.stringValue
        entry.isFromCache = Self.isFromCache(object, entry)
        if entry.response.error == nil { entry.response.error = object["_error"]?.stringValue }
        entry.attachedBytes = attachedBytes
        let content = entry.response.content
        if content.file == nil, entry.lacksContent || (content.bytes == nil && content.size > 0) {
            note(["response", "content"], "the content was left out")
        }
        return mistakes.isEmpty ? entry : nil
    }

    /// Tells whether a browser answered from its own cache: it says so, or no byte came from any server.
    private static func isFromCache(_ object: JSONObject, _ entry: HAREntry) -> Bool {
        switch object["_fromCache"] {
        case .string(let text)?: if !text.isEmpty { return true }
        case .bool(true)?: return true
        default: break
        }
        // Safari's words are "Memory Cache" and "Disk Cache".
        if object["_fetchType"]?.stringValue?.hasSuffix("Cache") == true { return true }
        guard entry.serverAddress == nil, entry.response.status > 0, entry.response.error == nil else { return false }
        let response = object["response"]
        if let moved = response?["_transferSize"]?.doubleValue { return moved == 0 }
        return response?["headersSize"]?.intValue == 0 && response?["bodySize"]?.intValue == 0
    }

    private mutating func mistake(_ path: [JSONPathElement], _ reason: String) { mistakes.append((path, reason)) }

    private mutating func note(_ path: [JSONPathElement], _ note: String) { notes.append((path, note, false)) }

    /// Notes a deviation that is listed for each entry separately.
    private mutating func noteOfEntry(_ path: [JSONPathElement], _ note: String) { notes.append((path, note, true)) }

    // MARK: Request

    private mutating func request(_ json: JSON?) -> HARRequest {
        guard let object = json?.objectValue else {
            mistake(["request"], json == nil ? "is required" : "must be an object")
            return HARRequest(method: "", url: "")
        }
        let written = object["method"]?.stringValue ?? ""
        let method = written.uppercased()
        if written.isEmpty || !written.utf8.allSatisfy(\.isTokenByte) {
            mistake(["request", "method"], "must be a request method such as GET")
        } else if method != written {
            note(["request", "method"], "the method is not in upper case")
        }
        let url = object["url"]?.stringValue ?? ""
        if url.isEmpty {
            mistake(["request", "url"], "must be an absolute address")
        } else if HARAddress(url) == nil {
            note(["request", "url"], "the address is not http or https; such entries are never replayed")
        }
        var request = HARRequest(
            method: method,
            url: url,
            httpVersion: object["httpVersion"]?.stringValue ?? "",
            headers: fields(object["headers"], ["request", "headers"])
        )
        request.cookies = cookies(object["cookies"])
        if object["queryString"]?.arrayValue != nil {
            request.query = pairs(object["queryString"], ["request", "queryString"])
            if let address = HARAddress(url), (address.query ?? "").isEmpty, !request.query.isEmpty {
                note(["request", "url"], "the parameters are only in the list; they are added to the address")
                request.url = address.with(request.query).text
            }
        } else {
            note(["request", "queryString"], "there is no list of query parameters; it is read from the address")
            request.query = HARAddress(url)?.queryPairs ?? []
        }
        request.headersSize = size(object["headersSize"])
        request.bodySize = size(object["bodySize"])
        request.postData = postData(object["postData"], request)
        request.postData?.isTruncated = object["postData"]?["_truncated"]?.boolValue == true
        switch request.contentKnowledge {
        case .whole: break
        case .withoutFiles: note(["request", "postData"], "a file of the form was left out")
        // That of a file beside the archive has a note of its own.
        case .none where request.postData?.file != nil: break
        case .none: note(["request", "postData"], "the content of the request was left out")
        }
        if let bytes = request.postData?.bytes, !bytes.isEmpty, object["postData"]?["text"]?.stringValue != nil {
            checkLength(request.headers, [bytes.count, request.bodySize], ["request", "headers"])
        }
        return request
    }

    /// Returns the content that a tool has written into a file beside the archive; nil if it can't be read.
    private mutating func attached(_ file: String, _ path: [JSONPathElement]) -> [UInt8]? {
        let shown = JSON.string(String(file.prefix(100))).text
        guard !file.isEmpty, !file.utf8.contains(where: { $0 == 0x2F || $0 == 0x5C || $0 == 0 }), file != "..",
            file != "."
        else {
            noteOfEntry(path, "the content is in \(shown), and only files beside the archive are read; it is left out")
            return nil
        }
        guard let bytes = attachments?(file) else {
            noteOfEntry(
                path,
                "the content is in the file \(shown), which can't be read beside the archive; it is left out"
            )
            return nil
        }
        attachedBytes += bytes.count
        return bytes
    }

    private mutating func postData(_ json: JSON?, _ request: HARRequest) -> HARPostData? {
        guard let json, !json.isNull else { return nil }
        let path: [JSONPathElement] = ["request", "postData"]
        let type = request.headers.value("content-type") ?? ""
        guard let object = json.objectValue else {
            var post = HARPostData(mimeType: type, bytes: [])
            if let text = json.stringValue {
                note(path, "must be an object, found a string; it is used as the content")
                post.bytes = Array(text.utf8)
            } else {
                note(path, "must be an object, found \(json.typeName)")
                post.comment = "left out: it can't be read"
            }
            return post
        }
        let declared = object["mimeType"]?.stringValue ?? ""
        var post = postData(object, type: declared.isEmpty ? type : declared, request, path)
        if let comment = object["comment"]?.stringValue, !comment.isEmpty { post.comment = comment }
        return post
    }

    private mutating func parameters(_ json: JSON?, _ path: [JSONPathElement]) -> [HARParameter] {
        guard let json, !json.isNull else { return [] }
        guard let items = json.arrayValue else {
            note(path, "must be an array, found \(json.typeName); it is not read")
            return []
        }
        return items.compactMap { item in
            guard let name = item["name"]?.stringValue else {
                note(path, "a parameter has no name; it is not read")
                return nil
            }
            let value = item["value"] ?? .null
            if value.stringValue == nil, !value.isNull { note(path, "a value is not a string") }
            return HARParameter(
                name: name,
                value: value.isNull ? nil : value.stringValue ?? value.text,
                fileName: item["fileName"]?.stringValue,
                contentType: item["contentType"]?.stringValue
            )
        }
    }

    /// The text of the content; that of other JSON which a tool wrote in its place.
    private mutating func text(_ json: JSON?, _ path: [JSONPathElement]) -> String? {
        guard let json, !json.isNull else { return nil }
        if json.stringValue == nil { note(path, "must be a string, found \(json.typeName); its JSON is used") }
        return json.stringValue ?? json.text
    }

    private mutating func postData(
        _ object: JSONObject,
        type mimeType: String,
        _ request: HARRequest,
        _ path: [JSONPathElement]
    ) -> HARPostData {
        var parameters = parameters(object["params"], path + ["params"])
        let text = text(object["text"], path + ["text"])
        var bytes: [UInt8] = []
        if let file = object["_file"]?.stringValue, (text ?? "").isEmpty {
            var post = HARPostData(mimeType: mimeType, parameters: parameters, bytes: [])
            if let bytes = attached(file, path) { post.bytes = bytes } else { post.file = file }
            return post
        }
        if let text, !(text.isEmpty && !parameters.isEmpty) {
            let coding = object["encoding"]?.stringValue ?? object["_encoding"]?.stringValue ?? ""
            if coding.isEmpty, let found = Mojibake(text, type: mimeType, size: request.bodySize) {
                noteMended(found, path + ["text"])
                bytes = found.bytes
                parameters = parameters.mended
            } else {
                bytes = content(text, coding: coding, path)
            }
        } else if !parameters.isEmpty {
            note(path, "the content is given as parameters only")
            let sound = parameters.mended
            let type = request.headers.value("content-type") ?? mimeType
            if sound != parameters, request.bodySize < 0 || sound.content(type).count == request.bodySize {
                noteOfEntry(path + ["params"], "the texts were decoded as Latin-1; they are read as UTF-8")
                parameters = sound
            }
            if let parts = parameters.multipart(type) {
                return HARPostData(mimeType: mimeType, parameters: parameters, bytes: parts)
            }
            bytes = parameters.form
        } else if object["params"]?.isNull == false, object["params"]?.arrayValue == nil {
            var post = HARPostData(mimeType: mimeType, bytes: [])
            post.comment = "left out: it can't be read"
            return post
        }
        return HARPostData(mimeType: mimeType, parameters: parameters, bytes: bytes)
    }

    // MARK: Response

    private mutating func response(_ json: JSON?) -> HARResponse {
        guard let object = json?.objectValue else {
            note(["response"], "there is no response; such entries are never replayed")
            return .none("no answer was recorded")
        }
        var status = 0
        if let number = object["status"]?.intValue {
            status = (100...999).contains(number) ? Int(number) : 0
            if status == 0, number != 0 { note(["response", "status"], "the status is not an HTTP status") }
        } else if let text = object["status"]?.stringValue, let number = Int(text), (100...999).contains(number) {
            note(["response", "status"], "the status is a string")
            status = number
        }
        if status == 0 { note(["response", "status"], "there is no status; such entries are never replayed") }
        if (100..<200).contains(status) {
            note(["response", "status"], "a \(status) is an interim response; such entries are never replayed")
        }
        let headers = fields(object["headers"], ["response", "headers"])
        var response = HARResponse(
            status: status,
            statusText: object["statusText"]?.stringValue ?? "",
            httpVersion: object["httpVersion"]?.stringValue ?? "",
            headers: headers,
            content: content(object["content"], headers)
        )
        if isText { sayUTF8(&response) }
        response.cookies = cookies(object["cookies"])
        response.redirectURL = object["redirectURL"]?.stringValue ?? ""
        response.headersSize = size(object["headersSize"])
        response.bodySize = size(object["bodySize"])
        response.error = object["_error"]?.stringValue
        if [204, 205].contains(status), response.content.bytes?.isEmpty == false {
            note(["response", "content"], "a \(status) has no content; it is left out")
            response.content.bytes = []
        }
        // A cut response has less content than its head announced.
        if response.error == nil, let bytes = response.content.bytes, !bytes.isEmpty {
            checkLength(headers, [bytes.count, response.content.size, response.bodySize], ["response", "headers"])
        }
        return response
    }

    /// Has the type of a text say that it is sent as UTF-8: the bytes that the backend sent are lost.
    private mutating func sayUTF8(_ response: inout HARResponse) {
        let types = [response.content.mimeType] + response.headers.map(\.value)
        if let type = TextCharset.asUTF8(response.content.mimeType) { response.content.mimeType = type }
        for place in response.headers.indices where response.headers[place].name.lowercased() == "content-type" {
            guard let type = TextCharset.asUTF8(response.headers[place].value) else { continue }
            response.headers[place].value = type
        }
        // JSON and events are UTF-8, whatever charset they name.
        guard types != [response.content.mimeType] + response.headers.map(\.value),
            !Mojibake.isAlwaysUTF8(response.content.mimeType)
        else { return }
        note(["response", "content"], "the text is sent as UTF-8, and its type says so")
    }

    private mutating func content(_ json: JSON?, _ headers: [HARPair]) -> HARContent {
        let path: [JSONPathElement] = ["response", "content"]
        guard let object = json?.objectValue else {
            note(path, "there is no content member")
            return HARContent(size: -1, mimeType: "", bytes: nil)
        }
        let declared = object["mimeType"]?.stringValue ?? ""
        var content = HARContent(
            size: size(object["size"]),
            mimeType: declared.isEmpty ? headers.value("content-type") ?? "" : declared,
            bytes: nil
        )
        content.isTruncated = object["_truncated"]?.boolValue == true
        content.compression = object["compression"]?.intValue.flatMap { Int(exactly: $0) }
        content.comment = object["comment"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        // An empty text is none where there was content.
        guard let text = object["text"]?.stringValue, !(text.isEmpty && content.size > 0) else {
            if let file = object["_file"]?.stringValue {
                content.bytes = attached(file, path)
                if content.bytes == nil { content.file = file }
            }
            return content
        }
        var coding = object["encoding"]?.stringValue ?? ""
        let isBinary = object["_isBinary"]?.boolValue == true
        if coding.isEmpty, isBinary, !text.isEmpty, Hex.decode(text) != nil { coding = "hex" }
        if coding.isEmpty, let found = Mojibake(text, type: content.mimeType, size: content.size) {
            noteMended(found, path + ["text"])
            mended = found.charset
            content.bytes = found.bytes
            return content
        }
        let recorded = RecordedCoding(headers, type: content.mimeType)
        let isMarked = !coding.isEmpty || isBinary || isOfPolly
        switch recorded.pieces(text, isMarked: isMarked, size: content.size) {
        case .decoded(let plain)?:
            note(path, "the content is in pieces of hex or base64; they are joined and decoded")
            content.bytes = plain
            return content
        case .coded(let joined)?:
            note(path, "the content is in pieces of hex or base64; they are joined")
            content.bytes = joined
            content.isEncoded = true
            return content
        case .unclear?:
            note(path, "the text may be pieces of content in a coding that can't be decoded; it is used as it is")
        case nil: break
        }
        let bytes = self.content(text, coding: coding, path)
        content.bytes = bytes
        isText = coding.isEmpty && bytes.contains { $0 >= 0x80 }
        content.isEncoded =
            !coding.isEmpty && (recorded.isCoded(bytes) || content.comment?.hasPrefix("still coded") == true)
        return content
    }

    // MARK: What was decoded wrongly

    private mutating func noteMended(_ found: Mojibake, _ path: [JSONPathElement]) {
        noteOfEntry(path, "the text was decoded as \(found.charset); it is read as UTF-8")
    }

    /// Returns the events of a stream as they were sent, if the tool decoded its text wrongly or recorded no text.
    private mutating func mendedEvents(_ events: [HAREvent], _ entry: HAREntry) -> [HAREvent] {
        let hasText = !(entry.response.content.bytes ?? []).isEmpty
        guard mended != nil || !hasText else { return events }
        // Together, because a tool decodes all of them alike.
        let all = events.map { $0.name + $0.id + $0.data }.joined()
        guard let found = Mojibake(all, type: "text/event-stream", size: -1) else { return events }
        if !hasText { noteMended(found, ["_eventSourceMessages"]) }
        func sound(_ text: String) -> String {
            Mojibake(text, type: "", size: -1).map { String(decoding: $0.bytes, as: UTF8.self) } ?? text
        }
        return events.map {
            HAREvent(offset: $0.offset, name: sound($0.name), id: sound($0.id), data: sound($0.data))
        }
    }

    // MARK: Fields

    /// Returns the header fields without those that can't be sent.
    private mutating func fields(_ json: JSON?, _ path: [JSONPathElement]) -> [HARPair] {
        var kept: [HARPair] = []
        for pair in pairs(json, path) {
            guard let name = FieldName(pair.name) else {
                let what =
                    pair.name.isEmpty ? "a field has no name" : "\(JSON.string(pair.name).text) is not a field name"
                noteOfEntry(path, "\(what) and can't be sent; it is dropped")
                continue
            }
            for value in JoinedField.values(pair.name, pair.value) {
                let field = pair.with(value)
                var probe = Fields()
                guard probe.append(name, field.bytes) else {
                    let has =
                        value.utf8.contains { $0 == 0x0A || $0 == 0x0D }
                        ? "a line end" : value.utf8.contains(0) ? "a NUL" : "a control character"
                    noteOfEntry(path, "the value of \(pair.name) has \(has) and can't be sent; the field is dropped")
                    continue
                }
                kept.append(field)
            }
        }
        return kept
    }

    /// Notes a `Content-Length` that differs from both the length of the content and the recorded length.
    private mutating func checkLength(_ headers: [HARPair], _ lengths: [Int], _ path: [JSONPathElement]) {
        let coding = headers.value("content-encoding")?.lowercased() ?? ""
        guard let written = headers.value("content-length"), ["", "identity"].contains(coding) else { return }
        let values = headers.filter { $0.name.lowercased() == "content-length" }.map(\.value)
        if let length = Int(written), length >= 0, lengths.contains(length), values.allSatisfy({ $0 == written }) {
            return
        }
        noteOfEntry(
            path,
            "Content-Length says \(JSON.string(String(written.prefix(40))).text) and the content has \(lengths[0]) bytes; "
                + "the true length is sent"
        )
    }

    // MARK: Shared parts

    /// The bytes of a text member.
    private mutating func content(_ text: String, coding: String, _ path: [JSONPathElement]) -> [UInt8] {
        guard !coding.isEmpty else { return Array(text.utf8) }
        if coding.lowercased() == "hex", let bytes = Hex.decode(text) {
            note(path, "the content is in hex; it is decoded")
            return bytes
        }
        guard coding.lowercased() == "base64" else {
            note(path, "the encoding \"\(coding.prefix(40))\" is not known; the text is used as it is")
            return Array(text.utf8)
        }
        if let bytes = Base64.decode(text) { return bytes }
        var plain = text.utf8.filter { $0 > 0x20 && $0 != 0x3D }.map { byte -> UInt8 in
            byte == 0x2D ? 0x2B : byte == 0x5F ? 0x2F : byte
        }
        plain += [UInt8](repeating: 0x3D, count: (4 - plain.count % 4) % 4)
        guard let bytes = Base64.decode(plain) else {
            note(path, "the text is declared as base64 but is not; it is used as it is")
            return Array(text.utf8)
        }
        note(path, "the base64 has line ends, no padding, or the letters of URLs")
        return bytes
    }

    private mutating func pairs(_ json: JSON?, _ path: [JSONPathElement]) -> [HARPair] {
        guard let json, !json.isNull else {
            note(path, "the list is missing")
            return []
        }
        guard let items = json.arrayValue else {
            mistake(path, "must be an array, found \(json.typeName)")
            return []
        }
        var pairs: [HARPair] = []
        pairs.reserveCapacity(items.count)
        for (place, item) in items.enumerated() {
            guard let name = item["name"]?.stringValue else {
                mistake(path + [.index(place), "name"], "must be a string")
                continue
            }
            if name.hasPrefix(":") {
                note(path, "the header fields include HTTP/2 pseudo-header fields; they are left out")
                continue
            }
            switch item["value"] {
            case .string(let value):
                let pair = HARPair(name, value)
                pairs.append(item["_charset"]?.stringValue == "iso-8859-1" ? pair.inLatin1() : pair)
            case nil, .null:
                note(path, "a value is missing")
                pairs.append(HARPair(name, ""))
            case .some(let other):
                note(path, "a value is not a string")
                pairs.append(HARPair(name, other.text))
            }
        }
        return pairs
    }

    private func cookies(_ json: JSON?) -> [HARCookie] {
        (json?.arrayValue ?? []).compactMap { item in
            guard let name = item["name"]?.stringValue else { return nil }
            var cookie = HARCookie(name: name, value: item["value"]?.stringValue ?? "")
            cookie.path = item["path"]?.stringValue
            cookie.domain = item["domain"]?.stringValue
            cookie.expires = item["expires"]?.stringValue
            cookie.isHTTPOnly = item["httpOnly"]?.boolValue
            cookie.isSecure = item["secure"]?.boolValue
            return cookie
        }
    }

    private func events(_ json: JSON?, since start: Instant) -> [HAREvent]? {
        json?.arrayValue.map { items in
            items.map { item in
                let at = item["time"]?.doubleValue ?? 0
                let offset = item["offset"]?.doubleValue ?? (at * 1_000 - Double(start.microseconds) / 1_000)
                return HAREvent(
                    offset: offset.isFinite && offset > 0 && offset < 1e12 ? offset : 0,
                    name: item["eventName"]?.stringValue ?? "message",
                    id: item["eventId"]?.stringValue ?? "",
                    data: item["data"]?.stringValue ?? ""
                )
            }
        }
    }

    private mutating func timings(_ json: JSON?) -> HARTimings {
        var timings = HARTimings()
        guard let object = json?.objectValue else {
            note(["timings"], "there are no timings")
            return timings
        }
        func read(_ name: String, _ value: inout Double) {
            guard let number = number(object[name], ["timings", .key(name)]) else { return }
            value = number < 0 ? -1 : number
        }
        read("blocked", &timings.blocked)
        read("dns", &timings.dns)
        read("connect", &timings.connect)
        read("send", &timings.send)
        read("wait", &timings.wait)
        read("receive", &timings.receive)
        read("ssl", &timings.ssl)
        return timings
    }

    private func number(_ json: JSON?, _ path: [JSONPathElement]) -> Double? {
        guard let number = json?.doubleValue, number.isFinite, number.magnitude < 1e12 else { return nil }
        return number
    }

    private func size(_ json: JSON?) -> Int {
        guard let number = json?.intValue, number >= 0 else { return -1 }
        return Int(clamping: number)
    }

    // MARK: Times

    private mutating func instant(_ json: JSON?, _ name: String) -> Instant? {
        let path: [JSONPathElement] = [.key(name)]
        guard let text = json?.stringValue else {
            note(path, "the time is missing; 1970 is used")
            return nil
        }
        if let instant = Instant(iso8601: text, allowLowercase: true) { return instant }
        guard let instant = Self.tolerantInstant(text) else {
            note(path, "the time can't be read; 1970 is used")
            return nil
        }
        note(path, "the time is not in RFC 3339 format")
        return instant
    }

    /// A time with a space for the T, without a zone, with a zone without colon, or with a long fraction.
    private static func tolerantInstant(_ text: String) -> Instant? {
        var bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes.count <= 64 else { return nil }
        if bytes[10] == 0x20 { bytes[10] = 0x54 }
        var zone: [UInt8] = [0x5A]
        if let sign = bytes[19...].lastIndex(where: { $0 == 0x2B || $0 == 0x2D }) {
            zone = bytes[sign...].filter { $0 != 0x3A && $0 != 0x20 }
            if zone.count == 3 { zone += [0x30, 0x30] }
            guard zone.count == 5 else { return nil }
            zone.insert(0x3A, at: 3)
            bytes.removeSubrange(sign...)
        }
        while let last = bytes.last, last == 0x5A || last == 0x20 { bytes.removeLast() }
        if bytes.count > 29 { bytes.removeSubrange(29...) }
        return Instant(iso8601: String(decoding: bytes + zone, as: UTF8.self))
    }
}

extension [HARPair] {
    /// The first value of a name, given in lower case.
    package func value(_ name: String) -> String? { first { $0.name.lowercased() == name }?.value }
}
