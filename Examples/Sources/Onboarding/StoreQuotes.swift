import Foundation
import Synchronization
import TrendyOnboarding

// The examples of the cache and of the stores.

func name(userId: String, date: Date) -> String? {
    let status = CachedOnboardingStatus(userId: userId, welcomeCompletedAt: date, lastUpdatedAt: date)
    let name = status.currentStep  // "auth"
    return name
}

func sharedCache() -> OnboardingCache {
    let cache = OnboardingCache(store: UserDefaultsStore(suiteName: "group.com.example.trendy"))
    return cache
}

func lastSync(of userId: String, in cache: OnboardingCache) -> Date? {
    let status = cache.read(userId)
    let lastSync = status?.lastSyncedAt
    return lastSync
}

func greet(userId: String, date: Date, cache: OnboardingCache) throws -> String {
    var status = CachedOnboardingStatus(userId: userId, lastUpdatedAt: date)
    status.welcomeCompletedAt = date
    try cache.write(status)
    let text = cache.hasAnyUserCompletedOnboarding() ? "Welcome back" : "Welcome"
    return text
}

func forget(userId: String, cache: OnboardingCache) throws {
    try cache.clear(userId)
}

func forgetAll(cache: OnboardingCache) throws {
    try cache.clearAll()
}

func ownSuite() -> UserDefaultsStore {
    let store = UserDefaultsStore(suiteName: "com.example.trendy.onboarding")
    return store
}

func setTheme(in store: FileStore) throws {
    try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
        let former = try transaction.data(forKey: "theme")
        try transaction.set(former ?? Data("light".utf8), forKey: "theme")
    }
}

func text(_ error: StoreError) -> String {
    switch error {
    case .unreadable(let key, let reason): "\(key) can't be read: \(reason)"
    case .unwritable(let reason): "nothing can be stored: \(reason)"
    case .busy: "another process holds the store"
    }
}

final class MemoryStore: KeyValueStore {
    private let values = Mutex<[String: Data]>([:])
    private let turns = NSLock()

    func data(forKey key: String) throws(StoreError) -> Data? {
        values.withLock { $0[key] }
    }

    func keys(withPrefix prefix: String) throws(StoreError) -> [String] {
        values.withLock { $0.keys.filter { $0.hasPrefix(prefix) } }
    }

    func update<Result>(
        _ change: (inout StoreTransaction) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        turns.lock()
        defer { turns.unlock() }
        var transaction = StoreTransaction(data: data(forKey:), keys: keys(withPrefix:))
        let result = try change(&transaction)
        let writes = transaction.writes
        values.withLock { values in
            for write in writes { values[write.key] = write.value }
        }
        return result
    }
}
