import Backend
import Foundation
import JSON
import TestSupport
import Testing
import Understudy
import UnderstudyServer
import Worlds

/// Control contract, section 4: every stored number has a declared range.
@Suite struct StateRangeTests {
    @Test func `4 every number of a state has a range, as the types and as a used world have them`() throws {
        for api in try APICatalogue.load(APICatalogue.names, from: .builtIn) {
            let name = api.identity.name
            expectEqual(api.stateForm.numbersWithoutRange(), [], "\(name)")
            let server = try UnderstudyServer.start([API(name)])
            let port = try #require(server.hub.port)
            try ImportWalk(name, hub: port).useEverything()
            let document = try Wire(port: port).ask("GET", "/__admin/state").json
            let parts = try #require(document["apis"]?[name]?.objectValue).members
            for part in parts where part.name != "epoch" {
                expectEqual(api.stateForm.undeclared(part.name, part.value), [], "\(name)")
            }
        }
    }
}
