package import CivilTime

/// Timers in a binary heap.
///
/// The earliest is found at once, any one can be removed, and those of the same instant fire in the order in which they
/// were added.
package struct TimerQueue<Payload> {
    /// The id of one timer; harmless after it fired or was cancelled.
    package struct Handle: Hashable, Sendable {
        fileprivate var slot: Int32
        fileprivate var generation: UInt32
    }

    private struct TimerCell {
        var generation: UInt32 = 0
        /// The index of the timer in `heap`; -1 when the slot is free.
        var place: Int32 = -1
        var payload: Payload?
    }

    private struct Entry {
        var deadline: Instant
        var order: UInt64
        var slot: Int32

        func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? order < other.order : deadline < other.deadline
        }
    }

    private var heap: [Entry] = []
    private var slots: [TimerCell] = []
    private var free: [Int32] = []
    private var nextOrder: UInt64 = 0

    package init() {}

    package var count: Int { heap.count }

    /// The time at which the earliest timer is due; nil without timers.
    package var earliest: Instant? { heap.first?.deadline }

    /// Adds a timer.
    package mutating func add(at deadline: Instant, _ payload: Payload) -> Handle {
        let slot: Int32
        if let reused = free.popLast() {
            slot = reused
        } else {
            slot = Int32(slots.count)
            slots.append(TimerCell())
        }
        slots[Int(slot)].payload = payload
        heap.append(Entry(deadline: deadline, order: nextOrder, slot: slot))
        nextOrder += 1
        slots[Int(slot)].place = Int32(heap.count - 1)
        rise(heap.count - 1)
        return Handle(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Removes a timer; false if it has fired or was cancelled before.
    @discardableResult
    package mutating func cancel(_ handle: Handle) -> Bool {
        guard let place = place(of: handle) else { return false }
        _ = take(place)
        return true
    }

    /// Removes the earliest timer that is due at that time, inclusive.
    package mutating func popDue(at now: Instant) -> Payload? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        return take(0)
    }

    private func place(of handle: Handle) -> Int? {
        let slot = slots[Int(handle.slot)]
        guard slot.generation == handle.generation, slot.place >= 0 else { return nil }
        return Int(slot.place)
    }

    private mutating func take(_ place: Int) -> Payload? {
        let slot = Int(heap[place].slot)
        let payload = slots[slot].payload
        slots[slot].payload = nil
        slots[slot].place = -1
        slots[slot].generation &+= 1
        free.append(Int32(slot))
        let last = heap.removeLast()
        if place < heap.count {
            heap[place] = last
            slots[Int(last.slot)].place = Int32(place)
            rise(place)
            sink(place)
        }
        return payload
    }

    private mutating func rise(_ start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[place].isBefore(heap[parent]) else { return }
            exchange(place, parent)
            place = parent
        }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var child = place * 2 + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard heap[child].isBefore(heap[place]) else { return }
            exchange(place, child)
            place = child
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        slots[Int(heap[one].slot)].place = Int32(one)
        slots[Int(heap[other].slot)].place = Int32(other)
    }
}
