import CivilTime
import CustomAPIs
import TestSupport
import Testing

/// Reading `auth` of `api.json` (own-API contract, section 15).
@Suite struct Section15DeclarationTests {
    private static func findings(_ auth: String, _ more: String = "") -> [String] {
        CustomAPIHarness.findings(#"{"tables":{"users":{}},"auth":\#(auth)\#(more)}"#)
    }

    @Test func `15 the defaults are those of the contract`() throws {
        let reading = CustomAPIHarness.read(["api.json": #"{"auth":{}}"#, "tables/users.json": "[]"])
        let definition = try #require(reading.definition)
        let signIn = try #require(definition.signIn)
        expectEqual(signIn.identifier, "email")
        expectEqual(signIn.secret, "password")
        expectEqual(signIn.format, .jwt)
        expectEqual(signIn.grace, .zero)
        expectEqual(signIn.settings.accessSeconds, 900)
        expectEqual(signIn.settings.refreshSeconds, 2_592_000)
        expectEqual(signIn.settings.rotation, .rotate)
        expectEqual(signIn.refreshName, "refreshToken")
        expectEqual(signIn.codeName, "code")
        #expect(signIn.codes.lifetime == .minutes(10) && !signIn.codes.registers)
        #expect(definition.routes.isEmpty)
        expectEqual(definition.tables[0].writeOnly, ["password"])
    }

    @Test(arguments: [
        (#"{"logn":"/a"}"#, "$.auth.logn: unknown member; allowed: "),
        (#"{"tokens":{"acces":"PT1M"}}"#, "$.auth.tokens.acces: unknown member; allowed: "),
        (
            #"{"names":{"refesh":"x"}}"#,
            "$.auth.names.refesh: unknown member; allowed: refresh, code; did you mean refresh?"
        ),
        (#"{"code":{"request":"/a"}}"#, "$.auth.code: verify is required"),
        (#"{"code":{"request":"/a","verify":"/b","lifetme":"PT1S"}}"#, "$.auth.code.lifetme: unknown member"),
        (#"{"users":"usres"}"#, "$.auth.users: there is no table usres; did you mean users?"),
        (#"{"login":"v1/login"}"#, "$.auth.login: must be a path such as /v1/login, each parameter once"),
        (#"{"login":""}"#, "$.auth.login: must not be empty"),
        (#"{"secret":"email"}"#, "$.auth.secret: email is the identifier"),
        (#"{"secret":"id"}"#, "$.auth.secret: id is the key of users"),
        (#"{"tokens":{"format":"JWT"}}"#, "$.auth.tokens.format: must be one of jwt, opaque"),
        (
            #"{"tokens":{"rotation":"rotat"}}"#,
            "$.auth.tokens.rotation: must be one of rotate, reuse; did you mean rotate?"
        ),
        (#"{"tokens":{"access":"15m"}}"#, "$.auth.tokens.access: must be an ISO 8601 duration such as PT15M"),
        (#"{"tokens":{"refresh":"P1M"}}"#, "$.auth.tokens.refresh: must be an ISO 8601 duration such as PT15M"),
        (#"{"tokens":{"claims":{"sub":"x"}}}"#, "$.auth.tokens.claims.sub: is a claim that the emulator sets"),
        (#"{"tokens":{"format":"opaque","claims":{"a":1}}}"#, "$.auth.tokens.claims: an opaque token has no claims"),
        (#"{"tokens":{"claims":{"a":"{{usr.id}}"}}}"#, "$.auth.tokens.claims.a: {{usr.id}}: unknown placeholder"),
        (#"{"response":{"a":"{{acces}}"}}"#, "$.auth.response.a: {{acces}}: unknown placeholder"),
        (#"{"response":"x"}"#, "$.auth.response: must be an object, found string"),
        (#"{"open":["v1"]}"#, "$.auth.open[0]: must begin with / or a star"),
        (#"{"names":{"code":"email"}}"#, "$.auth.names.code: email is the identifier"),
        ("[]", "$.auth: must be an object, found array"),
    ])
    func `15 a mistake is told with its place`(auth: String, finding: String) {
        let findings = Self.findings(auth)
        expectEqual(findings.count, 1, "\(findings)")
        expectEqual(findings.first?.hasPrefix("apis/shop/api.json:1: " + finding), true, "\(findings)")
    }

    @Test func `15 the table of the users has to be declared`() {
        let findings = CustomAPIHarness.findings(#"{"auth":{"login":"/login"}}"#)
        expectEqual(findings, ["apis/shop/api.json:1: $.auth: there is no table users"])
    }

    @Test func `15 every lifetime has bounds, both included`() {
        func isTaken(_ member: String, _ duration: String) -> Bool {
            let auth =
                member == "lifetime"
                ? #"{"code":{"request":"/a","verify":"/b","lifetime":"\#(duration)"}}"#
                : #"{"tokens":{"\#(member)":"\#(duration)"}}"#
            return Self.findings(auth).isEmpty
        }
        for member in ["access", "refresh", "lifetime", "grace"] {
            #expect(isTaken(member, "PT1S") && isTaken(member, "P36525D"))
            #expect(!isTaken(member, "P36525DT1S") && !isTaken(member, "-PT1S"))
            expectEqual(isTaken(member, "PT0S"), member == "grace")
            expectEqual(isTaken(member, "PT1.5S"), member == "grace")
        }
    }

    @Test func `15 two routes of one method and shape name both places`() {
        let findings = CustomAPIHarness.findings(
            """
            {"tables":{"users":{}},
             "auth":{"login":"/v1/{a}",
                     "refresh":"/v1/{b}/"},
             "resources":[{"path":"/v1/{c}","table":"users","methods":["create"]}]}
            """
        )
        expectEqual(findings.count, 2, "\(findings)")
        let first = "as /v1/{a} at apis/shop/api.json:2, $.auth.login"
        expectEqual(findings.first?.hasPrefix("apis/shop/api.json:3: $.auth.refresh: "), true, "\(findings)")
        expectEqual(findings.last?.hasPrefix("apis/shop/api.json:4: $.resources[0].path: "), true, "\(findings)")
        #expect(findings.allSatisfy { $0.hasSuffix(first) }, "\(findings)")
    }

    @Test func `15 an owner needs auth`() {
        let resources = #""resources":[{"path":"/a","table":"users","owner":"id"}]"#
        expectEqual(CustomAPIHarness.findings(#"{"tables":{"users":{}},\#(resources)}"#).count, 1)
        expectEqual(CustomAPIHarness.findings(#"{"tables":{"users":{}},"auth":{},\#(resources)}"#), [])
    }
}
