import Backend
import CivilTime
import EngineTesting
import HTTPMessage
import Imaging
import JSON
import TestSupport
import Testing

@testable import Trafikskola

/// Section 5: configuration, flags, pictures, translations.
struct Section5ConfigurationTests {
    private let harness: Harness

    init() throws { harness = try Harness() }

    private func config(_ domain: String) throws -> Played { try harness.get("/api/mobile/config?domain=\(domain)") }

    @Test func `5.1 the default answer is exactly this`() throws {
        let text = """
            {"success":true,"data":{"appEnabled":true,"maintenanceMode":false,"minVersion":{"ios":"1.0.0","android":"1.0.0"},\
            "latestVersion":{"ios":"1.0.0","android":"1.0.0"},"features":{"bookings":true,"lms":true,"quiz":false,\
            "certificates":false,"korklar":false,"invoices":true,"profile":true,"offlineMode":false},\
            "branding":{"appName":"Din Trafikskola HLM","tagline":"Drive with confidence","iosAppStoreUrl":"",\
            "androidPlayStoreUrl":""},"push":{"enabled":true,"bookingReminders":true,"lessonAvailable":true,\
            "paymentReminders":true},"sync":{"intervalMinutes":30,"offlineRetentionDays":30,"maxOfflineBookings":50}}}
            """
        try expectEqual(config("dev.dintrafikskolahlm.se").text, text)
    }

    @Test(arguments: [
        "dev.dintrafikskolahlm.se", "dintrafikskolahlm.se", "DINtrafikskolahlm.SE", "https://dintrafikskolahlm.se/",
        "http://dintrafikskolahlm.se:8080/", "localhost", "localhost:4684", "127.0.0.1", "10.0.2.2:4684", "[::1]:4684",
        "::1", "fe80::1:2", "::ffff:10.0.0.1", "1:2:3:4:5:6:7:8",
    ])
    func `5.1 these domains are the school's`(domain: String) throws {
        try expectEqual(config(domain).status, 200)
    }

    @Test(arguments: [
        "dev.dintrafikskolahm.se", "example.com", "dintrafikskolahlm.se.evil.se", "dintrafikskolahlm.se/x", "256.1.1.1",
        "1.2.3", "1:2:3:4:5:6:7:8:9", ":::", "dintrafikskolahlm.se:99999", "x@dintrafikskolahlm.se", "localhost.se",
    ])
    func `5.1 others are SCHOOL_NOT_FOUND`(domain: String) throws {
        try expectEqual(config(domain).error, "404 SCHOOL_NOT_FOUND")
    }

    @Test func `5.1 the own host and further domains count, and a domain is needed`() throws {
        harness.host = "tfx.test:9000"
        try expectEqual(config("tfx.test").status, 200)
        try expectEqual(config("proxy.test").status, 404)
        let forwarded = try harness.get(
            "/api/mobile/config?domain=proxy.test",
            headers: [("X-Forwarded-Host", "proxy.test")]
        )
        expectEqual(forwarded.status, 200)
        try harness.set(["domains": "a.test, https://b.test/"])
        try expectEqual(config("b.test").status, 200)
        try expectEqual(config("").error, "400 VALIDATION_ERROR")
        try expectEqual(harness.get("/api/mobile/config").faulty, ["domain"])
    }

    @Test func `5.2 app-config is whole`() throws {
        let reply = try harness.get("/api/app-config")
        expectEqual(reply.keys(), ["success", "data", "enabledFeatures"])
        expectEqual(reply.json["enabledFeatures"], ["bookings", "invoices", "lms", "profile"])
        expectEqual(reply.keys("data"), ["domain", "apiBaseUrl", "theme", "branding", "contact", "features"])
        expectEqual(reply.text(at: "data.domain"), "dev.dintrafikskolahlm.se")
        expectEqual(reply.text(at: "data.apiBaseUrl"), "http://127.0.0.1:4684/api/mobile")
        expectEqual(
            reply.data["theme"],
            [
                "primaryColor": "#000000", "secondaryColor": "#DC2626", "backgroundColor": "#FFFFFF",
                "textColor": "#000000", "accentColor": "#DC2626", "cardBackground": "#F9FAFB", "errorColor": "#DC2626",
                "successColor": "#10B981", "warningColor": "#F59E0B",
            ]
        )
        expectEqual(
            reply.data["branding"],
            [
                "logoUrl": "http://127.0.0.1:4684/logo.png", "iconUrl": "http://127.0.0.1:4684/icon.png",
                "splashImageUrl": "http://127.0.0.1:4684/splash.png", "schoolName": "Din Trafikskola HLM",
                "tagline": "Drive with confidence", "loaderType": "spinner",
            ]
        )
        expectEqual(
            reply.data["contact"],
            [
                "email": "info@dintrafikskolahlm.se", "phone": "+46 123 456 789",
                "address": "Example Street 123, Stockholm", "website": "https://dintrafikskolahlm.se",
            ]
        )
        expectEqual(
            reply.data["features"],
            [
                "enableBookings": true, "enableLms": true, "enableLessons": true, "enableQuiz": false,
                "enableCertificates": false, "enableKorklar": false, "enableInvoices": true, "enableProfile": true,
                "enableOfflineMode": false,
            ]
        )
    }

