import Backend
import CustomAPIs
import TestSupport
import Testing

/// `api.json` (own-API contract, section 3).
@Suite struct Section3DeclarationTests {
    @Test func `3 an empty object is an API with the name of its folder`() throws {
        let definition = try #require(CustomAPIHarness.read(["api.json": "{}"]).definition)
        expectEqual(definition.title, "shop")
        expectEqual(definition.version, "1.0.0")
        expectEqual(definition.description, "")
        expectEqual(definition.validation, .report)
    }

    @Test func `3 an unknown member is an error with the nearest name`() {
        let findings = CustomAPIHarness.findings("{\n\"titel\": \"Shop\",\n\"validation\": \"enforced\"\n}")
        expectEqual(findings.count, 2)
        expectEqual(findings.last?.hasPrefix("apis/shop/api.json:2: $.titel: unknown member; allowed: "), true)
        expectEqual(findings.last?.hasSuffix("; did you mean title?"), true)
        expectEqual(
            findings.first,
            "apis/shop/api.json:3: $.validation: must be one of off, report, enforce; did you mean enforce?"
        )
    }

    @Test func `3 two declarations of the same method and shape are an error that names both places`() {
        func findings(_ api: String) -> [String] {
            CustomAPIHarness.read(["api.json": api]).findings.map(\.text)
        }
        let tables = #""tables":{"a":{},"b":{},"users":{}},"#
        expectEqual(
            findings(
                "{\(tables)\n\"resources\":[{\"path\":\"/{x}/a\",\"table\":\"a\"},\n{\"path\":\"/{y}/a/\",\"table\":\"b\"}]}"
            ),
            [
                "apis/shop/api.json:3: $.resources[1].path: GET /{y}/a matches the same requests as /{x}/a at "
                    + "apis/shop/api.json:2, $.resources[0].path"
            ]
        )
        expectEqual(
            findings(
                "{\(tables)\n\"auth\":{\"login\":\"/in\",\n\"logout\":\"/in/\"},\n\"resources\":[{\"path\":\"/in\",\"table\":\"a\"}]}"
            ),
            [
                "apis/shop/api.json:3: $.auth.logout: POST /in matches the same requests as /in at apis/shop/api.json:2, "
                    + "$.auth.login",
                "apis/shop/api.json:4: $.resources[0].path: POST /in matches the same requests as /in at "
                    + "apis/shop/api.json:2, $.auth.login",
            ]
        )
        // Other methods of the same path, and the operation of a resource, are no conflict.
        #expect(
            findings(
                #"{\#(tables)"resources":[{"path":"/a","table":"a","methods":["list"]},{"path":"/a","table":"b","methods":["create"]}]}"#
            )
            .isEmpty
        )
    }

    @Test func `3 a path that no request can reach is refused`() {
        for (path, reason) in [
            ("/a?x", "must be a path, without query and fragment"),
            ("/a#x", "must be a path, without query and fragment"),
            ("/__admin/a", "is reserved: /__admin is the control API on every port"),
        ] {
            let findings = CustomAPIHarness.findings(
                #"{"tables":{"a":{}},"resources":[{"path":"\#(path)","table":"a"}]}"#
            )
            expectEqual(findings, ["apis/shop/api.json:1: $.resources[0].path: \(reason)"], "\(path): \(findings)")
        }
    }

    @Test func `5 a path that nothing takes is told in the default form`() throws {
        let harness = try CustomAPIHarness(["api.json": "{}"])
        let answer = try harness.get("/v1/nothing")
        expectEqual(answer.status, 404)
        expectEqual(answer.text, #"{"error":{"code":"not_found","message":"No route matches this request."}}"#)
        expectEqual(answer["Content-Type"], "application/json")
    }
}
