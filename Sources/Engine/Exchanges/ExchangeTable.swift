/// The exchanges under way by their numbers.
///
/// A hash table with linear probing whose hash is the number itself: numbers are given one after the other, so that those
/// of requests under way at the same time seldom meet. A general dictionary would hash each number several times a request.
struct ExchangeTable {
    private var slots = [Exchange?](repeating: nil, count: 64)
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The exchanges in no order that means anything.
    var values: [Exchange] { slots.compactMap { $0 } }

    /// The exchange of that number; nil if there is none.
    subscript(id: UInt64) -> Exchange? {
        get { slots[slot(of: id)] }
        set {
            if let newValue { insert(newValue, id) } else { remove(id) }
        }
    }

    private mutating func insert(_ exchange: Exchange, _ id: UInt64) {
        let place = slot(of: id)
        if slots[place] == nil { count += 1 }
        slots[place] = exchange
        if count > slots.count / 2 { grow() }
    }

    private mutating func remove(_ id: UInt64) {
        var gap = slot(of: id)
        guard slots[gap] != nil else { return }
        slots[gap] = nil
        count -= 1
        // Those behind the gap move up, as far as they are not in front of their own slot then.
        var place = next(gap)
        while let exchange = slots[place] {
            let distance = (place - home(exchange.id)) & mask
            if distance >= (place - gap) & mask {
                slots[gap] = exchange
                slots[place] = nil
                gap = place
            }
            place = next(place)
        }
    }

    private mutating func grow() {
        let former = slots
        slots = [Exchange?](repeating: nil, count: former.count * 2)
        for case .some(let exchange) in former { slots[slot(of: exchange.id)] = exchange }
    }

    private var mask: Int { slots.count - 1 }

    private func home(_ id: UInt64) -> Int { Int(truncatingIfNeeded: id) & mask }

    private func next(_ place: Int) -> Int { (place + 1) & mask }

    /// The slot that holds the exchange of that number, or the free one where it would go.
    private func slot(of id: UInt64) -> Int {
        var place = home(id)
        while let exchange = slots[place], exchange.id != id { place = next(place) }
        return place
    }
}
