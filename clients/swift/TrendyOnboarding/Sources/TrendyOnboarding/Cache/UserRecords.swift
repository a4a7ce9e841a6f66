import Foundation

/// Everything that the store holds of one user.
struct UserRecords: Equatable {
    let userId: String
    var entry: CachedOnboardingStatus?
    var pending = PendingChanges()
    /// Pending changes that could not be read: damaged, or of a newer version in another form.
    private var unread: Data?

    /// The records of a user of whom nothing is stored.
    init(userId: String) { self.userId = userId }

    /// Reads the records of a user.
    init(of userId: String, in transaction: StoreTransaction) throws(StoreError) {
        self.userId = userId
        entry = try StoreKeys.data(StoreKeys.entries, userId, in: transaction).flatMap {
            OnboardingCache.entry($0, of: userId)
        }
        guard let data = try StoreKeys.data(StoreKeys.pending, userId, in: transaction) else { return }
        if let changes = try? JSONDecoder().decode(PendingChanges.self, from: data) {
            pending = changes
        } else {
            unread = data
            recover()
        }
    }

    /// Writes the records; what could not be read is kept beside them.
    func write(to transaction: inout StoreTransaction) throws(StoreError) {
        if let unread { try transaction.set(unread, forKey: StoreKeys.unread + userId) }
        let isBlank = pending == PendingChanges()
        try transaction.set(isBlank ? nil : try StoreCoding.data(pending), forKey: StoreKeys.pending + userId)
        if let entry {
            try OnboardingCache.set(entry, in: &transaction)
        }
    }

    /// Makes everything that the entry tells wait again, because which part of it was confirmed is no longer known.
    ///
    /// A confirmed member is sent once more. Its value is the same, unless another device has changed or reset it since;
    /// then this device's value wins, because losing a step is worse than repeating one.
    private mutating func recover() {
        guard let entry else { return }
        var request = UpdateOnboardingStatusRequest()
        if entry.completed { request.completed = .set(true) }
        if let date = entry.welcomeCompletedAt { request.welcomeCompletedAt = .set(date) }
        if let date = entry.authCompletedAt { request.authCompletedAt = .set(date) }
        if let date = entry.permissionsCompletedAt { request.permissionsCompletedAt = .set(date) }
        pending.merge(request, token: "recovered")
    }

    /// The entry with the waiting changes laid over it; nil if there is neither.
    var status: CachedOnboardingStatus? {
        let base = entry ?? CachedOnboardingStatus(userId: userId, lastUpdatedAt: Date(timeIntervalSince1970: 0))
        let laid = base.laying(pending.request)
        return entry == nil && laid == base ? nil : laid
    }

    /// Takes a change of the user's into the entry and among those that wait.
    mutating func take(_ request: UpdateOnboardingStatusRequest, token: String, at date: Date) {
        pending.merge(request, token: token)
        let base = entry ?? CachedOnboardingStatus(userId: userId, lastUpdatedAt: date)
        var changed = base.laying(pending.request)
        changed.lastUpdatedAt = date
        entry = changed
    }

    /// Makes an answer the entry, with the changes that still wait laid over it.
    mutating func take(_ answer: APIOnboardingStatus, at date: Date) {
        entry = CachedOnboardingStatus(answer, at: date).laying(pending.request)
    }
}

extension CachedOnboardingStatus {
    /// Returns the status with a request's changes of its members.
    func laying(_ request: UpdateOnboardingStatusRequest) -> CachedOnboardingStatus {
        var status = self
        status.completed = request.completed.laid(over: completed) ?? false
        status.welcomeCompletedAt = request.welcomeCompletedAt.laid(over: welcomeCompletedAt)
        status.authCompletedAt = request.authCompletedAt.laid(over: authCompletedAt)
        status.permissionsCompletedAt = request.permissionsCompletedAt.laid(over: permissionsCompletedAt)
        return status
    }
}

extension MemberChange {
    /// Returns the value after the change.
    func laid(over value: Value?) -> Value? {
        switch self {
        case .leave: value
        case .set(let value): value
        case .clear: nil
        }
    }
}
