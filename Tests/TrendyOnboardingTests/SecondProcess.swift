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

    /// Runs the part; the process ends if it hangs.
    static func run(_ part: @MainActor () async throws -> Void) async throws {
        alarm(UInt32(5 * Watch.patience))
        try await part()
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

    /// Waits for a mark of the other process.
    static func waitFor(_ mark: String, in folder: String) async throws {
        while !FileManager.default.fileExists(atPath: "\(folder)/.\(mark)") {
            try Watch.check("the other process left no mark \(mark)")
            await Task.yield()
        }
        Watch.move()
    }

    // MARK: Changes

    /// Adds to a number in the store, one by one; its text is long, so that a part of it would be noticed.
    static func count(_ count: Int, in folder: String) throws {
        let store = FileStore(folder: URL(filePath: folder), patience: 120_000)
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

    /// Makes the last answer once more until the store has taken everything.
    ///
    /// A change that finds the store busy lives in memory until the next one, and this process ends before.
    @MainActor
    static func untilStored(_ service: OnboardingStatusService, _ kind: PermissionKind) async throws {
        while service.lastStoreError != nil {
            try Watch.check("the store is busy for good")
            service.recordPermission(kind, .granted)
            await Task.yield()
        }
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
        #expect(getrlimit(resource, &limit) == 0)
        limit.rlim_cur = size ?? limit.rlim_max
        #expect(setrlimit(resource, &limit) == 0)
    }
}
#endif
