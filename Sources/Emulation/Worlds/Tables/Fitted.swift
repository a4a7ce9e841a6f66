extension [UInt8] {
    /// The same bytes without the room around them, for those that are kept.
    ///
    /// What is written piece by piece grows by doubling: up to half of its memory is empty.
    package var fitted: [UInt8] {
        capacity - count > count / 4 + 64 ? exact : self
    }

    /// A copy without any room around the bytes.
    var exact: [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(count)
        copy.append(contentsOf: self)
        return copy
    }
}
