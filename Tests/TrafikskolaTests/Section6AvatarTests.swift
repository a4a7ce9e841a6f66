import Backend
import CivilTime
import Conditions
import Engine
import EngineTesting
import HTTPMessage
import Imaging
import JSON
import Journal
import TestSupport
import Testing
import Worlds

@testable import Trafikskola

/// Sections 6.3 to 6.5: pictures, the hostile ones too.
struct Section6AvatarTests {
    private let harness: Harness
    private let token: String

    init() throws {
        harness = try Harness()
        token = try harness.logIn().access
    }

    private static func bitmap(_ width: Int, _ height: Int) throws -> Bitmap {
        var pixels = [UInt8](repeating: 0xFF, count: 4 * width * height)
        for place in 0..<width * height {
            pixels[4 * place] = UInt8(place % 251)
            pixels[4 * place + 1] = UInt8(place / width % 256)
        }
        return try #require(Bitmap(width: width, height: height, pixels: pixels))
    }

    private func served(_ reply: Played) throws -> Played {
        let url = reply.text(at: "data.avatarUrl")
        expectEqual(reply.keys("data"), ["avatarUrl"], "\(reply.text)")
        #expect(url.hasPrefix(Harness.origin + "/avatars/"))
        return try harness.get(String(url.dropFirst(Harness.origin.count)))
    }

    private func profileURL() throws -> String? {
        try harness.get("/api/mobile/student/profile", token: token).value(at: "data.profileImageUrl")?.stringValue
    }

    @Test(arguments: [
        (300, 200, 300, 200), (1_024, 512, 512, 256), (512, 512, 512, 512), (513, 1_026, 256, 512), (1, 1, 1, 1),
    ])
    func `6.3 a picture is fitted into 512 by 512 and never enlarged`(
        width: Int,
        height: Int,
        outWidth: Int,
        outHeight: Int
    ) throws {
        let bitmap = try Self.bitmap(width, height)
        for (bytes, type, end) in [(bitmap.jpeg(quality: 90), "image/jpeg", "jpg"), (bitmap.png(), "image/png", "png")]
        {
            let reply = try harness.upload([Part(type: type, content: bytes)], token: token)
            #expect(reply.text(at: "data.avatarUrl").hasSuffix(".\(end)"))
            let picture = try served(reply)
            expectEqual(picture[.contentType], type)
            expectEqual(picture[.cacheControl], "public, max-age=3600")
            let size = try #require(ImageDecoder.size(of: picture.bytes))
            #expect(abs(size.width - outWidth) <= 1)
            #expect(abs(size.height - outHeight) <= 1)
            #expect(max(size.width, size.height) <= 512)
        }
    }

    @Test func `6.3 the bytes decide the format, and the client's file name never counts`() throws {
        let png = try Self.bitmap(8, 8).png()
        for name in ["../../etc/passwd", "x.exe", "..\\x", "å.html", "", nil] as [String?] {
            let part = Part(fileName: name, type: "image/JPEG; x=y", content: png)
            let reply = try harness.upload([part], token: token)
            let file = reply.text(at: "data.avatarUrl").split(separator: "/").last ?? ""
            #expect(file.hasPrefix("usr_123_1735732800") && file.hasSuffix(".png"), "\(reply.text)")
            try expectEqual(served(reply)[.contentType], "image/png")
        }
        let jpg = Part(type: "image/jpg", content: try Self.bitmap(8, 8).jpeg(quality: 80))
        try expectEqual(served(try harness.upload([jpg], token: token))[.contentType], "image/jpeg")
    }

