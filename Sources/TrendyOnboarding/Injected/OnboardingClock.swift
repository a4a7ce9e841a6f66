public import Foundation

/// The source of the dates that steps get.
public protocol OnboardingClock: Sendable {
    /// The present date.
    var now: Date { get }
}

/// The device's clock.
public struct SystemClock: OnboardingClock {
    /// Creates the clock.
    public init() {}

    /// The present date of the device.
    public var now: Date { Date() }
}

/// A wait, for time limits and for the pauses before a retry.
public protocol OnboardingSleeper: Sendable {
    /// Returns after a duration; throws at once if the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The device's own waiting, which goes on while the device sleeps.
public struct SystemSleeper: OnboardingSleeper {
    /// Creates the sleeper.
    public init() {}

    /// Returns after a duration; throws at once if the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
