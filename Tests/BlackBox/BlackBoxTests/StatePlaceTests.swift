import Foundation
import TestSupport
import Testing

/// Control contract, sections 4, 17 and 18: what stands at the places of a store's files.
@Suite struct StatePlaceTests {
    private static let name = "understudy.sqlite"

    /// Starts on a folder that can't be used, and answers what was said about it.
    private func refusal(_ folder: Folder) throws -> String {
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        let result = try Program.run(["serve", "--port", "0", "--state", folder.url.path])
        expectEqual(result.status, 2)
        expectEqual(result.output, "")
        expectEqual(result.errors.split(separator: "\n", omittingEmptySubsequences: false).count, 2, "\(result.errors)")
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted(), before)
        return result.errors
    }

    private func path(_ folder: Folder, _ suffix: String = "") -> String { "\(folder.url.path)/\(Self.name)\(suffix)" }

    /// A folder with a good store, closed in good order.
    private func good() throws -> Folder {
        let folder = try Folder()
        let served = try Served(["--state", folder.url.path])
        served.child.signal(SIGTERM)
        try expectEqual(served.child.waitForExit(), 143)
        return folder
    }

    @Test func `18 a store that is a link is refused, wherever it leads`() throws {
        let good = try good()
        let bytes = try Data(contentsOf: good.url.appendingPathComponent(Self.name))
        let inside = try Folder()
        try bytes.write(to: inside.url.appendingPathComponent("other.sqlite"))
        for (folder, target) in [
            (try Folder(), path(good)), (try Folder(), "/nowhere/at-all"), (inside, "other.sqlite"),
            (try Folder(), "../\(good.url.lastPathComponent)/\(Self.name)"), (try Folder(), Self.name),
            (try Folder(), "/dev/null"), (try Folder(), "/"),
        ] {
            try FileManager.default.createSymbolicLink(atPath: path(folder), withDestinationPath: target)
            #expect(try refusal(folder).contains("\(path(folder)) is a symbolic link"), "\(target)")
        }
        try expectEqual(Data(contentsOf: good.url.appendingPathComponent(Self.name)), bytes)
        // The folder itself may be one: whoever starts the server names it.
        let beside = try Folder()
        let link = beside.url.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: good.url.path)
        _ = try Served(["--state", link])
        try FileManager.default.createSymbolicLink(atPath: link + "2", withDestinationPath: "/nowhere/at-all")
        let result = try Program.run(["serve", "--port", "0", "--state", link + "2"])
        #expect(result.status == 2 && result.errors.contains("is a broken symbolic link"))
    }

    @Test func `18 a store with a second name is refused, and its copy taken`() throws {
        let good = try good()
        let bytes = try Data(contentsOf: good.url.appendingPathComponent(Self.name))
        let folder = try Folder()
        try FileManager.default.linkItem(atPath: path(good), toPath: path(folder))
        // Both names are of one file, so neither is written.
        for place in [folder, good] {
            let text = try refusal(place)
            #expect(text.contains("\(path(place)) has 2 names (hard links)") && text.contains("copy"), "\(text)")
        }
        try expectEqual(Data(contentsOf: good.url.appendingPathComponent(Self.name)), bytes)
        try FileManager.default.removeItem(atPath: path(folder))
        try bytes.write(to: folder.url.appendingPathComponent(Self.name))
        for place in [folder, good] { _ = try Served(["--state", place.url.path]) }
    }

    @Test func `18 a folder, a pipe, a socket or an empty file in the store's place is named for what it is`() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: path(folder), withIntermediateDirectories: false)
        #expect(try refusal(folder).contains("is a folder"))
        let pipe = try Folder()
        expectEqual(mkfifo(path(pipe), 0o600), 0)
        #expect(try refusal(pipe).contains("is a pipe"))
        let empty = try Folder([Self.name: ""])
        #expect(try refusal(empty).contains("is empty"))
    }

    @Test(arguments: ["-wal", "-shm", "-journal", ".unfinished"])
    func `18 a link or a folder in the place of a side file is named, with a store and without`(suffix: String) throws {
        for folder in [try Folder(), try good()] {
            let target = try Folder(["log": ""])
            let link = path(folder, suffix)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target.url.path + "/log")
            #expect(try refusal(folder).contains("\(link) is a symbolic link"))
            try expectEqual(String(contentsOfFile: target.url.path + "/log", encoding: .utf8), "")
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.createDirectory(atPath: link, withIntermediateDirectories: false)
            #expect(try refusal(folder).contains("\(link) is a folder"))
        }
    }

    @Test(arguments: [Int32(-1), 0, .min, 99])
    func `4 a format that no build has written is damage, a higher one is of a newer build`(format: Int32) throws {
        let folder = try good()
        let file = folder.url.appendingPathComponent(Self.name)
        var bytes = try Data(contentsOf: file)
        // SQLite keeps `user_version` as a number with a sign at this place.
        for place in 0..<4 { bytes[60 + place] = UInt8(truncatingIfNeeded: format >> Int32(24 - 8 * place)) }
        try bytes.write(to: file)
        let text = try refusal(folder)
        #expect(text.contains(format > 3 ? "was written by a newer Understudy (format 99," : "is damaged"), "\(text)")
        #expect(!text.contains("4294967"))
        try expectEqual(Data(contentsOf: file), bytes)
    }

    @Test func `4 what is said of a damaged page is one line`() throws {
        let folder = try good()
        let file = folder.url.appendingPathComponent(Self.name)
        let bytes = try Data(contentsOf: file)
        var isFound = false
        for page in stride(from: 2, to: min(40, bytes.count / 4_096), by: 3) {
            var bad = bytes
            for place in page * 4_096..<page * 4_096 + 64 { bad[place] = 0x5A }
            try bad.write(to: file)
            let text = try refusal(folder)
            #expect(text.contains("is damaged"))
            isFound = isFound || text.contains("in database main")
            try expectEqual(Data(contentsOf: file), bad)
            if isFound { break }
        }
        #expect(isFound)
    }

    @Test func `17 a limit of file sizes is a full disk, and no signal`() throws {
        let folder = try Folder()
        // 50 kB are too few for a store.
        let child = try Child(
            ["serve", "--port", "0", "--state", folder.url.path],
            prelude: "ulimit -f 100"
        )
        try expectEqual(child.waitForExit(), 2)
        #expect(try child.errors().contains("--state: \(path(folder)) "))
    }
}