    @Test func `6.3 a new picture replaces the old one, whose URL is then 404`() throws {
        let part = Part(content: try Self.bitmap(8, 8).jpeg(quality: 80))
        let first = try harness.upload([part], token: token).text(at: "data.avatarUrl")
        expectEqual(first, Harness.origin + "/avatars/usr_123_1735732800.jpg")
        try expectEqual(profileURL(), first)
        try expectEqual(harness.get("/avatars/usr_123.jpg").error, "404 NOT_FOUND")
        let second = try harness.upload([part], token: token).text(at: "data.avatarUrl")
        expectEqual(second, Harness.origin + "/avatars/usr_123_1735732800_2.jpg")
        try expectEqual(harness.get("/avatars/usr_123_1735732800.jpg").error, "404 NOT_FOUND")
        let third = try harness.upload([part], token: token).text(at: "data.avatarUrl")
        expectEqual(third, Harness.origin + "/avatars/usr_123_1735732800_3.jpg")
        try expectEqual(harness.get("/avatars/usr_123_1735732800.jpg").error, "404 NOT_FOUND")
        try expectEqual(harness.get("/avatars/usr_123_1735732800_2.jpg").error, "404 NOT_FOUND")
        try harness.advance(.seconds(5))
        let fourth = try harness.upload([part], token: token).text(at: "data.avatarUrl")
        expectEqual(fourth, Harness.origin + "/avatars/usr_123_1735732805.jpg")
        try expectEqual(harness.delete("/api/mobile/student/avatar", token: token).status, 200)
        let fifth = try harness.upload([part], token: token).text(at: "data.avatarUrl")
        expectEqual(fifth, Harness.origin + "/avatars/usr_123_1735732805_2.jpg")
        try expectEqual(harness.get("/avatars/usr_123_1735732805.jpg").error, "404 NOT_FOUND")
    }

    @Test func `6.3 other fields, preamble, epilogue, a quoted boundary and case are all right`() throws {
        let jpeg = try Self.bitmap(8, 8).jpeg(quality: 80)
        let file = Part(content: jpeg)
        let text = Part(name: "note", fileName: nil, type: nil, content: Array("hello".utf8))
        let body = Array("preamble\r\n".utf8) + Part.body(of: [text, file, text]) + Array("epilogue".utf8)
        try expectEqual(harness.upload(body, token: token).status, 200)
        let boundary = String(repeating: "b", count: 70)
        let long = try harness.upload(
            Part.body(of: [file], boundary: boundary),
            token: token,
            contentType: "Multipart/Form-Data; Boundary=\"\(boundary)\""
        )
        expectEqual(long.status, 200)
        let tooLong = try harness.upload(
            Part.body(of: [file], boundary: boundary + "b"),
            token: token,
            contentType: "multipart/form-data; boundary=\(boundary)b"
        )
        expectEqual(tooLong.error, "400 INVALID_MULTIPART")
    }

    @Test func `6.3 twenty parts are taken, twenty-one are not`() throws {
        let file = Part(content: try Self.bitmap(8, 8).jpeg(quality: 80))
        let text = Part(name: "note", fileName: nil, type: nil, content: [0x61])
        try expectEqual(harness.upload([file] + Array(repeating: text, count: 19), token: token).status, 200)
        try expectEqual(
            harness.upload([file] + Array(repeating: text, count: 20), token: token).error,
            "400 INVALID_MULTIPART"
        )
    }

