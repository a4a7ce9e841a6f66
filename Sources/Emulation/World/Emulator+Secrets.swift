extension Emulator {
    /// What all worlds together have issued.
    package var issued: IssuedSecrets { configuration.issued }

    /// Notes the secrets in the rows of every world, for a state folder without a register of its own.
    package func noteStoredSecrets() {
        for name in worldNames {
            guard let slot = self[world: name] else { continue }
            note(secretsOf: slot.world)
            for snapshot in slot.snapshots { note(secretsOf: snapshot.world) }
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
