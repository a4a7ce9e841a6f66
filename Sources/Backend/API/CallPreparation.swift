/// The part of the work on a call that needs nothing but what is known before its turn.
package enum CallPreparation {
    /// It was so little that it is done.
    case done(any Sendable)
    /// A worker has to do it.
    case work(@Sendable () -> any Sendable)
}
