extension Emulator {
    /// Takes the same APIs with other seeds; worlds that are made or reset from here on begin with them.
    package func replaceSeeds(_ apis: [AnyAPI]) {
        precondition(apis.map(\.identity.name) == apiNames, "other APIs than those that were started")
        self.apis = apis
    }
}
