package import Backend
package import Worlds

extension Emulator {
    /// The register of secrets that all worlds have issued.
    package var issued: IssuedSecrets { configuration.issued }

    /// Notes the secrets in the rows of every world, for a state folder without a register of its own.
    package func noteStoredSecrets() {
        for name in worldNames {
            guard let hosted = self[world: name] else { continue }
            note(secretsOf: hosted.world)
            for snapshot in hosted.snapshots { note(secretsOf: snapshot.world) }
        }
    }

    /// Notes the secrets in the seeds that were read from files.
    ///
    /// A store outlives the files, so with `isKept` the secrets go into its register as well.
    package func noteGivenSeeds(isKept: Bool) {
        for api in apis where !api.isOfBuild { note(seedOf: api, isKept: isKept) }
    }

    /// Notes the secrets in the seeds of these APIs, which are read for that if necessary.
    package func note(seeds: [AnyAPI]) { for api in seeds { note(seedOf: api, isKept: false) } }

    private func note(seedOf api: AnyAPI, isKept: Bool) {
        for secret in api.seedSecrets() {
            if isKept { issued.note(secret) }
            issued.note(known: secret)
        }
    }

    private func note(secretsOf world: World) { apis.noteSecrets(of: world, in: issued) }
}

extension [AnyAPI] {
    /// Notes the secrets in the rows of a world that another process made.
    func noteSecrets(of world: World, in issued: IssuedSecrets) {
        for index in indices where world.parts[index].box != nil {
            for secret in self[index].secrets(world, index) { issued.note(secret) }
        }
    }
}
