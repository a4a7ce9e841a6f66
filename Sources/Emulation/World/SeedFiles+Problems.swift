import Synchronization

extension SeedFiles {
    /// Everything that is wrong with the seed and the scenarios of an API; none if they can be used.
    ///
    /// What does not fit between tables is only told of tables whose forms are right: rows that could not be read would
    /// seem to be missing.
    package static func problems<API: EmulatedAPI>(in files: SeedFiles, of api: API.Type) -> [SeedError.Item] {
        var files = files
        let notes = SeedProblems()
        files.problems = notes
        var found: [SeedError.Item] = []
        do throws(SeedError) {
            _ = try API.readSeed(files)
        } catch {
            found = error.items
        }
        let malformed = notes.items.withLock { $0 }
        if !malformed.isEmpty { found = malformed }
        do throws(SeedError) {
            _ = try Scenario.read(api, files, SettingTree(API.settings))
        } catch {
            found += error.items
        }
        return found
    }
}
