import Backend
import CivilTime

/// An index of the stored events that new ones could collide with (contract, section 10.6), so that the new ones need
/// not be compared with all of them.
struct EventIndex {
    /// The position of an event, except for health samples: a type and an instant.
    private struct Position: Hashable {
        var type: String
        var microseconds: Int64
    }

    /// The position of a health sample: a type, a category and a second.
    private struct Moment: Hashable {
        var type: String
        var second: Int64
        var category: String
    }

    private let epoch: Epoch
    private var slots: [Position: String] = [:]
    private var samples: [String: String] = [:]
    private var moments: [Moment: String] = [:]

    /// Indexes the events of a user around the given times.
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

    /// The stored event of the same health sample.
    func knownSample(_ draft: EventDraft) -> String? {
        guard draft.source == .healthkit, let sample = draft.sampleId else { return nil }
        if let known = samples[sample.lowercased()] { return known }
        guard let category = draft.category else { return nil }
        let second = draft.timestamp.resolved(in: epoch).seconds
        return moments[Moment(type: draft.eventTypeId, second: second, category: category)]
    }

    /// Tells whether another event has the same position.
    func isTaken(_ event: Event) -> Bool {
        guard event.source != .healthkit else { return false }
        let instant = event.timestamp.resolved(in: epoch)
        let other = slots[Position(type: event.eventTypeId, microseconds: instant.microseconds)]
        return other.map { $0 != event.uuid } ?? false
    }
}
