import CivilTime
import Emulation

/// The stored events that new ones could meet (contract, section 10.6), found without walking through all
/// of them for each.
struct EventIndex {
    /// One event of a type at an instant, health samples aside.
    private struct Position: Hashable {
        var type: String
        var microseconds: Int64
    }

    /// One health sample of a type and category in a second.
    private struct Moment: Hashable {
        var type: String
        var second: Int64
        var category: String
    }

    private let epoch: Epoch
    private var slots: [Position: String] = [:]
    private var samples: [String: String] = [:]
    private var moments: [Moment: String] = [:]

    /// The events of a user that lie where the new ones do.
    init(_ state: TrendyState, of user: String, near times: [Timestamp], hasSamples: Bool, in epoch: Epoch) {
        self.epoch = epoch
        let instants = times.map { $0.resolved(in: epoch) }
        guard let first = instants.min(), let last = instants.max() else { return }
        let range = first.flooredToSecond...(last + .seconds(1))
        for place in state.events.places(in: user) {
            let isNear =
                state.events.read(place) { event in
                    range.contains(event.timestamp.resolved(in: epoch)) || hasSamples && event.sampleId != nil
                } ?? false
            if isNear, let event = state.events[place: place] { add(event) }
        }
    }

    mutating func add(_ event: Event) {
        let instant = event.timestamp.resolved(in: epoch)
        guard event.source == .healthkit else {
            slots[Position(type: event.eventTypeId, microseconds: instant.microseconds)] = event.uuid
            return
        }
        if let sample = event.sampleId { samples[sample.lowercased()] = event.uuid }
        if let category = event.category {
            moments[Moment(type: event.eventTypeId, second: instant.seconds, category: category)] = event.uuid
        }
    }

    mutating func remove(_ event: Event) {
        let instant = event.timestamp.resolved(in: epoch)
        func clear<Key: Hashable>(_ key: Key, _ map: inout [Key: String]) {
            if map[key] == event.uuid { map[key] = nil }
        }
        guard event.source == .healthkit else {
            return clear(Position(type: event.eventTypeId, microseconds: instant.microseconds), &slots)
        }
        if let sample = event.sampleId { clear(sample.lowercased(), &samples) }
        if let category = event.category {
            clear(Moment(type: event.eventTypeId, second: instant.seconds, category: category), &moments)
        }
    }

    /// The stored event that a health sample already is.
    func knownSample(_ draft: EventDraft) -> String? {
        guard draft.source == .healthkit, let sample = draft.sampleId else { return nil }
        if let known = samples[sample.lowercased()] { return known }
        guard let category = draft.category else { return nil }
        let second = draft.timestamp.resolved(in: epoch).seconds
        return moments[Moment(type: draft.eventTypeId, second: second, category: category)]
    }

    /// Whether another event stands where this one would.
    func isTaken(_ event: Event) -> Bool {
        guard event.source != .healthkit else { return false }
        let instant = event.timestamp.resolved(in: epoch)
        let other = slots[Position(type: event.eventTypeId, microseconds: instant.microseconds)]
        return other.map { $0 != event.uuid } ?? false
    }
}
