public import CivilTime
public import JSON

/// Writes response types as one API prints them: its dates, its escapes, the anchors of the world's stored times.
public struct ResponseWriter: Sendable {
    public enum DateForm: Sendable {
        /// `2025-01-01T12:00:00Z`, the fraction cut off.
        case seconds
        /// `2025-01-01T12:00:00.000Z`.
        case milliseconds
    }

    public var json: JSONWriter
    public let epoch: Epoch
    public let dates: DateForm

    public init(epoch: Epoch, dates: DateForm, options: JSONWriter.Options = JSONWriter.Options()) {
        json = JSONWriter(reserving: 1_024, options: options)
        self.epoch = epoch
        self.dates = dates
    }

    public mutating func write(_ time: Timestamp) { write(time.resolved(in: epoch)) }

    /// Writes the day of a stored time.
    public mutating func writeDay(_ time: Timestamp) { json.string(time.resolved(in: epoch).isoDay) }

    public mutating func write(_ time: Instant) {
        let precision: Instant.Precision = dates == .seconds ? .seconds : .milliseconds
        json.plainString { time.appendISO8601(precision, to: &$0) }
    }

    /// Writes a value in the order of its shape.
    @inlinable public mutating func write<Value: Shaped>(_ value: Value) {
        json.beginObject()
        Value.shape.write(value, to: &self)
        json.endObject()
    }

    @inlinable public mutating func write<Value: Shaped>(_ values: [Value]) {
        json.beginArray()
        for value in values { write(value) }
        json.endArray()
    }
}
