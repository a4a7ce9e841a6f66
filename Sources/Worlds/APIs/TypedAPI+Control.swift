package import Backend
package import JSON

extension TypedAPI {
    package func settingFaults(_ settings: JSON) -> [Problem.Item] {
        tree.faults(in: settings, at: "$.\(API.identity.name)")
    }

    package func readSettings(_ world: World, _ index: Int) -> JSON {
        tree.read(world.state(index, API.State.self))
    }

    package func writeSettings(_ world: inout World, _ index: Int, _ settings: JSON) -> [Problem.Item] {
        world.with(index, API.State.self) { state, _ in
            tree.write(settings, to: &state, at: "$.\(API.identity.name)")
        }
    }

    package func mint(_ world: inout World, _ index: Int, _ order: TokenOrder) -> Result<MintedToken, Problem> {
        let epoch = world.parts[index].epoch
        return world.with(index, API.State.self) { state, core in
            // Every run of the command line starts at the same state, so its ids and sessions need a salt of their own.
            if order.isOffline { core.randomness.salt = order.distinction(at: core.now) }
            defer { core.randomness.salt = 0 }
            return Self.result { () throws(Problem) in
                try API.mintToken(order, state: &state, core: &core, epoch: epoch)
            }
        }
    }

    package func endTokens(_ world: inout World, _ index: Int, _ ending: TokenEnding) -> Bool {
        world.with(index, API.State.self) { state, core in API.endTokens(ending, state: &state, core: &core) }
    }

    package func endCredential(
        _ world: inout World,
        _ index: Int,
        _ credential: String,
        _ manner: TokenEnding.Manner
    ) -> Bool {
        world.with(index, API.State.self) { state, core in
            API.endCredential(credential, manner, state: &state, core: &core)
        }
    }

    package func appleKeys(_ world: World, _ index: Int) -> JSON {
        API.appleKeys(state: world.state(index, API.State.self))
    }

    package func ledger(_ world: World, _ index: Int) -> Ledger {
        API.ledger(of: world.state(index, API.State.self), now: world.core.now, epoch: world.parts[index].epoch)
    }

    package func qrPayload(_ world: inout World, _ index: Int, _ order: QROrder) -> Result<QRPayload?, Problem> {
        world.with(index, API.State.self) { state, core in
            Self.result { () throws(Problem) in try API.qrPayload(order, state: &state, core: &core) }
        }
    }

    package func qrOffers(_ world: World, _ index: Int) -> [QROffer] {
        API.qrOffers(state: world.state(index, API.State.self))
    }

    private static func result<Value>(_ make: () throws(Problem) -> Value) -> Result<Value, Problem> {
        do throws(Problem) {
            return .success(try make())
        } catch {
            return .failure(error)
        }
    }
}
