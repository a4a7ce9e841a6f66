import CivilTime
import Crypto
package import JSON

extension HAREntry {
    /// The entry in the form of HAR 1.2, with members in the order of the specification and our own last.
    package var json: JSON {
        var object: JSONObject = [
            "startedDateTime": .string(started.iso8601(isPrecise ? .microseconds : .milliseconds)),
            "time": .double(max(time, 0)),
            "request": request.json,
            "response": response.json,
            "cache": [:],
            "timings": timings.json,
        ]
        if let serverAddress { object.append("serverIPAddress", .string(serverAddress)) }
        if let connection { object.append("connection", .string(connection)) }
        if let comment { object.append("comment", .string(comment)) }
        if let events { object.append("_eventSourceMessages", .array(events.map { json($0) })) }
        if let world { object.append("_world", .string(world)) }
        if let virtualTime { object.append("_virtualTime", .string(virtualTime.iso8601(.milliseconds))) }
        if let fault { object.append("_fault", fault) }
        if let source { object.append("_source", .string(source)) }
        if let stub { object.append("_stub", .string(stub)) }
        if let peer { object.append("_peer", .string(peer)) }
        if let gate { object.append("_gate", .string(gate)) }
        if let replayOf { object.append("_replayOf", .string(replayOf)) }
        if let tls { object.append("_tls", tls) }
        return .object(object)
    }

    /// `time` is in seconds since 1970, as Chrome writes it.
    private func json(_ event: HAREvent) -> JSON {
        let at = started + .microseconds(Int64((event.offset * 1_000).rounded()))
        return [
            "time": .double(Double(at.microseconds) / 1_000_000), "offset": .double(event.offset),
            "eventName": .string(event.name), "eventId": .string(event.id), "data": .string(event.data),
        ]
    }
}

extension HARPair {
    var json: JSON {
        var object: JSONObject = ["name": .string(name), "value": .string(value)]
        if isLatin1 { object.append("_charset", "iso-8859-1") }
        return .object(object)
    }
}

extension HARCookie {
    var json: JSON {
        var object: JSONObject = ["name": .string(name), "value": .string(value)]
        if let path { object.append("path", .string(path)) }
        if let domain { object.append("domain", .string(domain)) }
        if let expires { object.append("expires", .string(expires)) }
        if let isHTTPOnly { object.append("httpOnly", .bool(isHTTPOnly)) }
        if let isSecure { object.append("secure", .bool(isSecure)) }
        return .object(object)
    }
}

extension HARRequest {
    var json: JSON {
        var object: JSONObject = [
            "method": .string(method), "url": .string(url), "httpVersion": .string(httpVersion),
            "cookies": .array(cookies.map(\.json)), "headers": .array(headers.map(\.json)),
            "queryString": .array(query.map(\.json)),
        ]
        if let postData { object.append("postData", postData.json) }
        object.append("headersSize", .integer(Int64(headersSize)))
        object.append("bodySize", .integer(Int64(bodySize)))
        return .object(object)
    }
}

extension HARPostData {
    var json: JSON {
        var object: JSONObject = ["mimeType": .string(mimeType)]
        object.append("params", .array(parameters.map(\.json)))
        if let text = HARText.text(bytes) {
            object.append("text", .string(text))
        } else {
            object.append("text", .string(Base64.encode(bytes)))
            object.append("encoding", "base64")
        }
        if let comment { object.append("comment", .string(comment)) }
        if let file { object.append("_file", .string(file)) }
        return .object(object)
    }
}

extension HARParameter {
    var json: JSON {
        var object: JSONObject = ["name": .string(name)]
        if let value { object.append("value", .string(value)) }
        if let fileName { object.append("fileName", .string(fileName)) }
        if let contentType { object.append("contentType", .string(contentType)) }
        return .object(object)
    }
}

extension HARResponse {
    var json: JSON {
        var object: JSONObject = [
            "status": .integer(Int64(status)), "statusText": .string(statusText), "httpVersion": .string(httpVersion),
            "cookies": .array(cookies.map(\.json)), "headers": .array(headers.map(\.json)), "content": content.json,
            "redirectURL": .string(redirectURL), "headersSize": .integer(Int64(headersSize)),
            "bodySize": .integer(Int64(bodySize)),
        ]
        if let error { object.append("_error", .string(error)) }
        return .object(object)
    }
}

extension HARContent {
    var json: JSON {
        var object: JSONObject = ["size": .integer(Int64(size))]
        if let compression { object.append("compression", .integer(Int64(compression))) }
        object.append("mimeType", .string(mimeType))
        if let bytes {
            // A reader takes text for UTF-8, whatever charset its type names.
            let isUTF8 = TextCharset.asUTF8(mimeType) == nil || bytes.allSatisfy { $0 < 0x80 }
            if !isEncoded, isUTF8, let text = HARText.text(bytes) {
                object.append("text", .string(text))
            } else {
                object.append("text", .string(Base64.encode(bytes)))
                object.append("encoding", "base64")
            }
        }
        if let comment { object.append("comment", .string(comment)) }
        if let file { object.append("_file", .string(file)) }
        return .object(object)
    }
}

extension HARTimings {
    var json: JSON {
        [
            "blocked": .double(blocked), "dns": .double(dns), "connect": .double(connect), "send": .double(send),
            "wait": .double(wait), "receive": .double(receive), "ssl": .double(ssl),
        ]
    }
}
