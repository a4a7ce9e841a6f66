import Backend
import Foundation
import TestSupport
import Testing
import Understudy
import Worlds

/// The sources of seeds (control contract, section 6).
struct SeedSourceTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("seeds").path

    @Test(arguments: APICatalogue.names)
    func `6 the built-in copy is the seed folder`(api: String) throws {
        let builtIn = try SeedSource.builtIn.files(api: api).files.sorted { $0.name < $1.name }
        let folder = try SeedSource.folder(Self.root).files(api: api).files.sorted { $0.name < $1.name }
        expectEqual(builtIn.map(\.name), folder.map(\.name))
        for (left, right) in zip(builtIn, folder) {
            // A text literal may end in one line feed more or less than its file.
            let text = String(decoding: right.bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
            expectEqual(
                String(decoding: left.bytes, as: UTF8.self).trimmingCharacters(in: .newlines),
                text,
                "\(left.name)"
            )
        }
    }

    @Test func `6 the seed folder has no member that nobody knows`() throws {
        // Read from the folder, every row is checked for unknown members, which the built-in copy relies on.
        #expect(throws: Never.self) { try APICatalogue.load(APICatalogue.names, from: .folder(Self.root)) }
    }

    @Test func `18 a link that leads out of the seed folder is refused`() throws {
        let work = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: work) }
        let folder = work.appendingPathComponent("seeds/omnichat")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let outside = work.appendingPathComponent("outside.json")
        try Data("[]".utf8).write(to: outside)
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("users.json"),
            withDestinationURL: outside
        )
        let seeds = SeedSource.folder(work.appendingPathComponent("seeds").path)
        #expect(throws: SeedError.self) { try seeds.files(api: "omnichat") }
        // A folder that is a link is refused as well, and so is one of scenarios.
        try FileManager.default.removeItem(at: folder.appendingPathComponent("users.json"))
        #expect(try seeds.files(api: "omnichat").isBuiltIn)
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("scenarios"),
            withDestinationURL: work
        )
        #expect(throws: SeedError.self) { try seeds.files(api: "omnichat") }
        try FileManager.default.removeItem(at: folder)
        try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: work)
        #expect(throws: SeedError.self) { try seeds.files(api: "omnichat") }
    }

    @Test func `7 own scenarios stand beside ours, on our tables, and one of the same name replaces ours`() throws {
        let work = try Folder()
        let scenario = #"{"title":"Mine","expect":"Nothing","settings":{"rateLimits":"off"}}"#
        try work.write("omnichat/scenarios/mine.json", scenario)
        try work.write("omnichat/scenarios/unicode.json", scenario)
        let ours = try APICatalogue.load(["omnichat"], from: .builtIn)[0].scenarios
        let both = try APICatalogue.load(["omnichat"], from: .folder(work.url.path))[0].scenarios
        expectEqual(both.count, ours.count + 1)
        expectEqual(both.filter { $0.title == "Mine" }.map(\.name).sorted(), ["omnichat/mine", "omnichat/unicode"])
        // A typo in a file of one's own is found, although the tables are ours.
        try work.write("omnichat/scenarios/mine.json", #"{"title":"Mine","expect":"Nothing","setings":{}}"#)
        #expect(throws: SeedError.self) { try APICatalogue.load(["omnichat"], from: .folder(work.url.path)) }
    }

    @Test func `6 a folder that is named as no API is refused with the nearest name`() throws {
        let work = try Folder(["omnichatt/users.json": "[]", "omnichat/scenarios/readme.txt": ""])
        #expect {
            try SeedSource.folder(work.url.path).files(api: "omnichat")
        } throws: { error in
            (error as? SeedError)?.items.first?.reason == "there is no API of that name; did you mean omnichat?"
        }
    }
}
