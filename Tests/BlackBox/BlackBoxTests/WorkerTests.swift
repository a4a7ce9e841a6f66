import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 17: what takes long is done beside the loop; too much of it waits or is refused, and control
/// calls have threads of their own.
@Suite(.serialized) struct WorkerTests {
    /// A debug build on a machine that does other things; on the loop the work of each case takes a second and more.
    private static let allowance = 1_000.0

    private func student(_ served: Served) throws -> String {
        let body = #"{"api":"trafikskola","user":"anna@example.com","kind":"access"}"#
        let answer = try served.control("POST", "/tokens", body)
        guard let token = answer.json["token"]?.stringValue else { throw TestError(description: answer.text) }
        return token
    }

    private func upload(_ picture: [UInt8], _ token: String?) -> [UInt8] {
        let head = "--b\r\nContent-Disposition: form-data; name=\"avatar\"; filename=\"x.jpg\"\r\n"
        let body = Array((head + "Content-Type: image/jpeg\r\n\r\n").utf8) + picture + Array("\r\n--b--\r\n".utf8)
        return Wire.request(
            "POST",
            "/trafikskola/api/mobile/student/avatar",
            body: body,
            token: token,
            type: "multipart/form-data; boundary=b"
        )
    }

    private func send(_ count: Int, _ bytes: [UInt8], to served: Served) throws -> [Wire] {
        try (0..<count).map { _ in
            let wire = try Wire(port: served.hub)
            try wire.send(bytes)
            return wire
        }
    }

    /// Walked over twelve times before it is found to be cut short.
    private static let costly = CostlyJPEG(width: 4_000, height: 4_000).progressive(scans: 12, isCut: true)
    /// The same in less than 4 kB.
    private static let small = CostlyJPEG(width: 1_400, height: 1_400).progressive(scans: 100, isCut: true)

