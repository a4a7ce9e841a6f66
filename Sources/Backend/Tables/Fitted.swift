extension [UInt8] {
    /// The same bytes without spare capacity, to be kept.
    ///
    /// An array that is written piece by piece grows by doubling, so up to half of its memory is empty.
    package var fitted: [UInt8] {
        capacity - count > count / 4 + 64 ? exact : self
    }

    /// A copy without spare capacity.
    package var exact: [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        copy.append(contentsOf: self)
        return copy
    }
}
