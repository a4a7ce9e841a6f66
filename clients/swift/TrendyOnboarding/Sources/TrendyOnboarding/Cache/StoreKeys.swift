import Foundation

/// The keys in the store (Trendy contract, section 11.2).
enum StoreKeys {
    static let entries = "onboarding_status_"
    static let pending = "onboarding_pending_"
    /// Pending changes that could not be read, kept for a version of the app that can.
    static let unread = "onboarding_unread_"
    static let anyUserCompleted = "onboarding_any_user_completed"
    static let prefixes = [entries, pending, unread]

    /// Removes everything of a user, under the id in any case.
    static func erase(_ id: String, in transaction: inout StoreTransaction) throws(StoreError) {
        for prefix in prefixes {
            for key in try transaction.keys(withPrefix: prefix) where key.lowercased() == prefix + id {
                try transaction.set(nil, forKey: key)
            }
        }
    }

    /// Returns the value under an id, or the one that an older version stored under the id in capitals.
    static func data(_ prefix: String, _ id: String, in transaction: StoreTransaction) throws(StoreError) -> Data? {
        let key = prefix + id
        if let data = try transaction.data(forKey: key) { return data }
        for former in try transaction.keys(withPrefix: prefix) where former.lowercased() == key {
            return try transaction.data(forKey: former)
        }
        return nil
    }

    /// Moves a value that an older version stored under the id in capitals to the key in lower case.
    ///
    /// A value under the key in lower case is the newer one and stays.
    static func move(_ prefix: String, _ id: String, in transaction: inout StoreTransaction) throws(StoreError) {
        let key = prefix + id
        for former in try transaction.keys(withPrefix: prefix) where former != key && former.lowercased() == key {
            if try transaction.data(forKey: key) == nil {
                try transaction.set(try transaction.data(forKey: former), forKey: key)
            }
            try transaction.set(nil, forKey: former)
        }
    }
}
