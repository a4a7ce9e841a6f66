import Backend
import CivilTime
import Crypto
import Engine
import EngineTesting
import HTTPMessage
import JSON
import TestSupport
import Testing

@testable import CarbScan

/// Sections 7.11 and 8: analysis.
struct Section7AnalysisTests {
    private func base64(_ bytes: [UInt8]) -> String { Base64.encode(bytes) }

    private func error(_ image: JSON, metadata: JSON? = nil) throws -> String {
        let harness = try Harness()
        var body: JSONObject = ["imageBase64": image]
        if let metadata { body.append("metadata", metadata) }
        let token = try harness.mint(Harness.pro)
        return try harness.post("/analyze", token: token, json: .object(body)).error
    }

    @Test func `8 the check value`() throws {
        let harness = try Harness()
        let reply = try harness.analyze(Harness.picture, try harness.mint(Harness.free))
        let analysis = reply.at("analysis")
        expectEqual(
            analysis.keys,
            [
                "carbEstimate", "confidenceLow", "confidenceHigh", "confidenceLevel", "analysis", "compositeItemName",
            ]
        )
        expectEqual(analysis["carbEstimate"], 15)
        expectEqual(analysis["confidenceLow"], 12)
        expectEqual(analysis["confidenceHigh"], 18)
        expectEqual(analysis["confidenceLevel"]?.doubleValue, 0.66)
        expectEqual(analysis["compositeItemName"], "Salmon with green beans")
        let text = analysis.string("analysis")
        for part in ["Salmon with green beans", "15 g", "12", "18"] { #expect(text.contains(part)) }
        expectEqual(reply.data.keys, ["analysis", "mealId", "scanUsage"])
        expectEqual(reply.at("mealId"), 274)
    }

    @Test func `8 the estimate is the formula for any bytes`() throws {
        for number in 0..<300 {
            let bytes = Harness.jpeg("picture \(number)")
            let digest = SHA256.digest(bytes)
            let head = (Int(digest[0]) << 24) + (Int(digest[1]) << 16) + (Int(digest[2]) << 8) + Int(digest[3])
            let dish = Dish.all[head % 45]
            let carbs = (dish.grams * (3 + Int(digest[4]) % 4) + 2) / 4
            let level = 60 + Int(digest[5]) % 36
            let spread = max(2, (2 * carbs * (100 - level) + 150) / 300)
            let estimate = Estimate(image: bytes)
            expectEqual(estimate.name, dish.name)
            expectEqual(estimate.carbs, carbs)
            expectEqual(estimate.level, level)
            expectEqual(estimate.low, max(0, carbs - spread))
            expectEqual(estimate.high, carbs + spread)
            #expect(estimate.low <= carbs && carbs <= estimate.high)
        }
    }

    @Test func `8 the fixture marker names a dish, or none`() throws {
        for (number, dish) in Dish.all.enumerated() {
            let estimate = Estimate(image: Harness.jpeg("..carbscan-food=\(number + 1)\u{0}"))
            expectEqual(estimate.name, dish.name)
            expectEqual(estimate.carbs, dish.grams)
            expectEqual(estimate.level, 85)
        }
        let none = Estimate(image: Harness.jpeg("carbscan-food=none"))
        expectEqual(none, Estimate.nothing)
        expectEqual(none.carbs, 0)
        expectEqual(none.low, 0)
        expectEqual(none.high, 2)
        expectEqual(none.level, 60)
        for text in [
            "carbscan-food=0", "carbscan-food=46", "carbscan-food=", "carbscan-food", "carbscan-food=450",
            "Carbscan-food=5",
        ] {
            let bytes = Harness.jpeg(text)
            expectEqual(Estimate(image: bytes), Estimate(digest: SHA256.digest(bytes)), "\(text)")
        }
        expectEqual(Estimate.marker(in: Harness.jpeg("carbscan-carbscan-food=99 carbscan-food=7")), .dish(7))
    }

    @Test func `7.11 a meal is stored with the server's time, and the same photo is another meal`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        let metadata: JSON = ["captureTimestamp": "not parsed", "lighting": "dark", "other": 1]
        let body: JSON = ["imageBase64": .string(Harness.picture), "metadata": metadata]
        let first = try harness.post("/analyze", token: token, json: body).at("mealId")
        let second = try harness.post("/analyze", token: token, json: body).at("mealId")
        #expect(first != second)
        let meal = try harness.get("/meals?limit=1", token: token).at("meals.0")
        expectEqual(
            meal.text,
            #"{"id":275,"name":"Salmon with green beans","carbEstimate":15,"confidenceLevel":"0.66","createdAt":"2025-01-31T20:00:00.000Z"}"#
        )
    }

