package import Backend
import Basics
import Foundation
package import Worlds

/// The seed files of the checkout.
package enum SeedFolder {
    private static let made = Locked<[String: AnyAPI]>([:])

    /// An API with its seed, read once in a test run.
    package static func api<State>(_ api: APIDefinition<State>) throws -> AnyAPI {
        try made.withLock { made in
            if let found = made[api.identity.name] { return found }
            let read = try AnyAPI(api, seed: files(of: api.identity.name))
            made[api.identity.name] = read
            return read
        }
    }

    /// Those of an API in the order of their names, one of them perhaps with another text.
    package static func files(of api: String, replacing name: String? = nil, with text: String = "") throws -> SeedFiles
    {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = root.appendingPathComponent("seeds/\(api)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        return SeedFiles(
            try names.sorted().map { file in
                let bytes =
                    file == name ? Array(text.utf8) : Array(try Data(contentsOf: folder.appendingPathComponent(file)))
                return SeedFiles.File(name: file, place: "seeds/\(api)/\(file)", bytes: bytes)
            }
        )
    }
}
