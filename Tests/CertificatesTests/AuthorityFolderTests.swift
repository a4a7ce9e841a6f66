import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Certificates

/// The folder of the authority (transport contract, section 4).
@Suite struct AuthorityFolderTests {
    private static let now = AuthorityTests.now
    private static let names = ["issuer.key", "issuer.pem", "leaf.key", "root.pem"]

    private let scratch: Scratch
    private let place: String

    init() throws {
        scratch = try Scratch()
        place = "\(scratch.path)/data/understudy/ca"
    }

    @discardableResult
    private func open(_ options: Authority.Options = .init(), now: Instant = now) throws -> AuthorityFolder.Opened {
        try AuthorityFolder.open(place, options: options, owner: "a@b", now: now)
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    /// The kind of the refusal; nil if it opens.
    private func refusal(now: Instant = now) -> CertificateError? {
        do {
            try open(now: now)
            return nil
        } catch {
            return error as? CertificateError
        }
    }

    @Test func `4 it is made once, with its modes, and found again`() throws {
        let made = try open()
        #expect(made.wasMade && made.warnings.isEmpty)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: place).sorted(), Self.names)
        try expectEqual(mode(place), 0o700)
        for name in Self.names { try expectEqual(mode("\(place)/\(name)"), name.hasSuffix("key") ? 0o600 : 0o644) }
        let found = try open()
        #expect(!found.wasMade)
        expectEqual(found.authority.root.der, made.authority.root.der)
        expectEqual(found.authority.leafKey.publicKeyInfo, made.authority.leafKey.publicKeyInfo)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: scratch.path + "/data/understudy"), ["ca"])
    }

    @Test(arguments: [mode_t(0), 0o022, 0o077])
    func `4 the modes don't follow from the umask`(mask: mode_t) throws {
        // Tests that run at the same time expect none of these.
        let former = umask(mask)
        defer { umask(former) }
        try open()
        try expectEqual(mode(place), 0o700)
        for name in Self.names { try expectEqual(mode("\(place)/\(name)"), name.hasSuffix("key") ? 0o600 : 0o644) }
    }

    @Test func `4 the root's key is written nowhere`() throws {
        let root = try open().authority.root
        for name in Self.names {
            let blocks = try PEM.read(Array(Data(contentsOf: URL(filePath: "\(place)/\(name)"))))
            expectEqual(blocks.count, 1)
            guard blocks[0].label == "PRIVATE KEY" else { continue }
            #expect(!root.belongs(to: try #require(PrivateKey(der: blocks[0].content))))
        }
    }

    @Test(arguments: names)
    func `4 a missing file is refused, and nothing is made in its place`(name: String) throws {
        try open()
        try FileManager.default.removeItem(atPath: "\(place)/\(name)")
        let refusal = try #require(self.refusal())
        expectEqual(refusal.kind, .unreadable)
        #expect(refusal.description.hasPrefix("\(place)/\(name) is missing. Put the right file there, or remove"))
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: place).count, 3)
    }

    @Test(arguments: names)
    func `4 a symbolic link in place of a file is refused`(name: String) throws {
        try open()
        try FileManager.default.moveItem(atPath: "\(place)/\(name)", toPath: "\(scratch.path)/x")
        try FileManager.default.createSymbolicLink(
            atPath: "\(place)/\(name)",
            withDestinationPath: "\(scratch.path)/x"
        )
        expectEqual(refusal()?.kind, .link)
    }

    @Test func `4 a symbolic link in place of the folder is refused`() throws {
        try open()
        try FileManager.default.moveItem(atPath: place, toPath: "\(scratch.path)/real")
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "\(scratch.path)/real")
        expectEqual(refusal()?.kind, .link)
        #expect(throws: CertificateError.self) {
            try AuthorityFolder.open(place + "/", owner: "a@b", now: Self.now)
        }
    }

    @Test(arguments: ["issuer.key", "leaf.key"], [0o640, 0o604, 0o620, 0o610, 0o601])
    func `4 a key that others can read is refused`(name: String, mode: Int) throws {
        try open()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(place)/\(name)")
        let refusal = try #require(self.refusal())
        expectEqual(refusal.kind, .exposed)
        #expect(refusal.description.contains("chmod 600 \(place)/\(name)"))
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: "\(place)/\(name)")
        expectNil(self.refusal())
    }

    @Test(arguments: names)
    func `4 a file with something else in it is refused`(name: String) throws {
        try open()
        for text in ["", "x", "-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n", "-----BEGIN A-----\n"] {
            let handle = try FileHandle(forWritingTo: URL(filePath: "\(place)/\(name)"))
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(text.utf8))
            try handle.close()
            expectEqual(refusal()?.kind, .malformed, "\(text)")
        }
    }

    @Test func `4 a key of another certificate, and an issuer of another root, are refused`() throws {
        try open()
        let other = try Scratch()
        let stranger = try AuthorityFolder.open(other.path + "/ca", owner: "a@b", now: Self.now)
        #expect(stranger.wasMade)
        for name in ["issuer.key", "issuer.pem", "root.pem"] {
            let saved = try Data(contentsOf: URL(filePath: "\(place)/\(name)"))
            let handle = try FileHandle(forWritingTo: URL(filePath: "\(place)/\(name)"))
            func put(_ data: Data) throws {
                try handle.truncate(atOffset: 0)
                try handle.write(contentsOf: data)
            }
            try put(Data(contentsOf: URL(filePath: "\(other.path)/ca/\(name)")))
            expectEqual(refusal()?.kind, .mismatch, "\(name)")
            try put(saved)
            expectNil(refusal(), "\(name)")
        }
    }

    @Test func `4 from its end on it is refused, 30 days before it is warned of`() throws {
        let end = try open().authority.root.notAfter
        #expect(try open(now: end - .days(30)).warnings.isEmpty)
        let warned = try open(now: end - .days(30) + .seconds(1)).warnings
        #expect(warned.count == 1 && warned[0].contains("expires on \(end.isoDay)"))
        expectNil(refusal(now: end - .seconds(1)))
        expectEqual(refusal(now: end)?.kind, .expired)
    }

    @Test func `4 options work only while it is made, and warn`() throws {
        var options = Authority.Options()
        options.names = [DNSName("api.example.com")].compactMap(\.self)
        let made = try open(options)
        expectEqual(made.warnings.count, 1)
        #expect(try open().authority.permitted.contains("api.example.com"))
        do {
            try open(options)
            Issue.record("the options were taken")
        } catch let error as CertificateError {
            expectEqual(error.kind, .exists)
        }
    }

    @Test func `4 starts at once agree on one authority`() async throws {
        let roots = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<16 {
                group.addTask { [place] in
                    try AuthorityFolder.open(place, owner: "a@b", now: Self.now).authority.root.der
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        expectEqual(roots.count, 1)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: scratch.path + "/data/understudy"), ["ca"])
    }

    @Test func `4 a folder that holds other things is filled, by one of those that start at once`() async throws {
        // A volume of a container is such a folder: it can't be replaced.
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: "\(place)/lost+found"))
        let opened = try await withThrowingTaskGroup(of: AuthorityFolder.Opened.self) { group in
            for _ in 0..<16 {
                group.addTask { [place] in try AuthorityFolder.open(place, owner: "a@b", now: Self.now) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        expectEqual(Set(opened.map(\.authority.root.der)).count, 1)
        expectEqual(opened.count { $0.wasMade }, 1)
        try expectEqual(
            FileManager.default.contentsOfDirectory(atPath: place).sorted(),
            (Self.names + ["lost+found"]).sorted()
        )
        for name in Self.names { try expectEqual(mode("\(place)/\(name)"), name.hasSuffix("key") ? 0o600 : 0o644) }
    }

    @Test func `4 a place where no folder can be made is refused with the flag's name`() throws {
        try scratch.write("", to: "file")
        do {
            _ = try AuthorityFolder.open("\(scratch.path)/file/ca", owner: "a@b", now: Self.now)
            Issue.record("it was made")
        } catch {
            #expect(error.description.contains("--ca"))
            #expect(error.kind == .notMade || error.kind == .unreadable)
        }
        try expectNil(AuthorityFolder.load("\(scratch.path)/nothing", now: Self.now)?.wasMade)
    }

    @Test func `4 the owner is a user and a host`() {
        let parts = AuthorityFolder.owner().split(separator: "@")
        #expect(parts.count == 2 && parts.allSatisfy { !$0.isEmpty })
    }
}
