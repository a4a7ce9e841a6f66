package import Backend

extension SeedFiles {
    /// Returns everything that is wrong with the seed and the scenarios of an API; nothing if they can be used.
    ///
    /// Checks between tables cover only tables whose rows could be read: unreadable rows would seem to be missing.
    package static func problems<State>(in files: SeedFiles, of api: APIDefinition<State>) -> [SeedError.Item] {
        var files = files.held(to: api)
        var found: [SeedError.Item] = []
        var isRead = false
        while !isRead {
            isRead = true
            do throws(SeedError) {
                _ = try api.readSeed(files)
            } catch {
                if let table = error.table {
                    found += error.items
                    isRead = !files.malformed.insert(table).inserted
                } else if files.malformed.isEmpty {
                    found = error.items
                }
            }
        }
        do throws(SeedError) {
            _ = try Scenario.read(api, files, SettingTree(api.settings()))
        } catch {
            found += error.items
        }
        return found
    }
}
