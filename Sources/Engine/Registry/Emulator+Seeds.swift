import Backend
package import Worlds

extension Emulator {
    /// Replaces the seeds of the APIs.
    ///
    /// Worlds that are made or reset from here on begin with the new ones.
    package func replaceSeeds(_ apis: [AnyAPI]) {
        precondition(apis.map(\.identity.name) == apiNames, "not the APIs that were started")
        for (old, new) in zip(self.apis, apis) where old !== new {
            documents[new.identity.name] = nil
            documents["https " + new.identity.name] = nil
        }
        self.apis = apis
        renewSeedStubs()
    }
}
