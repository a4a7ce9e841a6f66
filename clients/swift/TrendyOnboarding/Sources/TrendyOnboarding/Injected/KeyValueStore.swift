public import Foundation

/// A store of values under keys, shared by everything that shows or changes the onboarding of this device.
///
/// Reads never wait. ``update(_:)`` is the only way to write: it runs while no other thread or process changes the
/// store, so that what it reads is still true when it writes. ``FileStore`` and ``UserDefaultsStore`` are ready to use.
///
/// ```swift
/// final class MemoryStore: KeyValueStore {
///     private let values = Mutex<[String: Data]>([:])
///     private let turns = NSLock()
///
///     func data(forKey key: String) throws(StoreError) -> Data? {
///         values.withLock { $0[key] }
///     }
///
///     func keys(withPrefix prefix: String) throws(StoreError) -> [String] {
///         values.withLock { $0.keys.filter { $0.hasPrefix(prefix) } }
///     }
///
///     func update<Result>(
///         _ change: (inout StoreTransaction) throws(StoreError) -> Result
///     ) throws(StoreError) -> Result {
///         turns.lock()
///         defer { turns.unlock() }
///         var transaction = StoreTransaction(data: data(forKey:), keys: keys(withPrefix:))
///         let result = try change(&transaction)
///         let writes = transaction.writes
///         values.withLock { values in
///             for write in writes { values[write.key] = write.value }
///         }
///         return result
///     }
/// }
/// ```
public protocol KeyValueStore: Sendable {
    /// Returns the value under a key, nil if there is none; throws if the store can't tell.
    ///
    /// The two are not the same: a value that can't be read now, on a locked device for example, must not be replaced.
    ///
    /// ```swift
    /// let theme = try store.data(forKey: "theme")
    /// ```
    func data(forKey key: String) throws(StoreError) -> Data?

    /// Returns the keys that begin with a prefix, in any order.
    ///
    /// ```swift
    /// let keys = try store.keys(withPrefix: "onboarding_")
    /// ```
    func keys(withPrefix prefix: String) throws(StoreError) -> [String]

    /// Runs a change of several values, alone, and then stores what it wrote.
    ///
    /// If the change throws, nothing is stored.
    ///
    /// ```swift
    /// try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
    ///     let former = try transaction.data(forKey: "theme")
    ///     try transaction.set(former ?? Data("light".utf8), forKey: "theme")
    /// }
    /// ```
    func update<Result>(
        _ change: (inout StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result
}

/// An error of a store.
///
/// ```swift
/// func text(_ error: StoreError) -> String {
///     switch error {
///     case .unreadable(let key, let reason): "\(key) can't be read: \(reason)"
///     case .unwritable(let reason): "nothing can be stored: \(reason)"
///     case .busy: "another process holds the store"
///     }
/// }
/// ```
public enum StoreError: Error, Hashable, Sendable {
    /// A value exists and can't be read now.
    case unreadable(key: String, reason: String)
    /// The store takes no value: the disk is full, or the folder is not writable.
    case unwritable(reason: String)
    /// Another process holds the store for longer than a change takes.
    case busy
}

/// The reads and writes of one change of a ``KeyValueStore``.
///
/// ```swift
/// try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
///     let former = try transaction.data(forKey: "theme")
///     try transaction.set(former ?? Data("light".utf8), forKey: "theme")
/// }
/// ```
public struct StoreTransaction {
    /// A value to store; nil removes it.
    public struct Write: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The value; nil removes the key.
        public var value: Data?
    }

    /// The writes so far, in their order; a store applies them when the change has returned.
    public private(set) var writes: [Write] = []
    private let read: (String) throws(StoreError) -> Data?
    private let list: (String) throws(StoreError) -> [String]

    /// Creates a transaction over the present state of a store.
    ///
    /// ```swift
    /// var transaction = StoreTransaction(data: data(forKey:), keys: keys(withPrefix:))
    /// ```
    public init(
        data: @escaping (String) throws(StoreError) -> Data?,
        keys: @escaping (String) throws(StoreError) -> [String]
    ) {
        read = data
        list = keys
    }

    /// Returns the value under a key, as the writes so far have made it.
    ///
    /// ```swift
    /// let former = try transaction.data(forKey: "theme")
    /// ```
    public func data(forKey key: String) throws(StoreError) -> Data? {
        if let write = writes.last(where: { $0.key == key }) { return write.value }
        return try read(key)
    }

    /// Returns the keys that begin with a prefix, sorted, as the writes so far have made them.
    ///
    /// ```swift
    /// for key in try transaction.keys(withPrefix: "theme_") {
    ///     try transaction.set(nil, forKey: key)
    /// }
    /// ```
    public func keys(withPrefix prefix: String) throws(StoreError) -> [String] {
        var keys = Set(try list(prefix))
        for write in writes where write.key.hasPrefix(prefix) {
            if write.value == nil { keys.remove(write.key) } else { keys.insert(write.key) }
        }
        return keys.sorted()
    }

    /// Stores a value under a key, or removes it with nil; an equal value is not written again.
    ///
    /// ```swift
    /// let former = try transaction.data(forKey: "theme")
    /// try transaction.set(former ?? Data("light".utf8), forKey: "theme")
    /// ```
    public mutating func set(_ value: Data?, forKey key: String) throws(StoreError) {
        guard try data(forKey: key) != value else { return }
        writes.append(Write(key: key, value: value))
    }
}
