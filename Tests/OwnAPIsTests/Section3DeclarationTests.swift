import OwnAPIs
import Testing

/// `api.json` (own-API contract, section 3).
@Suite struct Section3DeclarationTests {
    @Test func `3 an empty object is an API with the name of its folder`() throws {
        let definition = try #require(OwnHarness.read(["api.json": "{}"]).definition)
        #expect(definition.title == "shop")
        #expect(definition.version == "1.0.0")
        #expect(definition.description == "")
        #expect(definition.validation == .report)
    }

    @Test func `3 an unknown member is an error with the nearest name`() {
        let findings = OwnHarness.findings("{\n\"titel\": \"Shop\",\n\"validation\": \"enforced\"\n}")
        #expect(findings.count == 2)
        #expect(findings.last?.hasPrefix("apis/shop/api.json:2: $.titel: unknown member; allowed: ") == true)
        #expect(findings.last?.hasSuffix("; did you mean title?") == true)
        #expect(
            findings.first
                == "apis/shop/api.json:3: $.validation: must be one of off, report, enforce; did you mean enforce?"
        )
    }

    @Test func `5 a path that nothing takes is told in the default form`() throws {
        let harness = try OwnHarness(["api.json": "{}"])
        let answer = try harness.get("/v1/nothing")
        #expect(answer.status == 404)
        #expect(answer.text == #"{"error":{"code":"not_found","message":"Nothing here takes this request."}}"#)
        #expect(answer["Content-Type"] == "application/json")
    }
}
