import JSON
import TestSupport
import Testing

/// Control contract, section 12: QR codes of a running program.
@Suite(.serialized) struct QRTests {
    @Test func `12 codes are served as pictures, payloads and a page`() throws {
        let served = try Served()
        let picture = try served.control("GET", "/qr.png?type=quick_login&size=600")
        expectEqual(picture.status, 200)
        expectEqual(picture["Content-Type"], "image/png")
        expectEqual(Array(picture.bytes[16..<24]), [0, 0, 0x02, 0x58, 0, 0, 0x02, 0x58])
        let usual = try served.control("GET", "/qr.png")
        expectEqual(Array(usual.bytes[16..<24]), [0, 0, 0x02, 0, 0, 0, 0x02, 0])
        let first = try served.control("GET", "/qr.json?type=quick_login")
        let second = try served.control("GET", "/qr.json?type=quick_login&api=trafikskola")
        expectEqual(first["Content-Type"], "application/json; charset=utf-8")
        #expect(first.json["token"] != second.json["token"])
        let page = try served.control("GET", "/qr")
        expectEqual(page.text.components(cutBy: "data:image/png;base64,").count, 7)
        #expect(page.text.contains("&quot;session_login&quot;"))
        #expect(page.text.contains("new token"))
    }

    @Test func `3 a code that is refused mints nothing`() throws {
        let served = try Served()
        let before = try served.control("GET", "/clock/upcoming?kind=qr").json["items"]?.arrayValue?.count
        let domain = String(repeating: "a", count: 2_400)
        try expectEqual(served.control("GET", "/qr.png?type=session_login&domain=\(domain)").status, 400)
        try expectEqual(served.control("GET", "/clock/upcoming?kind=qr").json["items"]?.arrayValue?.count, before)
        let long = String(repeating: "a", count: 1_200)
        try expectEqual(served.control("GET", "/qr.png?type=session_login&domain=\(long)").status, 200)
        try expectEqual(
            served.control("GET", "/clock/upcoming?kind=qr").json["items"]?.arrayValue?.count,
            (before ?? 0) + 1
        )
    }

    @Test func `12 what does not fit is a problem document`() throws {
        let served = try Served()
        for (path, status) in [
            ("/qr.png?size=63", 400), ("/qr.png?size=2049", 400), ("/qr.png?size=64", 200), ("/qr.json?type=x", 400),
            ("/qr.json?type=quick_login&user=nobody", 422), ("/qr.json?colour=red", 400),
            ("/qr.json?api=omnichat", 404), ("/qr?api=omnichat", 404), ("/qr.png?api=omnichat", 404),
        ] {
            try expectEqual(served.control("GET", path).status, status, "\(path)")
        }
    }
}

extension String {
    fileprivate func components(cutBy separator: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}
