public import Foundation

/// The source of dates for completed steps.
///
/// ```swift
/// struct StandingClock: OnboardingClock {
///     let now: Date
/// }
/// ```
public protocol OnboardingClock: Sendable {
    /// The present date.
    var now: Date { get }
}

/// The device's clock.
///
/// ```swift
/// let date = SystemClock().now
/// ```
public struct SystemClock: OnboardingClock {
    /// Creates the clock.
    ///
    /// ```swift
    /// let date = SystemClock().now
    /// ```
    public init() {}

    /// The device's current date.
    public var now: Date { Date() }
}

/// A wait, for time limits and for the pauses before a retry.
///
/// ```swift
/// struct ThriftySleeper: OnboardingSleeper {
///     func sleep(for duration: Duration) async throws {
///         try await Task.sleep(for: duration, tolerance: .milliseconds(100))
///     }
/// }
/// ```
public protocol OnboardingSleeper: Sendable {
    /// Returns after a duration; throws at once if the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// A sleeper on the device's clock, which keeps running while the device is asleep.
///
/// ```swift
/// let sleeper: any OnboardingSleeper = SystemSleeper()
/// ```
public struct SystemSleeper: OnboardingSleeper {
    /// Creates the sleeper.
    ///
    /// ```swift
    /// let sleeper: any OnboardingSleeper = SystemSleeper()
    /// ```
    public init() {}

    /// Returns after a duration; throws at once if the task is cancelled.
    ///
    /// ```swift
    /// try await sleeper.sleep(for: .seconds(1))
    /// ```
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
