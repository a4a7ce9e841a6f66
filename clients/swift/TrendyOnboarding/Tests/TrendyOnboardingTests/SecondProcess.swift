import Foundation
import Testing

@testable import TrendyOnboarding

#if os(macOS) || os(Linux)
/// The part of a test that runs in another process: an extension beside the app, or an app of its own.
struct SecondProcess: Codable, Sendable {
    /// The folder of the store, and of the marks by which the processes wait for each other.
    var folder: String
    var backend: String
    var token: String

    /// The answers that a user gives one after the other; the last one counts.
    static let statuses = (1...100).map { $0.isMultiple(of: 2) ? PermissionStatus.granted : .denied }

    /// The seconds after which the process ends, whatever it waits for; a busy machine takes long to start one.
    static let longestRun = 240

    /// Runs the part; the process ends if it hangs.
    static func run(_ part: @MainActor () async throws -> Void) async throws {
        alarm(UInt32(longestRun))
        try await part()
    }

    /// Runs the test's own part beside another process, and waits for both.
    ///
    /// A test that ends before its other process does would leave it waiting for a mark that never comes.
    @MainActor
    static func beside(_ other: Task<Void, Never>, in folder: String, _ part: () async throws -> Void) async throws {
        Watch.onHang { leave("stop", in: folder) }
        do {
            try await part()
        } catch {
            leave("stop", in: folder)
            await other.value
            throw error
        }
        await other.value
    }

    /// A service of the same user at the same store.
    @MainActor
    func service(isOffline: Bool = false) -> OnboardingStatusService {
        let url = URL(string: backend) ?? URL(filePath: "/")
        let transport = WatchingTransport(URLSessionTransport(baseURL: url, timeout: 3_600, limit: .seconds(3_600)))
        transport.isOffline = isOffline
        let identity = TestIdentity()
        identity.signIn(Account.new.id, token: token)
        let time = ManualTime()
        return OnboardingStatusService(
            transport: transport,
            identity: identity,
            store: FileStore(folder: URL(filePath: folder)),
            clock: time,
            sleeper: time
        )
    }

    // MARK: Marks

    /// Leaves a mark for the other process.
    static func leave(_ mark: String, in folder: String) {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: "\(folder)/.\(mark)", contents: nil)
    }

    private static func isThere(_ mark: String, in folder: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(folder)/.\(mark)")
    }

    /// Waits for a mark of the other process.
    static func waitFor(_ mark: String, in folder: String) async throws {
        while !isThere(mark, in: folder) {
            try Watch.check("the other process left no mark \(mark)")
            if isThere("stop", in: folder) { throw Hang(description: "the other process has failed") }
            await Task.yield()
        }
        Watch.move()
    }

    // MARK: Changes

    /// Adds to a number in the store, one by one; its text is long, so that a part of it would be noticed.
    static func count(_ count: Int, in folder: String) throws {
        // The attempts end with the other process, however slow the disk is.
        let store = FileStore(folder: URL(filePath: folder), patience: 10_000_000)
        for _ in 1...count {
            try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
                let number = try transaction.data(forKey: "n").map(number) ?? 0
                let texts = [String](repeating: "\(number + 1)", count: 2_000)
                try transaction.set(Data(texts.joined(separator: " ").utf8), forKey: "n")
            }
            // A reader takes no turn, and sees the old value or the new one.
            #expect(try store.data(forKey: "n").map(number) != -1)
        }
    }

    /// Returns the number in the store; -1 if a part of its text is missing or is another's.
    static func number(_ data: Data) -> Int {
        let texts = String(decoding: data, as: UTF8.self).split(separator: " ")
        guard texts.count == 2_000, let first = texts.first, texts.allSatisfy({ $0 == first }) else { return -1 }
        return Int(first) ?? -1
    }

    // MARK: The disk

    /// From now on no file takes a byte, whoever runs the process; removing and renaming go on, as on a full disk.
    static func fillDisk() {
        signal(SIGXFSZ, SIG_IGN)
        limitFiles(to: 0)
    }

    static func clearDisk() { limitFiles(to: nil) }

    private static func limitFiles(to size: rlim_t?) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
        let resource = RLIMIT_FSIZE
        #endif
        var limit = rlimit()
        expectEqual(getrlimit(resource, &limit), 0)
        limit.rlim_cur = size ?? limit.rlim_max
        expectEqual(setrlimit(resource, &limit), 0)
    }
}
#endif
