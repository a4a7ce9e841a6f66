import Foundation
import HTTPMessage
import JSON
import Testing

/// Console contract, section 10: the modules' types are those of the control API.
@Suite struct ControlTypesTests {
    /// `UNDERSTUDY_WRITE=types` writes them instead, which is `make console-types`.
    @Test func `console 10 the type declarations are those of the OpenAPI document`() throws {
        let wanted = ControlTypes(try Harness().call(.get, "/openapi.json").json).text
        #expect(wanted.contains("export type Clock = { mode:"))
        #expect(wanted.contains("K extends `GET /requests/${string}` ? Request :"))
        if ProcessInfo.processInfo.environment["UNDERSTUDY_WRITE"] == "types" {
            try Data(wanted.utf8).write(to: ControlTypes.place)
        } else {
            let present = try String(contentsOf: ControlTypes.place, encoding: .utf8)
            let isCurrent = present == wanted
            #expect(
                isCurrent,
                "Sources/Console/Web/control.d.ts is not what the document says: run `make console-types`"
            )
        }
        #expect(wanted.split(separator: "\n", omittingEmptySubsequences: false).count <= 400)
    }
}
