/// Work against a deadline: whichever is first.
///
/// Work that takes no notice of its cancellation is left to itself; nobody waits for it.
enum Race {
    /// Returns what `work` returns, or nil if the deadline comes first.
    static func run<Value: Sendable>(
        until deadline: ContinuousClock.Instant,
        _ work: @escaping @Sendable () async throws(ControlError) -> Value
    ) async throws(ControlError) -> Value? {
        let finish = FinishLine<Result<Value, ControlError>?>()
        let runner = Task {
            do throws(ControlError) {
                await finish.cross(.success(try await work()))
            } catch {
                await finish.cross(.failure(error))
            }
        }
        let timer = Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            await finish.cross(nil)
        }
        let first = await withTaskCancellationHandler {
            await finish.first
        } onCancel: {
            runner.cancel()
            timer.cancel()
        }
        runner.cancel()
        timer.cancel()
        return try first?.get()
    }
}

/// The place where the first of several results is taken.
private actor FinishLine<Value: Sendable> {
    private var result: Value?
    private var waiting: CheckedContinuation<Value, Never>?

    func cross(_ value: Value) {
        guard result == nil else { return }
        result = value
        waiting?.resume(returning: value)
        waiting = nil
    }

    var first: Value {
        get async {
            if let result { return result }
            return await withCheckedContinuation { waiting = $0 }
        }
    }
}