    @Test func `6.3 what is no one-file form is INVALID_MULTIPART`() throws {
        let file = Part(content: try Self.bitmap(8, 8).jpeg(quality: 80))
        let before = try profileURL()
        var other = file
        other.name = "photo"
        let bodies: [([UInt8], String?)] = [
            (Array("{}".utf8), "application/json"), ([], nil), (Part.body(of: [file]), nil),
            (Part.body(of: [file]), "multipart/form-data"),
            (Part.body(of: [file]), "multipart/form-data; boundary="),
            (Part.body(of: [file]), "multipart/mixed; boundary=b0undary"),
            (Part.body(of: [file], closes: false), "multipart/form-data; boundary=b0undary"),
            (Array(Part.body(of: [file]).dropLast(5)), "multipart/form-data; boundary=b0undary"),
            (Part.body(of: [file, file]), "multipart/form-data; boundary=b0undary"),
            (Part.body(of: [file, other]), "multipart/form-data; boundary=b0undary"),
            (Part.body(of: [other]), "multipart/form-data; boundary=b0undary"),
            (Part.body(of: [file], boundary: "another"), "multipart/form-data; boundary=b0undary"),
            ([UInt8](repeating: 0x2D, count: 1_000_000), "multipart/form-data; boundary=-"),
            (
                Array("--b0undary\r\nnonsense\r\n\r\nx\r\n--b0undary--\r\n".utf8),
                "multipart/form-data; boundary=b0undary"
            ),
        ]
        for (place, (body, type)) in bodies.enumerated() {
            let reply = try harness.upload(body, token: token, contentType: type)
            expectEqual(reply.error, "400 INVALID_MULTIPART", "\(place)")
        }
        try expectEqual(profileURL(), before)
    }

    @Test func `6.3 part headers may have 8 KiB and no more`() throws {
        let jpeg = try Self.bitmap(8, 8).jpeg(quality: 80)
        func upload(_ size: Int) throws -> Played {
            let lines = "Content-Disposition: form-data; name=\"avatar\"\r\nContent-Type: image/jpeg\r\n"
            let padding = "X: " + String(repeating: "x", count: size - lines.utf8.count - 5) + "\r\n"
            let head = Array("--b0undary\r\n\(lines)\(padding)\r\n".utf8)
            return try harness.upload(head + jpeg + Array("\r\n--b0undary--\r\n".utf8), token: token)
        }
        try expectEqual(upload(8_192).status, 200)
        try expectEqual(upload(8_193).error, "400 INVALID_MULTIPART")
    }

    @Test func `6.3 no file, another type, no picture`() throws {
        let jpeg = try Self.bitmap(8, 8).jpeg(quality: 80)
        let text = Part(name: "note", fileName: nil, type: nil, content: [0x61])
        try expectEqual(harness.upload([text], token: token).error, "400 NO_FILE")
        try expectEqual(harness.upload([Part(content: [])], token: token).error, "400 NO_FILE")
        try expectEqual(harness.upload(Array("--b0undary--\r\n".utf8), token: token).error, "400 NO_FILE")
        for type in ["image/gif", "text/plain", "application/octet-stream", "jpeg", nil] as [String?] {
            let reply = try harness.upload([Part(type: type, content: jpeg)], token: token)
            expectEqual(reply.error, "400 INVALID_FILE_TYPE", "\(type ?? "none")")
        }
        for bytes in [
            Array("GIF89a".utf8), Array(jpeg.prefix(jpeg.count / 2)), Array("<html>".utf8), [0xFF, 0xD8, 0xFF],
            Array(try Self.bitmap(8, 8).png().prefix(60)),
        ] {
            try expectEqual(harness.upload([Part(content: bytes)], token: token).error, "400 INVALID_IMAGE")
        }
        try expectEqual(profileURL(), Harness.origin + "/avatars/usr_123.jpg")
    }

    @Test func `6.3 a file may have 5 MiB and not a byte more`() throws {
        let jpeg = try Self.bitmap(8, 8).jpeg(quality: 80)
        // What follows the end of a picture is no part of it.
        let whole = jpeg + [UInt8](repeating: 0, count: 5_242_880 - jpeg.count)
        try expectEqual(harness.upload([Part(content: whole)], token: token).status, 200)
        try expectEqual(harness.upload([Part(content: whole + [0])], token: token).error, "400 FILE_TOO_LARGE")
        try expectEqual(
            harness.upload([Part(type: "text/plain", content: whole + [0])], token: token).error,
            "400 INVALID_FILE_TYPE"
        )
    }

