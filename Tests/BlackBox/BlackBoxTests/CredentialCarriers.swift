import Compression
import Foundation

/// A request in which a credential stands somewhere.
struct Carrier: Sendable {
    var name: String
    var method = "GET"
    var path = "/api/v1/x"
    var fields: [String] = []
    var body: [UInt8] = []

    /// The bytes of it.
    var wire: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for field in fields { head += field + "\r\n" }
        if !body.isEmpty, !fields.contains("Transfer-Encoding: chunked") { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}

/// Every place and every form in which a credential was tried (control contract, section 13).
enum Carriers {
    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    private static func base64url(_ text: String) -> String {
        base64(text).replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    private static func each(_ text: String, _ form: (UInt8) -> String) -> String { text.utf8.map(form).joined() }

    private static func hex(_ byte: UInt8, _ width: Int = 2) -> String {
        let digits = String(byte, radix: 16)
        return String(repeating: "0", count: width - digits.count) + digits
    }

    private static func percent(_ text: String) -> String { each(text) { "%" + hex($0).uppercased() } }

    private static func json(_ text: String) -> String { each(text) { #"\u"# + hex($0, 4) } }

    private static func quoted(_ text: String) -> String { each(text) { "=" + hex($0).uppercased() } }

    private static func lines(_ text: String, _ width: Int, _ end: String) -> String {
        stride(from: 0, to: text.count, by: width).map { start in
            String(text.dropFirst(start).prefix(width))
        }.joined(separator: end)
    }

    private static func wide(_ text: String, isBig: Bool = false, width: Int = 2) -> [UInt8] {
        text.utf8.flatMap { byte -> [UInt8] in
            let zeros = [UInt8](repeating: 0, count: width - 1)
            return isBig ? zeros + [byte] : [byte] + zeros
        }
    }

    private static func gzip(_ text: String) -> [UInt8] { gzip(Array(text.utf8)) }

    private static func gzip(_ bytes: [UInt8]) -> [UInt8] { Deflate.compress(bytes, .gzip) ?? [] }

    /// The part of a text up to its middle, and the rest.
    private static func halves(_ text: String) -> (String, String) {
        (String(text.prefix(text.count / 2)), String(text.dropFirst(text.count / 2)))
    }

    static func all(_ token: String) -> [Carrier] {
        fields(token) + targets(token) + contents(token) + codings(token) + noises(token)
    }

    /// In the middle of what is no text, in Base64 from each of the places where a group can begin.
    private static func noises(_ token: String) -> [Carrier] {
        var state: UInt64 = 4_711
        let noise = (0..<3_000).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let forms: [(String, [UInt8])] = [
            ("plain", Array(token.utf8)), ("percent", Array(percent(token).utf8)), ("JSON", Array(json(token).utf8)),
            ("Base64", Array(base64(token).utf8)), ("UTF-16", wide(token)), ("gzip", gzip(token)),
            ("quoted", Array(lines(quoted(token), 72, "=\r\n").utf8)),
        ]
        return forms.enumerated().map { number, form in
            let text = String(repeating: "A", count: number % 4) + base64(noise + [0xFF] + form.1 + [0xFE] + noise)
            return Carrier(name: "noise, \(form.0)", method: "POST", body: Array(text.utf8))
        }
    }

    private static func fields(_ token: String) -> [Carrier] {
        let (first, last) = halves(token)
        let session = base64(#"{"access_token":"\#(token)"}"#)
        let (front, back) = halves(session)
        let authorizations = [
            #"Token token="\#(token)""#, "Bearer \(token), Bearer \(token)", "Bearer \(token),", "Bearer x,\(token)",
            "Bearer:\(token)", "Bearer\t\(token)", "Bearer \(token);x=1",
            #"Digest username="u", response="\#(token)""#, "Basic " + base64("u:" + token),
            "Basic " + base64(token + ":"), "Bearer " + base64(token), "Bearer " + percent(token), "Bearer \(token)=",
            "Bearer \(token).", "Bearer \(token):", "Bearer '\(token)'", "Bearer <\(token)>", "Bearer [\(token)]",
            "Bearer (\(token))", "Bearer \(token):\(token)", "Bearer \u{A0}\(token)", #"MAC id="\#(token)""#,
            "AWS4-HMAC-SHA256 Credential=x/\(token), Signature=a", "Bearer x\(token)",
        ]
        let wholes = [
            "X-Custom", "X-Session", "Session", "X-Authentication", "Authentication", "X-Original-Authorization",
            "Bearer",
            "X-Bearer", "X-Client-Info", "X-Identity", "X-Id", "X-Device", "X-Push", "X-Ticket", "X-Impersonate",
            "X-Firebase-AppCheck", "X-Supabase-Auth", "X-Auth-Token", "apikey", "X-API-Key", "X-Access-Token",
            "X-Refresh-Token", "X-Forwarded-Authorization", "DPoP", "Accept", "Traceparent", "Baggage",
        ]
        let inside = [
            "X-Custom: Bearer \(token)", "X-Auth-Token: \(token),\(token)", #"X-Json-Token: {"t":"\#(token)"}"#,
            "Referer: https://a.example/?t=\(token)", "Referer: https://a.example/\(token)/x",
            "Origin: https://\(token).example", "Link: <https://a.example/\(token)>; rel=next",
            "Forwarded: for=\(token)", "X-Original-URL: /x?y=\(token)", "User-Agent: App/1.0 (\(token)) x",
            #"If-None-Match: "\#(token)""#, "Sec-WebSocket-Protocol: bearer, \(token)",
            "Sec-WebSocket-Protocol: prefix.\(token)", #"Content-Disposition: attachment; filename="\#(token).txt""#,
            "From: \(token)@a.example", "X-Up: \(token.uppercased())",
            "X-Subject: =?utf-8?B?\(base64(token))?=", "X-Subject: =?utf-8?Q?\(quoted(token))?=",
            "Access-Control-Request-Headers: a, \(token)", "X-HTTP-Method-Override: \(token)", "X-A: x\(token)y",
        ]
        let cookies = [
            "a=b;session=\(token)", #"session="\#(token)""#, "s=Bearer%20\(token)", "s=a|\(token)",
            "s=" + percent(#"{"t":"\#(token)"}"#), "sb=base64-" + session, "sb=base64-" + base64url(token),
            "sb.0=\(first); sb.1=\(last)", "sb.1=\(last); x=y; sb.0=\(first)", "session=\(token)", token,
            "sb.0=base64-\(front); sb.1=\(back)",
        ]
        return authorizations.map { Carrier(name: "Authorization: \($0)", fields: ["Authorization: " + $0]) }
            + wholes.map { Carrier(name: $0, fields: ["\($0): \(token)"]) }
            + inside.map { Carrier(name: $0, fields: [$0]) }
            + cookies.map { Carrier(name: "Cookie: \($0)", fields: ["Cookie: " + $0]) }
            + [Carrier(name: "halves in two fields of a name", fields: ["X-Half: \(first)", "X-Half: \(last)"])]
            // A bar may stand in a name, and nothing else of ours is no letter of one.
            + [Carrier(name: "the name of a field", fields: ["\(token): 1"])]
    }

    private static func targets(_ token: String) -> [Carrier] {
        let (first, last) = halves(token.replacingOccurrences(of: "|", with: "%7C"))
        let plain = token.replacingOccurrences(of: "|", with: "%7C")
        let paths = [
            "/t=\(plain)", "/\(plain).json", "/x;token=\(plain)", "/\(plain)", "/a/\(plain)/b", "/" + percent(token),
            "/x?\(plain)", "/x?\(plain)=1", "/x?auth=Bearer%20\(plain)", "/x?a=1;token=\(plain)", "/x?token=\(plain)",
            "/x?a=\(percent(token))", "/x?a=" + base64url(token), "/x?a=" + percent(#"{"t":"\#(token)"}"#),
            "/x?next=" + percent("https://a.example/?t=" + plain), "/x?ids=a,\(plain)", "/x?t%5B%5D=\(plain)",
            "/x?t=\(first)&a=1&t=\(last)",
        ]
        let long = percent(percent(token))
        return paths.map { Carrier(name: $0, path: "/api/v1" + $0) }
            + ["/@main/api/v1/x/\(plain)", "/@main/api/v1/\(plain)/y?z=1"].map { Carrier(name: $0, path: $0) }
            // A request line has 8 KiB.
            + (long.count > 7_000 ? [] : ["/\(long)", "/x?a=\(long)"].map { Carrier(name: $0, path: "/api/v1" + $0) })
            + [Carrier(name: "DELETE", method: "DELETE", path: "/api/v1/sessions/\(plain)")]
    }

    private static func contents(_ token: String) -> [Carrier] {
        let documents = [
            #"{"a":"Bearer \#(token)"}"#, #"{"a":"the token is \#(token), keep it"}"#, #"{"\#(token)":1}"#,
            #"{"a":"{\"b\":\"\#(token)\"}"}"#, #"{"a":"\#(base64(token))"}"#, #"{"a":"https://a.example/\#(token)?x"}"#,
            #"{"query":"mutation { a(token: \"\#(token)\") { b } }"}"#, #"{"a":{"b":[{"c":"\#(token)"}]}}"#,
            #""\#(token)""#, #"{"a":"\#(json(token))"}"#, "\u{FEFF}{\"a\":\"\(token)\"}", #"{"a":"\#(token)",}"#,
            String(repeating: "[", count: 600) + #""\#(token)""# + String(repeating: "]", count: 600),
            #"{"a":1}\#n{"a":"\#(token)"}\#n"#, #"{"a":"\#(json(base64(token)))"}"#,
            #"{"u":"data:text/plain;base64,\#(base64(token))"}"#,
            #"{"a":"\#(lines(base64("xx" + token), 60, #"\n"#))"}"#,
            #"{"a":"\#(base64("??>>" + token + "??").replacingOccurrences(of: "/", with: #"\/"#))"}"#,
            #"{"a":"\#(String(repeating: "lorem ipsum ", count: 9_000))\#(token) dolor"}"#,
        ]
        let texts = [
            token, "my token: \(token).", #"<a t="\#(token)"/>"#, "<a>\(each(token) { "&#\($0);" })</a>",
            #"<a t="\#(each(token) { "&#x" + hex($0) + ";" })"/>"#, "data: \(token)\n\n", "a,b\n1,\(token)\n",
            "token: \(token)\n", "token=\(token)", base64(token), each(token) { #"\x"# + hex($0) },
            each(token) { #"\u{"# + hex($0) + "}" }, each(percent(token)) { "&#\($0);" },
            "eyJhbGciOiJub25lIn0." + base64url(#"{"iss":"https://real.example","t":"\#(token)"}"#) + ".",
            "a=b " + lines(quoted(token), 72, "=\r\n"), "a=b " + lines(token, 7, "= \t\r\n"), lines(token, 7, "=  \n"),
        ]
        let (first, last) = halves(token)
        let forms = [
            "t=\(first)&a=1&t=\(last)", token + "=1", "auth=Bearer+" + token,
            "token=" + percent(token), "a=1&token=\(token)&b=2",
        ]
        let parts = [
            "Content-Disposition: form-data; name=\"token\"\r\n\r\n\(token)",
            "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: application/json\r\n\r\n{\"a\":\"\(token)\"}",
            "Content-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\r\n\r\nx \(token) y",
            "Content-Disposition: form-data; name=\"f\"; filename=\"\(token).txt\"\r\n\r\nx",
            "Content-Disposition: form-data; name=\"f\"\r\nContent-Transfer-Encoding: base64\r\n\r\n"
                + lines(base64("before " + token), 76, "\r\n"),
            "Content-Disposition: form-data; name=\"f\"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
                + lines(quoted(token), 72, "=\r\n"),
        ]
        func post(_ name: String, _ type: String, _ text: String) -> Carrier {
            Carrier(name: name, method: "POST", fields: ["Content-Type: " + type], body: Array(text.utf8))
        }
        return documents.enumerated().map { post("JSON \($0)", "application/json", $1) }
            + texts.enumerated().map { post("text \($0)", "text/plain", $1) }
            + forms.map { post("form \($0)", "application/x-www-form-urlencoded", $0) }
            + parts.enumerated().map {
                post("multipart \($0)", "multipart/form-data; boundary=BB", "--BB\r\n\($1)\r\n--BB--\r\n")
            }
            + [10, 13, 14, 20, 64, 76].flatMap { width in
                ["\n", "\r\n"].map {
                    post("lines of \(width)", "text/plain", "A: b\r\n\r\n" + lines(base64("hello " + token), width, $0))
                }
            }
            + ["PUT", "PATCH", "DELETE"].map { Carrier(name: $0, method: $0, body: Array(token.utf8)) }
    }

    private static func codings(_ token: String) -> [Carrier] {
        let (first, last) = halves(token)
        let document = #"{"a":"\#(token)"}"#
        let zlib = Deflate.compress(Array(token.utf8), .deflate) ?? []
        let plain = "Content-Type: application/octet-stream"
        let file = Array("--BB\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n".utf8)
        let end = Array("\r\n--BB--\r\n".utf8)
        let cut = Array(first.utf8) + Array("\r\n".utf8) + file + Array(last.utf8)
        let bodies: [(String, [String], [UInt8])] = [
            ("octets", [plain], [0, 1, 2] + Array(token.utf8) + [0xFF]),
            ("gzip", ["Content-Encoding: gzip"], gzip(document)),
            ("members", ["Content-Encoding: gzip"], gzip(first) + gzip(last)),
            ("gzip twice", ["Content-Encoding: gzip, gzip"], gzip(gzip(document))),
            ("deflate", ["Content-Encoding: deflate"], Deflate.compress(Array(document.utf8), .deflate) ?? []),
            (
                "raw deflate", ["Content-Encoding: deflate"],
                Deflate.compress(Array(document.utf8), .deflate, isRaw: true) ?? []
            ),
            ("a gzip file", [plain], gzip(token)), ("a gzip file of members", [plain], gzip(first) + gzip(last)),
            ("a zlib file", [plain], zlib), ("zlib behind something", [plain], Array("PRE".utf8) + zlib + [0, 1, 2]),
            ("zlib in percent", [plain], Array("a=1&b=\(zlib.map { "%" + hex($0) }.joined())&c=2".utf8)),
            ("gzip behind something", [plain], Array("PRE".utf8) + gzip(token)),
            ("gzip in Base64", ["Content-Type: application/json"], Array(#"{"a":"\#(base64(gzip(token)))"}"#.utf8)),
            ("zlib in Base64", ["Content-Type: application/json"], Array(#"{"a":"\#(base64(zlib))"}"#.utf8)),
            ("a part of gzip", ["Content-Type: multipart/form-data; boundary=BB"], file + gzip(token) + end),
            ("a part of zlib", ["Content-Type: multipart/form-data; boundary=BB"], file + zlib + end),
            ("cut over two parts", ["Content-Type: multipart/form-data; boundary=BB"], file + cut + end),
            (
                "cut over two parts, in gzip",
                ["Content-Encoding: gzip", "Content-Type: multipart/mixed; Boundary=\"BB\""], gzip(file + cut + end)
            ),
            ("Base64 twice", [plain], Array(base64(base64(token)).utf8)),
            ("Base64 three times", [plain], Array(base64(base64(base64("a" + token))).utf8)),
            ("Base64 four times", [plain], Array(base64(base64(base64(base64(token)))).utf8)),
            ("UTF-16 LE", [plain], wide(document)), ("UTF-16 BE", [plain], wide(document, isBig: true)),
            ("UTF-16 with a mark", [plain], [0xFF, 0xFE] + wide(document)),
            ("UTF-32", [plain], wide(document, width: 4)),
            ("UTF-16 in Base64", [plain], Array(base64(wide(document)).utf8)),
            ("br", ["Content-Encoding: br"], [11, 2, 128, 97, 98, 99, 3]),
            ("zstd", ["Content-Encoding: zstd"], [40, 181, 47, 253]),
            ("an unknown coding", ["Content-Encoding: x-secret"], [1, 2, 3]),
        ]
        return bodies.map { Carrier(name: $0, method: "POST", fields: $1, body: $2) }
            + [chunked(token)]
    }

    /// Chunks that are cut inside the credential.
    private static func chunked(_ token: String) -> Carrier {
        let (first, last) = halves("a text \(token) with it")
        return Carrier(
            name: "chunks",
            method: "POST",
            fields: ["Transfer-Encoding: chunked", "X-Chunks: \(first.utf8.count)"],
            body: Array(
                "\(String(first.utf8.count, radix: 16))\r\n\(first)\r\n\(String(last.utf8.count, radix: 16))\r\n\(last)\r\n0\r\n\r\n"
                    .utf8
            )
        )
    }
}
