public import Foundation

/// A store of one file for each key, in a folder that an app and its extensions may share.
///
/// A file is replaced by a rename, so a reader sees the old value or the new one and never a part. Changes are serialized by a
/// lock (`flock`) on a file of its own, between threads and between processes. It is held for the time of a few file
/// operations and never across a network call, because iOS ends an app that is suspended with a lock in a shared folder.
///
/// ```swift
/// let store = FileStore(folder: try FileStore.defaultFolder(appGroup: "group.com.example.trendy"))
/// ```
public struct FileStore: KeyValueStore {
    /// The folder that holds the files.
    public let folder: URL
    /// The number of times that a change tries to get the lock, a millisecond apart.
    ///
    /// It is small, because the service calls on the main actor; a change that finds the store busy waits in memory.
    let patience: Int

    /// Creates a store in a folder, which the first write creates.
    ///
    /// ```swift
    /// let store = FileStore(folder: folder)
    /// ```
    public init(folder: URL) { self.init(folder: folder, patience: 20) }

    init(folder: URL, patience: Int) {
        self.folder = folder
        self.patience = patience
    }

    /// Returns the folder for onboarding in the app's support folder, or in that of an app group.
    ///
    /// ```swift
    /// let folder = try FileStore.defaultFolder(appGroup: "group.com.example.trendy")
    /// ```
    public static func defaultFolder(appGroup: String? = nil) throws -> URL {
        #if canImport(Darwin)
        if let appGroup {
            guard let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup) else {
                throw StoreError.unwritable(reason: "the app is not in the group \(appGroup)")
            }
            return group.appendingPathComponent("Onboarding", isDirectory: true)
        }
        #endif
        return try FileManager.default.url(
            for: .applicationSupportDirectory,
            in: .userDomainMask,
            appropriateFor: nil,
            create: true
        ).appendingPathComponent("Onboarding", isDirectory: true)
    }

    /// Returns the value under a key, nil if there is none.
    ///
    /// ```swift
    /// let theme = try store.data(forKey: "theme")
    /// ```
    public func data(forKey key: String) throws(StoreError) -> Data? {
        do {
            return try Data(contentsOf: file(key))
        } catch {
            if Self.isAbsence(error) { return nil }
            throw .unreadable(key: key, reason: "\(error)")
        }
    }

    /// Returns the keys that begin with a prefix, in any order.
    ///
    /// ```swift
    /// let keys = try store.keys(withPrefix: "onboarding_")
    /// ```
    public func keys(withPrefix prefix: String) throws(StoreError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap(Self.key)
                .filter { $0.hasPrefix(prefix) }
        } catch {
            if Self.isAbsence(error) { return [] }
            throw .unreadable(key: prefix, reason: "\(error)")
        }
    }

    /// Runs a change of several values, alone, and then stores what it wrote.
    ///
    /// ```swift
    /// try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
    ///     let former = try transaction.data(forKey: "theme")
    ///     try transaction.set(former ?? Data("light".utf8), forKey: "theme")
    /// }
    /// ```
    public func update<Result>(
        _ change: (inout StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let lock = try lock()
        defer { Self.unlock(lock) }
        var transaction = StoreTransaction(data: data(forKey:), keys: keys(withPrefix:))
        let result = try change(&transaction)
        for write in transaction.writes { try apply(write) }
        return result
    }

    private func apply(_ write: StoreTransaction.Write) throws(StoreError) {
        do {
            guard let value = write.value else { return try FileManager.default.removeItem(at: file(write.key)) }
            #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            // A push in the background may come while the device is locked.
            try value.write(
                to: file(write.key),
                options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
            )
            #else
            try value.write(to: file(write.key), options: .atomic)
            #endif
        } catch {
            if write.value == nil, Self.isAbsence(error) { return }
            throw .unwritable(reason: "\(error)")
        }
    }

    private func lock() throws(StoreError) -> FileHandle {
        let file = folder.appendingPathComponent(Self.lockName)
        let handle: FileHandle
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            if !FileManager.default.fileExists(atPath: file.path) {
                try Data().write(to: file, options: .withoutOverwriting)
            }
        } catch {
            // Another process may have created it in between; opening it tells.
        }
        do {
            handle = try FileHandle(forUpdating: file)
        } catch {
            throw .unwritable(reason: "\(error)")
        }
        _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
        var left = patience
        while flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) != 0 {
            guard left > 0 else {
                try? handle.close()
                throw .busy
            }
            left -= 1
            Thread.sleep(forTimeInterval: 0.001)
        }
        return handle
    }

    /// Gives a lock back, for good.
    ///
    /// Closing the file is not enough: a process that was started meanwhile may have a copy of it, and with it the lock.
    private static func unlock(_ handle: FileHandle) {
        _ = flock(handle.fileDescriptor, LOCK_UN)
        try? handle.close()
    }

    private func file(_ key: String) -> URL { folder.appendingPathComponent(Self.name(key)) }

    /// The name of the file whose lock orders the changes; no key has it, as theirs don't begin with a dot.
    static let lockName = ".lock"

    private static let plain = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyz0123456789_-")

    /// Returns the file name of a key.
    ///
    /// Capitals are escaped, because two keys that differ in case would be one file on some disks.
    static func name(_ key: String) -> String { key.addingPercentEncoding(withAllowedCharacters: plain) ?? key }

    /// Returns the key of a file name; nil for a file that is none of ours.
    private static func key(_ name: String) -> String? {
        guard let key = name.removingPercentEncoding, self.name(key) == name else { return nil }
        return key
    }

    private static func isAbsence(_ error: any Error) -> Bool {
        guard let error = error as? CocoaError else { return false }
        return error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
    }
}
