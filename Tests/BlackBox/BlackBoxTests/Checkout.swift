import Foundation

/// The files of this repository that tests read, and what they know of the program.
enum Checkout {
    /// The built-in APIs in the order of their ports.
    static let apis = ["sawaed", "carbscan", "omnichat", "trafikskola", "trendy"]
    static let version = "0.1.0"

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    struct SeedFile {
        /// The path below the API's folder.
        var name: String
        var bytes: [UInt8]
    }

    /// The files of a built-in seed by their names; `SeedSourceTests` holds that the program has the same.
    static func seeds(_ api: String) throws -> [SeedFile] {
        let folder = root.appending(path: "seeds/\(api)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        return try names.sorted()
            .map { SeedFile(name: $0, bytes: Array(try Data(contentsOf: folder.appending(path: $0)))) }
    }
}
