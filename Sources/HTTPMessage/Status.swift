/// A status code with the reason phrase of RFC 9110 section 15.
package struct Status: Hashable, Sendable {
    /// 100 to 999; 0 stands for no answer at all.
    package let code: Int

    package init(_ code: Int) { self.code = code }

    /// Nothing was answered, on purpose: only in records of exchanges, as HAR has it.
    package static let unanswered = Status(0)
    package static let `continue` = Status(100)
    package static let ok = Status(200)
    package static let created = Status(201)
    package static let noContent = Status(204)
    package static let notModified = Status(304)
    package static let badRequest = Status(400)
    package static let unauthorized = Status(401)
    package static let forbidden = Status(403)
    package static let notFound = Status(404)
    package static let methodNotAllowed = Status(405)
    package static let requestTimeout = Status(408)
    package static let conflict = Status(409)
    package static let contentTooLarge = Status(413)
    package static let uriTooLong = Status(414)
    package static let unsupportedMediaType = Status(415)
    package static let expectationFailed = Status(417)
    package static let misdirectedRequest = Status(421)
    package static let upgradeRequired = Status(426)
    package static let unprocessableContent = Status(422)
    package static let tooManyRequests = Status(429)
    package static let headerFieldsTooLarge = Status(431)
    package static let internalServerError = Status(500)
    package static let notImplemented = Status(501)
    package static let serviceUnavailable = Status(503)
    package static let versionNotSupported = Status(505)

    /// No message content is ever sent with these (RFC 9110 section 6.4.1).
    package var forbidsBody: Bool { code < 200 || code == 204 || code == 304 }

    /// The standard reason phrase; that of the class's first code when the code has none of its own.
    package var reasonPhrase: String {
        switch code {
        case 100: "Continue"
        case 101: "Switching Protocols"
        case 102: "Processing"
        case 103: "Early Hints"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 203: "Non-Authoritative Information"
        case 204: "No Content"
        case 205: "Reset Content"
        case 206: "Partial Content"
        case 300: "Multiple Choices"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 407: "Proxy Authentication Required"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 416: "Range Not Satisfiable"
        case 417: "Expectation Failed"
        case 418: "I'm a teapot"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 424: "Failed Dependency"
        case 425: "Too Early"
        case 426: "Upgrade Required"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 451: "Unavailable For Legal Reasons"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        case 508: "Loop Detected"
        case 511: "Network Authentication Required"
        case 100..<200: "Continue"
        case 200..<300: "OK"
        case 300..<400: "Multiple Choices"
        case 400..<500: "Bad Request"
        default: "Internal Server Error"
        }
    }
}
