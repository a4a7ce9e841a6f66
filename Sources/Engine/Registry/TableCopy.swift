package import Backend
import Conditions
import JSON
import Journal
package import Worlds

extension Emulator {
    /// A copy of a world and of its beginning, to read their tables elsewhere.
    package struct TableCopy {
        package let world: World
        private let origin: WorldOrigin?

        fileprivate init(_ hosted: HostedWorld) {
            world = hosted.world.withoutJournal
            origin = hosted.origin
        }

        /// Returns the rows of a table as the world began with them: its making, its fork or its last reset.
        package func originalRows(ofTable name: String, _ index: Int) -> [TableRow] {
            if let origin { return origin.world.rows(ofTable: name, index) }
            return world.parts[index].api.stateForm.rows(world.begun(nil, index), name)
        }

        /// Returns the users of a part, what they hold that is good in this world, and what ends.
        package func ledger(_ index: Int, of api: AnyAPI) -> Ledger {
            var ledger = api.ledger(world, index)
            for names in world.foreign where names.api == api.identity.name { names.leave(&ledger) }
            // A fork does not take the tokens of its source (control contract, section 4).
            if let box = origin?.foreignState(index) {
                var source = world
                source.put(box, at: index)
                CredentialNames(api.identity.name, api.ledger(source, index)).leave(&ledger)
            }
            return ledger
        }
    }

    package func tables(of hosted: HostedWorld) -> TableCopy { TableCopy(hosted) }
}