    @Test func `6.3 a body may have 20 MiB and not a byte more`() throws {
        let file = Part(content: try Self.bitmap(8, 8).jpeg(quality: 80))
        let body = Part.body(of: [file])
        let whole = body + [UInt8](repeating: 0x61, count: 20 * 1_048_576 - body.count)
        try expectEqual(harness.upload(whole, token: token).status, 200)
        try expectEqual(harness.upload(whole + [0x61], token: token).error, "413 PAYLOAD_TOO_LARGE")
    }

    @Test func `6.3 a decompression bomb is refused by its header`() throws {
        // A PNG head that promises 60 000 by 60 000 pixels.
        var bomb: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        bomb += [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 6, 0, 0, 0]
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in bomb[12...] {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? (checksum >> 1) ^ 0xEDB8_8320 : checksum >> 1 }
        }
        checksum ^= 0xFFFF_FFFF
        bomb +=
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) } + [0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54]
        try expectEqual(
            harness.upload([Part(type: "image/png", content: bomb)], token: token).error,
            "400 INVALID_IMAGE"
        )
    }

    @Test func `6.3 very many parts and a flood of dashes are answered quickly`() throws {
        let many = Array(repeating: Part(name: "x", fileName: nil, type: nil, content: []), count: 100_000)
        let almost = Array(String(repeating: "\r\n--b0undar", count: 500_000).utf8)
        var errors: [String] = []
        let time = try ProcessorTime.measure {
            errors.append(try harness.upload(many, token: token).error)
            errors.append(try harness.upload(almost, token: token).error)
        }
        expectEqual(errors, ["400 INVALID_MULTIPART", "400 INVALID_MULTIPART"])
        #expect(time < .seconds(20))
    }

    @Test func `6.3 the rotation of a photo is applied`() throws {
        let jpeg = try Self.bitmap(40, 20).jpeg(quality: 90)
        // Orientation 6 in an EXIF segment after the start of the picture.
        let exif: [UInt8] =
            Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [
                0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0,
            ]
            + [0, 0, 0, 0]
        let segment = [0xFF, 0xE1, UInt8((exif.count + 2) / 256), UInt8((exif.count + 2) % 256)] + exif
        let photo = Array(jpeg.prefix(2)) + segment + Array(jpeg.dropFirst(2))
        let picture = try served(try harness.upload([Part(content: photo)], token: token))
        let size = try #require(ImageDecoder.size(of: picture.bytes))
        expectEqual(size.width, 20)
        expectEqual(size.height, 40)
        expectNil(picture.bytes.firstRange(of: Array("Exif".utf8)))
    }

    @Test func `6.4 a picture is removed, also when there was none`() throws {
        for _ in 0..<2 {
            try expectEqual(harness.delete("/api/mobile/student/avatar", token: token).text, #"{"success":true}"#)
            try expectNil(profileURL())
        }
        try expectEqual(harness.get("/avatars/usr_123.jpg").error, "404 NOT_FOUND")
        try expectEqual(harness.send(.delete, "/api/mobile/student/avatar", token: token, body: [0x7B]).status, 200)
        let erik = try harness.logIn(Harness.erik).access
        try expectEqual(harness.delete("/api/mobile/student/avatar", token: erik).error, "403 FORBIDDEN")
    }

    @Test func `6.5 pictures are served by name`() throws {
        let reply = try harness.get("/avatars/usr_123.jpg")
        expectEqual(reply[.contentType], "image/jpeg")
        let size = try #require(ImageDecoder.size(of: reply.bytes))
        #expect(size.width <= 512 && size.height <= 512)
        for name in ["none.jpg", "usr_123.jp%67x", "a%20b", "%2e%2e%2fusers.json", "å.png"] {
            try expectEqual(harness.get("/avatars/\(name.percentEncodedForTest)").error, "404 NOT_FOUND", "\(name)")
        }
    }
}

extension String {
    /// With what is not ASCII percent-encoded.
    fileprivate var percentEncodedForTest: String {
        String(decoding: utf8.flatMap { $0 < 0x80 ? [$0] : Array("%\(String($0, radix: 16))".utf8) }, as: UTF8.self)
    }
}
