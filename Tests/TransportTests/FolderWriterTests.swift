import Foundation
import TestSupport
import Testing

@testable import Transport

/// Folders that are made whole or not at all (own-API contract, section 23).
@Suite struct FolderWriterTests {
    /// A folder for one test, which goes with it.
    private final class Work {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("understudy-\(UUID().uuidString)").path

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var entries: [String] {
            (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
        }
    }

    private static func file(_ path: String, _ text: String = "x") -> FolderWriter.File {
        FolderWriter.File(
            components: path.split(separator: "/", omittingEmptySubsequences: false).map(String.init),
            bytes: Array(text.utf8),
            isPrivate: false
        )
    }

    @Test func `23 a folder is written with its files, and the one around it if need be`() throws {
        let work = try Work()
        let large = String(repeating: "y", count: 3_000_000)
        try FolderWriter.create("a", below: work.path + "/in", files: [Self.file("b/c/d"), Self.file("b/e", large)])
        expectEqual(work.entries, ["in", "in/a", "in/a/b", "in/a/b/c", "in/a/b/c/d", "in/a/b/e"])
        try expectEqual(FolderReader.contents(ofFile: work.path + "/in/a/b/e").count, 3_000_000)
    }

    @Test(arguments: ["../e", "b//e", "b/./e", "", String(repeating: "n", count: 300), "b/c/d", "b/c"])
    func `23 a failed write leaves nothing behind`(_ last: String) throws {
        let work = try Work()
        #expect(throws: FolderWriter.Refusal.self) {
            try FolderWriter.create("a", below: work.path + "/in", files: [Self.file("b/c/d"), Self.file(last)])
        }
        expectEqual(work.entries, [])
    }

