import Foundation
import JSON
import TestSupport
import Testing

/// Control contract, section 4: a store of the former format is converted with its sessions, and a crash during that
/// loses nothing.
@Suite(.serialized) struct FormerStoreTests {
    private static let flags = Served.frozen + ["--state", "state"]

    /// A folder with the store that a former build has written.
    ///
    /// That of format 2 has worlds with the seed of a Wednesday and of a Saturday, changed ones and reset ones.
    private static func folder(_ format: Int = 1) throws -> Folder {
        let packed = Checkout.root.appendingPathComponent("Tests/Vectors/state/format-\(format).sqlite.gz")
        let folder = try Folder(["state/none": ""])
        let unpack = ChildProcess()
        unpack.executableURL = URL(filePath: "/bin/sh")
        unpack.arguments = [
            "-c", "gunzip -c \"$0\" >\"$1\"", packed.path, folder.url.path + "/state/understudy.sqlite",
        ]
        try unpack.run()
        unpack.waitUntilExit()
        return folder
    }

    /// The format that the file says (SQLite file format, section 1.3.12).
    private static func format(_ folder: Folder) throws -> UInt8 {
        try Data(contentsOf: folder.url.appendingPathComponent("state/understudy.sqlite"))[63]
    }

    /// The credential that the former build issued, according to its journal.
    private static func session(_ served: Served) throws -> String {
        let items = try served.control("GET", "/requests").json["items"]?.arrayValue ?? []
        let fields = items.last?["headers"]?.arrayValue?.first { $0[0] == "Authorization" }
        return try #require(fields?[1]?.stringValue?.split(separator: " ").last.map(String.init))
    }

    private static func titles(_ served: Served, _ token: String) throws -> [String] {
        let answer = try served.chat("GET", "/conversations?limit=100", token: token)
        expectEqual(answer.status, 200, "\(answer.text.prefix(200))")
        return (answer.json["conversations"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
    }

    @Test func `4 whoever was signed in with the former build is still, before and after a restart in the new format`()
        throws
    {
        let folder = try Self.folder()
        try expectEqual(Self.format(folder), 1)
        var token = ""
        for round in 0..<3 {
            let served = try Served(Self.flags, in: folder)
            if round == 0 { token = try Self.session(served) }
            let found = try Self.titles(served, token)
            #expect(found.contains("before") && found.contains("after"), "round \(round)")
            expectEqual(found.filter { $0 == "made since" }.count, round)
            #expect(try served.chat("POST", "/conversations", #"{"title":"made since"}"#, token: token).status < 300)
            // A session ends in the new format as in the former one.
            if round == 2 {
                _ = try served.control("POST", "/users/test@icloud.com/revoke", #"{"tokens":"all"}"#)
                try expectEqual(served.chat("GET", "/conversations", token: token).status, 401)
            }
            served.child.signal(round == 0 ? SIGKILL : SIGTERM)
            _ = try served.child.waitForExit()
        }
        try expectEqual(Self.format(folder), 3)
        try expectEqual(Served(Self.flags, in: folder).chat("GET", "/conversations", token: token).status, 401)
    }

    /// Whether a store has what the former build has written.
    private static func check(_ served: Served, _ format: Int) throws {
        if format == 1 {
            #expect(try Set(titles(served, session(served))).isSuperset(of: ["before", "after"]))
            try expectEqual(served.control("POST", "/snapshots/s/restore").status, 200)
            return
        }
        for (world, name) in [
            ("main", "in main"), ("w1", "later in w1"), ("w3", "after the part"), ("fork", "in fork"), ("w2", nil),
            ("saturday", nil),
        ] {
            let users = try served.control("GET", "/state/trafikskola/users?changed=true", world: world).json["items"]
            let found = (users?.arrayValue ?? []).map { $0["row"]?["firstName"]?.stringValue }
            expectEqual(found, name.map { [$0] } ?? [], "\(world)")
        }
        let days = try ["main", "saturday", "w2"].map {
            try served.control("GET", "/state/trendy/events?limit=1000", world: $0).text
        }
        #expect(days[0] != days[1] && days[0] == days[2])
        try expectEqual(served.control("POST", "/snapshots/s/restore", world: "w1").status, 200)
    }

    @Test(arguments: [1, 2])
    func `4 a kill in the midst of taking over leaves a store that can be read`(former: Int) throws {
        let folder = try Self.folder(former)
        var formats: Set<UInt8> = []
        for round in 0..<24 {
            // Later in each round, so that some come before the migration, some within and some behind it; the first one
            // stops before it begins, or a test that sleeps on a busy machine might come behind it at once.
            let child = try Child(
                ["serve", "--port", "0", "--quiet"] + Self.flags,
                in: folder,
                prelude: round == 0 ? "kill -STOP $$" : nil
            )
            usleep(UInt32(round) * 4_000)
            child.signal(SIGKILL)
            _ = try child.waitForExit()
            formats.insert(try Self.format(folder))
        }
        #expect(formats.contains(UInt8(former)) && formats.isSubset(of: [UInt8(former), 3]))
        try Self.check(Served(Self.flags, in: folder), former)
    }

    @Test(arguments: [1, 40, 80, 120, 160, 400], [1, 2])
    func `4 a disk that is full in the midst of taking over leaves a store that can be read`(blocks: Int, former: Int)
        throws
    {
        let folder = try Self.folder(former)
        let child = try Child(
            ["serve", "--port", "0", "--quiet"] + Self.flags,
            in: folder,
            prelude: "ulimit -f \(blocks)"
        )
        try Deadline().wait(for: "the end, or the ready line") {
            try !child.isRunning || child.output().hasSuffix("\n")
        }
        if child.isRunning { child.signal(SIGKILL) }
        let status = try child.waitForExit()
        #expect(blocks > 1 || status == 2)
        try Self.check(Served(Self.flags, in: folder), former)
    }
}