    @Test(arguments: [
        ([0xFF, 0xD8, 0xFF] as [UInt8], true), ([0xFF, 0xD8, 0xFE], false), ([0xFF, 0xD8], false),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], true), ([0x89, 0x50, 0x4E, 0x47], false),
        (Array("GIF89a".utf8), true), (Array("GIF7".utf8), false), (Array("RIFFabcdWEBP".utf8), true),
        (Array("RIFFabcdWAVE".utf8), false), (Array("1234ftypheic".utf8), true), (Array("1234ftypheix".utf8), true),
        (Array("1234ftyphevc".utf8), true), (Array("1234ftypmif1".utf8), true), (Array("1234ftypmsf1".utf8), true),
        (Array("1234ftypavif".utf8), true), (Array("1234ftypmp42".utf8), false), (Array("hello".utf8), false),
    ])
    func `7.11 bytes must begin like an image`(bytes: [UInt8], isImage: Bool) throws {
        let harness = try Harness()
        let reply = try harness.analyze(base64(bytes), try harness.mint(Harness.free))
        if isImage {
            expectEqual(reply.status, 200)
        } else {
            expectEqual(reply.error, #"400 VALIDATION_ERROR {"imageBase64":"unsupported_value"}"#)
        }
    }

    @Test func `7.11 base64 in its forms`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.pro)
        let plain = Harness.picture
        for text in [
            plain, "data:image/png;base64,\(plain)", "data:image/jpeg;charset=x;base64,\(plain)",
            " \(plain.prefix(10))\r\n\t\(plain.dropFirst(10))\n", "data:image/png;base64,\n\(plain)",
        ] {
            try expectEqual(harness.analyze(text, token).at("analysis.carbEstimate"), 15, "\(text.prefix(40))")
        }
        for text in [
            "%", String(plain.dropLast()), plain + "=", plain.replacing("+", with: "-"), "data:image/png,\(plain)",
            "data:text/plain;base64,\(plain)", "data:image/png;base64", "é",
        ] {
            try expectEqual(
                harness.analyze(text, token).error,
                #"400 VALIDATION_ERROR {"imageBase64":"invalid_format"}"#,
                "\(text.prefix(40))"
            )
        }
    }

    @Test func `7.11 the other faults of the body`() throws {
        try expectEqual(error(.null), #"400 VALIDATION_ERROR {"imageBase64":"required"}"#)
        try expectEqual(error(5), #"400 VALIDATION_ERROR {"imageBase64":"wrong_type"}"#)
        try expectEqual(error(" \n"), #"400 VALIDATION_ERROR {"imageBase64":"empty"}"#)
        try expectEqual(
            error("%", metadata: []),
            #"400 VALIDATION_ERROR {"imageBase64":"invalid_format","metadata":"wrong_type"}"#
        )
        let long: JSON = .string(String(repeating: "x", count: 201))
        try expectEqual(
            error(.string(Harness.picture), metadata: ["lighting": long, "osVersion": 17]),
            #"400 VALIDATION_ERROR {"metadata.osVersion":"wrong_type","metadata.lighting":"too_long"}"#
        )
    }

    @Test func `7.11 an image of 10485760 bytes passes, one more is too large`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.free)
        var bytes = Harness.jpeg()
        bytes += [UInt8](repeating: 0, count: 10_485_760 - bytes.count)
        try expectEqual(harness.analyze(base64(bytes), token).status, 200)
        try expectEqual(
            harness.analyze(base64(bytes + [0]), token).error,
            #"400 VALIDATION_ERROR {"imageBase64":"too_large"}"#
        )
    }

    @Test func `7.11 a large photo is prepared apart, with the same answer`() throws {
        let harness = try Harness()
        let token = try harness.mint(Harness.pro)
        let bytes = Harness.jpeg(String(repeating: "x", count: 10_000))
        let body = JSON.object(["imageBase64": .string(base64(bytes))]).serialized()
        let head = RequestHead(
            method: .post,
            target: RequestTarget(rawPath: Harness.base + "/analyze", rawQuery: nil),
            fields: [.contentType: "application/json", .authorization: "Bearer \(token)"]
        )
        let request = HTTPRequest(head: head, body: RequestBody(body))
        let address = try #require(harness.emulator.address(of: head, entryPoint: .api(0)))
        let exchange = harness.emulator.open(head, address: address, peer: "x", id: 1, at: harness.hostTime)
        harness.emulator.receive(request, of: exchange)
        let preparation = try #require(harness.emulator.preparation(for: exchange, at: harness.hostTime))
        let answer = harness.emulator.answer(
            request,
            address: address,
            api: 0,
            peer: "x",
            exchange: 1,
            at: harness.hostTime,
            prepared: preparation.run(request)
        )
        let text = String(decoding: answer.response.body.content, as: UTF8.self)
        let plain = try harness.analyze(base64(bytes), token)
        #expect(text.contains(plain.at("analysis").text))
    }

    @Test func `10 the pause of analyze-delayMs comes before the answer`() throws {
        let harness = try Harness()
        try harness.set(["analyze": ["delayMs": 1_500]])
        let reply = try harness.analyze(Harness.picture, try harness.mint(Harness.free))
        expectEqual(reply.headAt, 1_500)
        expectEqual(reply.status, 200)
    }
}
