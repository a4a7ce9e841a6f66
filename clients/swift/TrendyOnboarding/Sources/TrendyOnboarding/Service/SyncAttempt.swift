/// A sync that somebody waits for.
@MainActor
final class SyncAttempt {
    let user: String
    private let answer = OneAnswer<SyncResult>()
    private var work: Task<Void, Never>?

    init(user: String) { self.user = user }

    /// True while nobody has got a result; afterwards nothing of the attempt may be stored or shown.
    var isOpen: Bool { !answer.isGiven }

    /// Sets the work that is cancelled when the attempt ends before it.
    func start(_ work: Task<Void, Never>) { self.work = work }

    /// Ends the attempt with a result, if it has none yet, and cancels what is left of its work.
    func end(_ result: SyncResult) {
        guard isOpen else { return }
        answer.give(result)
        work?.cancel()
    }

    func wait() async -> SyncResult { await answer.wait() }
}
