/// The work that the event loop does itself; the rest is for workers (control contract, section 17).
package enum WorkBudget {
    /// Nanoseconds of work that the loop does itself: half a millisecond.
    package static let inPlace = 500_000

    /// Stands for work of which it is only known that it takes long; several of it can be summed up.
    package static let endless = 1 << 58
}
