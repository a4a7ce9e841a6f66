public import Foundation

/// A store in the user defaults, for an app without extensions.
///
/// Its limits: changes are serialized within the process only, so an app and its extension that change the same suite at the same
/// time may lose one change; use ``FileStore`` for two processes. The system decides when to write the defaults to disk, so
/// a change just before a crash of the device may be lost. A full disk is not reported. Size: a few hundred bytes per user.
///
/// ```swift
/// let store = UserDefaultsStore(suiteName: "com.example.trendy.onboarding")
/// ```
public struct UserDefaultsStore: KeyValueStore {
    /// The name of the suite; nil for the standard defaults.
    public let suiteName: String?
    private static let turns = NSLock()

    /// Creates a store in the standard defaults, or in a suite.
    ///
    /// ```swift
    /// let store = UserDefaultsStore(suiteName: "com.example.trendy.onboarding")
    /// ```
    public init(suiteName: String? = nil) { self.suiteName = suiteName }

    /// Returns the value under a key, nil if there is none.
    ///
    /// ```swift
    /// let theme = try store.data(forKey: "theme")
    /// ```
    public func data(forKey key: String) throws(StoreError) -> Data? { try defaults().data(forKey: key) }

    /// Returns the keys that begin with a prefix, in any order.
    ///
    /// ```swift
    /// let keys = try store.keys(withPrefix: "onboarding_")
    /// ```
    public func keys(withPrefix prefix: String) throws(StoreError) -> [String] {
        try defaults().dictionaryRepresentation().keys.filter { $0.hasPrefix(prefix) }
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
        Self.turns.lock()
        defer { Self.turns.unlock() }
        var transaction = StoreTransaction(data: data(forKey:), keys: keys(withPrefix:))
        let result = try change(&transaction)
        let defaults = try defaults()
        for write in transaction.writes {
            if let value = write.value {
                defaults.set(value, forKey: write.key)
            } else {
                defaults.removeObject(forKey: write.key)
            }
        }
        return result
    }

    /// The defaults are opened for each call: the class is not marked as safe to share on every platform.
    private func defaults() throws(StoreError) -> UserDefaults {
        guard let suiteName else { return .standard }
        guard let defaults = UserDefaults(suiteName: suiteName) else {
            throw .unwritable(reason: "the user defaults have no suite \(suiteName)")
        }
        return defaults
    }
}