    @Test func `5.3 the three sources are views of one state`() throws {
        let names = ["bookings", "lms", "quiz", "certificates", "korklar", "invoices", "profile", "offlineMode"]
        let long = ["Bookings", "Lms", "Quiz", "Certificates", "Korklar", "Invoices", "Profile", "OfflineMode"]
        for (name, enable) in zip(names, long) {
            for value in [true, false] {
                try harness.set(["features": [name: .bool(value)]])
                let app = try harness.get("/api/app-config")
                try expectEqual(config("localhost").value(at: "data.features.\(name)"), .bool(value))
                expectEqual(app.value(at: "data.features.enable\(enable)"), .bool(value))
                expectEqual(app.json["enabledFeatures"]?.arrayValue?.contains(.string(name)), value)
                if name == "lms" { expectEqual(app.value(at: "data.features.enableLessons"), .bool(value)) }
            }
        }
        // Decision 12: flags close no endpoint.
        try expectEqual(harness.check(try harness.mint(Harness.anna)), 200)
    }

    @Test(arguments: [("logo.png", 512, 512, UInt8(6)), ("icon.png", 1_024, 1_024, 2), ("splash.png", 1_242, 2_688, 2)])
    func `5.4 the pictures are real`(name: String, width: Int, height: Int, colourType: UInt8) throws {
        let reply = try harness.get("/\(name)")
        expectEqual(reply[.contentType], "image/png")
        expectEqual(reply[.cacheControl], "no-cache")
        expectEqual(reply.bytes[25], colourType)
        let bitmap = try ImageDecoder.decode(reply.bytes, maximumPixels: 10_000_000)
        expectEqual(bitmap.width, width)
        expectEqual(bitmap.height, height)
    }

    @Test(arguments: [
        ("", "sv"), ("?locale=sv&version=1.0.0", "sv"), ("?locale=en", "en"), ("?locale=EN-us", "en"),
        ("?locale=sv_SE", "sv"), ("?locale=en-001", "en"),
    ])
    func `5.5 the texts of a language`(query: String, locale: String) throws {
        let reply = try harness.get("/api/mobile/i18n\(query)")
        expectEqual(reply.keys("data"), ["locale", "translations", "version"])
        expectEqual(reply.text(at: "data.locale"), locale)
        for section in ["common", "login", "home", "profile"] {
            let members = reply.value(at: "data.translations.\(section)")?.objectValue?.members ?? []
            #expect(!members.isEmpty)
            #expect(members.allSatisfy { $0.value.stringValue != nil })
        }
        let fallback = try harness.get("/api/mobile/translations/\(locale)")
        expectEqual(fallback.keys(), ["success", "data"])
        expectEqual(fallback.json["data"], reply.value(at: "data.translations"))
    }

    @Test(arguments: ["de", "sv-SE-x", "svenska", "sv-", "e", "sv-SWE"])
    func `5.5 other locales are TRANSLATIONS_NOT_FOUND`(locale: String) throws {
        try expectEqual(harness.get("/api/mobile/i18n?locale=\(locale)").error, "404 TRANSLATIONS_NOT_FOUND")
        try expectEqual(harness.get("/api/mobile/translations/\(locale)").error, "404 TRANSLATIONS_NOT_FOUND")
    }

    @Test func `5.5 the ETag is strong, of its locale, and answered with 304`() throws {
        func get(_ tag: String?, _ locale: String = "sv") throws -> Played {
            try harness.get("/api/mobile/i18n?locale=\(locale)", headers: tag.map { [(.ifNoneMatch, $0)] } ?? [])
        }
        let tag = try #require(try get(nil)[.eTag])
        #expect(tag.hasPrefix("\""))
        #expect(try get(nil, "en")[.eTag] != tag)
        for match in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let reply = try get(match)
            expectEqual(reply.status, 304, "\(match)")
            #expect(reply.bytes.isEmpty)
            expectEqual(reply[.eTag], tag)
        }
        try expectEqual(get("\"x\"").status, 200)
        try expectEqual(get(tag, "en").status, 200)
        try harness.state { state, _ in
            state.translations.update("sv") { $0.sections[0].entries[0].text = "Okej" }
        }
        try expectEqual(get(tag).status, 200)
    }
}