    @Test func `17 pictures of any file size hold nobody, and uploads don't keep control calls from a worker`() throws {
        #expect(Self.small.count < 8_000)
        let served = try Served()
        let token = try student(served)
        // What a process makes when it is first asked for is no matter of pictures.
        try expectEqual(served.control("GET", "/state").status, 200)
        for picture in [Self.costly, Self.small] {
            let request = upload(picture, token)
            var state = 0.0
            let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
                let wires = try send(16, request, to: served)
                let began = Date()
                try expectEqual(served.control("GET", "/state").status, 200)
                state = Date().timeIntervalSince(began)
                for wire in wires {
                    let answer = try wire.answer()
                    expectEqual(answer.status, 400)
                    expectEqual(answer.json["errorCode"], "INVALID_IMAGE", "\(answer.text)")
                }
            }
            #expect(isFree)
            #expect(state < 20)
        }
    }

    @Test(arguments: [(64_000_000, 4), (2_010_000, 100), (64_000_000, 39)])
    func `17 a picture that asks for more work than 200 million pixels is refused at once`(pixels: Int, scans: Int)
        throws
    {
        let side = Int(Double(pixels).squareRoot())
        let served = try Served()
        let token = try student(served)
        let request = upload(CostlyJPEG(width: side, height: side).progressive(scans: scans), token)
        let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
            let answer = try send(1, request, to: served)[0].answer()
            expectEqual(answer.status, 400)
            expectEqual(answer.json["errorCode"], "INVALID_IMAGE")
        }
        #expect(isFree)
    }

    @Test func `17 nobody's pictures are not decoded, and others are not kept waiting by them`() throws {
        let served = try Served()
        let token = try student(served)
        let wires = try send(2, upload(Self.costly, token), to: served)
        let expired = #"{"api":"trafikskola","user":"anna@example.com","kind":"access","state":"expired"}"#
        let old = try served.control("POST", "/tokens", expired).json["token"]?.stringValue
        for other in [nil, "wrong", old] {
            let wire = try send(1, upload(Self.costly, other), to: served)[0]
            try expectEqual(wire.answer().status, 401)
            #expect(wires[1].text.isEmpty)
        }
        for wire in wires { try expectEqual(wire.answer().status, 400) }
    }

    @Test func `17 as many pictures wait as may, and one more is refused in the API's own form`() throws {
        let served = try Served(Served.frozen + ["--limit", "jobs=6"])
        let token = try student(served)
        let request = upload(Self.costly, token)
        for wire in try send(6, request, to: served) { try expectEqual(wire.answer().status, 400) }
        // One is decoded, six wait; none of them is done before the last has come.
        let answers = try send(12, request, to: served).map { try $0.answer() }
        let refused = answers.filter { $0.status == 503 }
        #expect(answers.count { $0.status == 400 } >= 7)
        #expect((1...5).contains(refused.count))
        for answer in refused {
            expectEqual(answer["Retry-After"], "1")
            #expect(answer.json["success"] == false && answer.json["errorCode"] != nil, "\(answer.text)")
        }
        let journal = try served.control("GET", "/requests?status=503").json["items"]?.arrayValue ?? []
        expectEqual(journal.count, refused.count)
    }

    @Test func `17 pictures whose clients have gone are not decoded, and make room for others`() throws {
        let served = try Served(Served.frozen + ["--limit", "jobs=4"])
        let token = try student(served)
        let request = upload(Self.costly, token)
        let first = try send(1, request, to: served)[0]
        for _ in 0..<3 {
            for wire in try send(4, request, to: served) { wire.abort() }
            usleep(20_000)
        }
        for wire in try send(4, request, to: served) { try expectEqual(wire.answer().status, 400) }
        try expectEqual(first.answer().status, 400)
        let outcomes = try served.control("GET", "/requests?limit=100").json["items"]?.arrayValue?.compactMap {
            $0["outcome"]?.stringValue
        }
        expectEqual(outcomes?.filter { $0 == "delivered" }.count, 5)
    }

    @Test func `17 a diff that emulates beside the backend decodes no picture on the loop`() throws {
        let backend = try Backend()
        let served = try Served()
        let token = try student(served)
        let mode = #"{"api":"trafikskola","mode":"diff","upstream":"\#(backend.url())"}"#
        try expectEqual(served.control("PUT", "/mode", mode).status, 200)
        let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
            for wire in try send(4, upload(Self.costly, token), to: served) {
                try expectEqual(wire.answer().status, 400)
            }
        }
        #expect(isFree)
    }

    // MARK: Control calls

    private func busy(_ flags: [String], requests: Int) throws -> Served {
        let served = try Served(Served.frozen + flags)
        _ = try served.control("PUT", "/settings", #"{"omnichat":{"rateLimits":"off"}}"#)
        let wire = try Wire(port: served.api)
        let body = Array(#"{"pad":"\#(String(repeating: "x", count: 10_000))"}"#.utf8)
        for _ in 0..<requests { _ = try wire.ask("POST", "/api/v1/conversations", body: body) }
        return served
    }

    @Test func `17 one control call more than may wait is a problem with Retry-After, and the loop does none of them`()
        throws
    {
        let served = try busy(["--limit", "jobs=3"], requests: 200)
        let request = Wire.request("GET", "/__admin/state")
        let isFree = try Probe.holdsNobody(served, within: Self.allowance) {
            let answers = try send(12, request, to: served).map { try $0.answer() }
            #expect(answers.count { $0.status == 200 } >= 4)
            let refused = answers.filter { $0.status == 503 }
            #expect(!refused.isEmpty)
            for answer in refused {
                expectEqual(answer["Retry-After"], "1")
                expectEqual(answer["Content-Type"], "application/problem+json")
                expectEqual(answer.json["type"], "/__admin/problems/busy")
            }
        }
        #expect(isFree)
        for wire in try send(3, request, to: served) { try expectEqual(wire.answer().status, 200) }
    }

    @Test func `19 who has ended its side is answered after the others, and who has gone keeps nobody waiting`() throws
    {
        let served = try busy([], requests: 300)
        let alone = try served.control("GET", "/requests").bytes
        let search = Wire.request(
            "POST",
            "/__admin/requests/count",
            body: Array(#"{"match":{"body":{"pad":"y"}}}"#.utf8)
        )
        let gone = try send(40, search, to: served)
        let half = try send(3, search, to: served) + send(2, Wire.request("GET", "/__admin/requests"), to: served)
        for wire in half { wire.endSending() }
        for wire in gone { wire.close() }
        try expectEqual(served.control("POST", "/requests/count", #"{"match":{"body":{"pad":"y"}}}"#).json["count"], 0)
        for wire in half.prefix(3) { try expectEqual(wire.answer().json["count"], 0) }
        for wire in half.dropFirst(3) { try expectEqual(wire.answer().bytes, alone) }
    }
}
