import Foundation

/// The last known onboarding status of each user of this device.
///
/// All calls are synchronous, need no network, and may come from any thread. Ids are case-insensitive; an empty
/// one has no entry.
///
/// ```swift
/// let cache = OnboardingCache(store: UserDefaultsStore())
/// if cache.read(userId)?.completed == true { screens.showMainScreen() }
/// ```
public struct OnboardingCache: Sendable {
    let store: any KeyValueStore

    /// Creates a cache over a store.
    ///
    /// ```swift
    /// let cache = OnboardingCache(store: UserDefaultsStore(suiteName: "group.com.example.trendy"))
    /// ```
    public init(store: any KeyValueStore) { self.store = store }

    /// Returns the entry of a user; nil if there is none, if it can't be read, or if it names another user.
    ///
    /// An entry that an older version of the app stored under the id in capitals is moved to the key in lower case.
    ///
    /// ```swift
    /// let status = cache.read(userId)
    /// let lastSync = status?.lastSyncedAt
    /// ```
    public func read(_ userId: String) -> CachedOnboardingStatus? {
        let id = userId.lowercased()
        guard !id.isEmpty else { return nil }
        let key = StoreKeys.entries + id
        do throws(StoreError) {
            if let data = try store.data(forKey: key) { return Self.entry(data, of: id) }
            let former = try store.keys(withPrefix: StoreKeys.entries).filter { $0 != key && $0.lowercased() == key }
            guard let place = former.sorted().first, let data = try store.data(forKey: place) else { return nil }
            // An entry that can't be moved, on a full disk for example, is read where it is.
            try? store.update { (transaction: inout StoreTransaction) throws(StoreError) in
                try StoreKeys.move(StoreKeys.entries, id, in: &transaction)
            }
            return Self.entry(data, of: id)
        } catch {
            return nil
        }
    }

    /// Replaces the entry of its user, and sets the device's flag if it is completed.
    ///
    /// ```swift
    /// var status = CachedOnboardingStatus(userId: userId, lastUpdatedAt: date)
    /// status.welcomeCompletedAt = date
    /// try cache.write(status)
    /// ```
    public func write(_ status: CachedOnboardingStatus) throws(StoreError) {
        guard !status.userId.isEmpty else { return }
        try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
            try StoreKeys.move(StoreKeys.entries, status.userId, in: &transaction)
            try Self.set(status, in: &transaction)
        }
    }

    /// Removes the entry of a user and its pending changes; the device's flag stays.
    ///
    /// ```swift
    /// try cache.clear(userId)
    /// ```
    public func clear(_ userId: String) throws(StoreError) {
        let id = userId.lowercased()
        guard !id.isEmpty else { return }
        try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
            try StoreKeys.erase(id, in: &transaction)
        }
    }

    /// Tells whether any user of this device has ever completed onboarding.
    ///
    /// Without the flag, a readable entry with `completed` sets it.
    ///
    /// ```swift
    /// let text = cache.hasAnyUserCompletedOnboarding() ? "Welcome back" : "Welcome"
    /// ```
    public func hasAnyUserCompletedOnboarding() -> Bool {
        do throws(StoreError) {
            if try store.data(forKey: StoreKeys.anyUserCompleted) != nil { return true }
        } catch {
            // A flag that can't be read now exists.
            return true
        }
        let keys = (try? store.keys(withPrefix: StoreKeys.entries)) ?? []
        let isCompleted = keys.contains { key in
            let id = key.dropFirst(StoreKeys.entries.count).lowercased()
            let data = try? store.data(forKey: key)
            return data.flatMap { Self.entry($0, of: id) }?.completed == true
        }
        guard isCompleted else { return false }
        try? store.update { (transaction: inout StoreTransaction) throws(StoreError) in
            try Self.raiseFlag(in: &transaction)
        }
        return true
    }

    /// Removes every entry, all pending changes, and the device's flag.
    ///
    /// ```swift
    /// try cache.clearAll()
    /// ```
    public func clearAll() throws(StoreError) {
        try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
            for prefix in StoreKeys.prefixes {
                for key in try transaction.keys(withPrefix: prefix) { try transaction.set(nil, forKey: key) }
            }
            try transaction.set(nil, forKey: StoreKeys.anyUserCompleted)
        }
    }

    /// Returns the entry that data hold; nil if they are damaged, or are of another user.
    static func entry(_ data: Data, of id: String) -> CachedOnboardingStatus? {
        guard let entry = try? JSONDecoder().decode(CachedOnboardingStatus.self, from: data), entry.userId == id else {
            return nil
        }
        return entry
    }

    static func set(_ status: CachedOnboardingStatus, in transaction: inout StoreTransaction) throws(StoreError) {
        try transaction.set(try StoreCoding.data(status), forKey: StoreKeys.entries + status.userId)
        if status.completed { try raiseFlag(in: &transaction) }
    }

    private static func raiseFlag(in transaction: inout StoreTransaction) throws(StoreError) {
        try transaction.set(Data("true".utf8), forKey: StoreKeys.anyUserCompleted)
    }
}
