public import CivilTime
public import JSON

/// Writes response types as one API prints them: its dates, its escapes, the anchors of the world's stored times.
public struct ResponseWriter: Sendable {
    /// The form in which an API prints date-times.
    public enum DateForm: Sendable {
        /// `2025-01-01T12:00:00Z`, the fraction cut off.
        case seconds
        /// `2025-01-01T12:00:00.000Z`.
        case milliseconds
        /// `2025-01-01T12:00:00.000000Z`.
        case microseconds
    }

    /// The text so far.
    public var json: JSONWriter
    /// The anchors of the world's stored times.
    public let epoch: Epoch
    /// The form of date-times.
    public let dates: DateForm

    /// A writer with nothing written.
    public init(epoch: Epoch, dates: DateForm, options: JSONWriter.Options = JSONWriter.Options()) {
        json = JSONWriter(reserving: 1_024, options: options)
        self.epoch = epoch
        self.dates = dates
    }

    /// Writes a stored time as a date-time.
    public mutating func write(_ time: Timestamp) { write(time.resolved(in: epoch)) }

    /// Writes the day of a stored time.
    public mutating func writeDay(_ time: Timestamp) { json.string(time.resolved(in: epoch).isoDay) }

    /// Writes an instant as a date-time.
    public mutating func write(_ time: Instant) {
        let precision: Instant.Precision =
            switch dates {
            case .seconds: .seconds
            case .milliseconds: .milliseconds
            case .microseconds: .microseconds
            }
        json.plainString { time.appendISO8601(precision, to: &$0) }
    }

    /// Writes a value in the order of its schema.
    @inlinable public mutating func write<Value: ResponseModel>(_ value: Value) {
        json.beginObject()
        Value.shape.write(value, to: &self)
        json.endObject()
    }

    /// Writes a list of values.
    @inlinable public mutating func write<Value: ResponseModel>(_ values: [Value]) {
        json.beginArray()
        for value in values { write(value) }
        json.endArray()
    }
}
