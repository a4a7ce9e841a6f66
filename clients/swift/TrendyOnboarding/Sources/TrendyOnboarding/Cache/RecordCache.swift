import Foundation

/// The records of all users, with the changes that the store could not take.
///
/// A change that can't be stored, on a full disk or a locked device, lives in memory, shows in every read, and is stored with
/// the next change that can be.
@MainActor
final class RecordCache {
    private let store: any KeyValueStore
    private var unsaved: [String: [(inout UserRecords) -> Void]] = [:]
    private var erased: Set<String> = []
    private var errors: [String: StoreError] = [:]

    init(store: any KeyValueStore) { self.store = store }

    /// Returns the reason for which the last change of a user could not be stored; nil if it was.
    func error(of userId: String) -> StoreError? { errors[userId] }

    /// Returns the records of a user as they are now.
    func records(of userId: String) -> UserRecords {
        var records = UserRecords(userId: userId)
        if !erased.contains(userId) {
            // Of a store that can't be read only the changes in memory are known.
            let transaction = StoreTransaction(data: store.data(forKey:), keys: store.keys(withPrefix:))
            if let stored = try? UserRecords(of: userId, in: transaction) { records = stored }
        }
        for change in unsaved[userId] ?? [] { change(&records) }
        return records
    }

    /// Changes the records of a user, in the store if it can be, and returns what the change returns.
    @discardableResult
    func update<Result>(_ userId: String, _ change: @escaping (inout UserRecords) -> Result) -> Result {
        let waiting = unsaved[userId] ?? []
        // What could not be removed of anybody goes with the first change that the store takes.
        let erased = self.erased.sorted()
        var made: Result?
        do throws(StoreError) {
            let result = try store.update { (transaction: inout StoreTransaction) throws(StoreError) -> Result in
                try StoreKeys.move(StoreKeys.entries, userId, in: &transaction)
                try StoreKeys.move(StoreKeys.pending, userId, in: &transaction)
                for user in erased { try StoreKeys.erase(user, in: &transaction) }
                var records = try UserRecords(of: userId, in: transaction)
                for change in waiting { change(&records) }
                let result = change(&records)
                made = result
                try records.write(to: &transaction)
                return result
            }
            unsaved[userId] = nil
            self.erased = []
            for user in erased { errors[user] = nil }
            errors[userId] = nil
            return result
        } catch {
            errors[userId] = error
            // The store may have taken a part of it, so what the change has found before counts.
            var records = records(of: userId)
            let result = made ?? change(&records)
            unsaved[userId, default: []].append { _ = change(&$0) }
            return result
        }
    }

    /// True if another process kept the store from taking something.
    var isBusy: Bool { errors.values.contains(.busy) }

    /// Tries once more to store what lives in memory; returns true if nothing is left there.
    func save() -> Bool {
        for user in unsaved.keys.sorted() {
            let waiting = unsaved.removeValue(forKey: user) ?? []
            update(user) { records in
                for change in waiting { change(&records) }
            }
        }
        // With the first change that was stored the others went; what a user has changed since must not go with them.
        if unsaved.isEmpty { for user in erased.sorted() { erase(user) } }
        return unsaved.isEmpty && erased.isEmpty
    }

    /// Removes everything of a user.
    func erase(_ userId: String) {
        unsaved[userId] = nil
        do throws(StoreError) {
            try store.update { (transaction: inout StoreTransaction) throws(StoreError) in
                try StoreKeys.erase(userId, in: &transaction)
            }
            erased.remove(userId)
            errors[userId] = nil
        } catch {
            // What can't be removed now is not shown any more, and is removed with the next change.
            erased.insert(userId)
            errors[userId] = error
        }
    }
}
