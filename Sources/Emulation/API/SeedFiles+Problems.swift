extension SeedFiles {
    /// Everything that is wrong with the seed and the scenarios of an API; none if they can be used.
    ///
    /// What does not fit between tables is only told of tables whose forms are right: rows that could not be read would
    /// seem to be missing.
    package static func problems<API: EmulatedAPI>(in files: SeedFiles, of api: API.Type) -> [SeedError.Item] {
        var files = files.held(to: api)
        var found: [SeedError.Item] = []
        var isRead = false
        while !isRead {
            isRead = true
            do throws(SeedError) {
                _ = try API.readSeed(files)
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
            _ = try Scenario.read(api, files, SettingTree(API.settings))
        } catch {
            found += error.items
        }
        return found
    }
}