    @Test func `23 what has the name is never replaced`() throws {
        let work = try Work()
        try FileManager.default.createDirectory(atPath: work.path + "/a", withIntermediateDirectories: false)
        #expect(throws: FolderWriter.Refusal.exists) {
            try FolderWriter.create("a", below: work.path, files: [Self.file("b")])
        }
        try FileManager.default.createSymbolicLink(atPath: work.path + "/l", withDestinationPath: "nowhere")
        #expect(throws: FolderWriter.Refusal.exists) {
            try FolderWriter.create("l", below: work.path, files: [Self.file("b")])
        }
        expectEqual(work.entries, ["a", "l"])
    }

    @Test func `23 files are put into a folder that is there, whole, and through no link`() throws {
        let work = try Work()
        try FolderWriter.create("a", below: work.path, files: [Self.file("api.json", "old"), Self.file("t/x", "kept")])
        try FolderWriter.put(
            [Self.file("api.json", "new"), Self.file("t/y"), Self.file("u/z")],
            in: "a",
            below: work.path
        )
        expectEqual(work.entries, ["a", "a/api.json", "a/t", "a/t/x", "a/t/y", "a/u", "a/u/z"])
        for (path, text) in [("api.json", "new"), ("t/x", "kept"), ("t/y", "x")] {
            try expectEqual(FolderReader.contents(ofFile: work.path + "/a/" + path), Array(text.utf8))
        }
        let before = work.entries
        try FileManager.default.createSymbolicLink(atPath: work.path + "/a/l", withDestinationPath: "../elsewhere")
        try FileManager.default.createSymbolicLink(atPath: work.path + "/m", withDestinationPath: "a")
        for (path, folder) in [
            ("l/x", "a"), ("../x", "a"), ("t/..", "a"), ("", "a"), ("t", "a"), ("x", "m"), ("x", "none"),
        ] {
            #expect(throws: FolderWriter.Refusal.self, "\(path)") {
                try FolderWriter.put([Self.file(path)], in: folder, below: work.path)
            }
        }
        expectEqual(work.entries.filter { $0 != "a/l" && $0 != "m" }, before)
        // A link in the place of a file is replaced, and what it leads to stays.
        try FileManager.default.createSymbolicLink(atPath: work.path + "/a/t/k", withDestinationPath: "x")
        try FolderWriter.put([Self.file("t/k", "own")], in: "a", below: work.path)
        try expectEqual(FolderReader.contents(ofFile: work.path + "/a/t/x"), Array("kept".utf8))
    }

    @Test func `23 what can't be written is told by its path and the system's reason`() throws {
        let work = try Work()
        try Data("x".utf8).write(to: URL(filePath: work.path + "/file"))
        var places = [work.path + "/file/in"]
        #if os(Linux)
        // Nobody makes a folder there, and its name leads nowhere.
        places.append("/sys/understudy-\(UUID().uuidString)")
        #endif
        for place in places {
            do throws(FolderWriter.Refusal) {
                try FolderWriter.create("a", below: place, files: [])
                Issue.record("\(place) was made")
            } catch {
                guard case .failed(let path, let reason) = error else {
                    Issue.record("\(error)")
                    continue
                }
                expectEqual(path, place)
                #expect(reason != "\(Errno.missing)", "\(reason)")
            }
        }
        let name = String(repeating: "n", count: 300)
        let tooLong = FolderWriter.Refusal.failed(path: work.path + "/" + name, reason: "\(Errno(code: ENAMETOOLONG))")
        #expect(throws: tooLong) { try FolderWriter.create(name, below: work.path, files: []) }
    }

    @Test func `1 what can't be read has a reason for people`() throws {
        let work = try Work()
        for (path, reason) in [
            ("none", "there is no such file"), ("none/none", "there is no such file"),
            (".", "this is a folder, not a file"), ("/dev/null", "this is not a regular file"),
            (String(repeating: "n", count: 300), "the file can't be read: \(Errno(code: ENAMETOOLONG))"),
        ] {
            do throws(Errno) {
                _ = try FolderReader.contents(ofFile: path.hasPrefix("/") ? path : "\(work.path)/\(path)")
                Issue.record("\(path) was read")
            } catch {
                expectEqual(error.unreadable, reason)
            }
        }
    }

    @Test func `23 a tree follows links that stay in it, and no others`() throws {
        let work = try Work()
        let tree = FolderTree(work.path + "/a")
        expectEqual(tree.look(at: []), .missing)
        try FolderWriter.create("a", below: work.path, files: [Self.file("b/c", "12345"), Self.file("d")])
        try FolderWriter.create("z", below: work.path, files: [Self.file("secret")])
        let manager = FileManager.default
        for (name, target) in [("in", "b/c"), ("folder", "b"), ("out", "../z/secret"), ("loop", "."), ("gone", "no")] {
            try manager.createSymbolicLink(atPath: work.path + "/a/\(name)", withDestinationPath: target)
        }
        let whole = FolderTree(work.path + "/a")
        expectEqual(whole.look(at: ["b", "c"]), .file(5))
        expectEqual(whole.look(at: ["in"]), .file(5))
        expectEqual(whole.look(at: ["folder"]), .folder)
        expectEqual(whole.look(at: ["out"]), .refused("is a link that leads out of the folder"))
        expectEqual(whole.look(at: ["loop"]), .refused("is a link to a folder around it"))
        expectEqual(whole.look(at: ["gone"]), .refused("is a link that leads nowhere, or can't be reached"))
        expectEqual(whole.look(at: ["none"]), .missing)
        expectEqual(whole.contents(of: ["in"], limit: 5), Array("12345".utf8))
        expectNil(whole.contents(of: ["in"], limit: 4))
        expectEqual(whole.contents(of: ["folder", "c"], limit: 5), Array("12345".utf8))
        expectNil(whole.contents(of: ["out"], limit: 5))
        expectNil(whole.contents(of: ["..", "z", "secret"], limit: 5))
        expectEqual(whole.names(in: ["folder"]), ["c"])
    }
}
