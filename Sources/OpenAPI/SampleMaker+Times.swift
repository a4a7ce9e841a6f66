import CivilTime
import Formats
import JSON

/// The times of an object in the order that their names tell: created, started, changed, ended.
extension SampleMaker {
    /// The way in which a time is written.
    private enum Form {
        case dateTime, date
        case number(perSecond: Int64)
    }

    private struct Time {
        let name: ExactName
        let stage: MemberName.Stage
        let form: Form
        let schemas: [Int]
        let isShown: Bool
        var value: JSON
        var instant: Instant
    }

    /// Puts the times that were made into their order; those that the document shows stay.
    mutating func orderTimes(
        _ values: inout [ExactName: JSON],
        _ all: [String],
        _ members: inout ConjunctionMembers,
        shown: [ExactName: [Place]]
    ) {
        var times: [Time] = []
        for name in all {
            let key = ExactName(text: name)
            guard let value = values[key], let time = Self.time(value) else { continue }
            let meaning = MemberName(name)
            guard let stage = meaning.stage, value.stringValue != nil || meaning.isTime,
                let own = schemas(of: name, &members)
            else { continue }
            times.append(
                Time(
                    name: key,
                    stage: stage,
                    form: time.form,
                    schemas: own,
                    isShown: shown[key] != nil || isShown(own),
                    value: value,
                    instant: time.instant
                )
            )
        }
        guard times.count > 1 else { return }
        let fixed = times.filter(\.isShown)
        var made = times.filter { !$0.isShown }.enumerated()
            .sorted { ($0.element.stage.rawValue, $0.offset) < ($1.element.stage.rawValue, $1.offset) }.map(\.element)
        let sorted = made.enumerated()
            .sorted { ($0.element.instant.microseconds, $0.offset) < ($1.element.instant.microseconds, $1.offset) }
            .map(\.element)
        var latest: Instant?
        for place in made.indices {
            var time = sorted[place]
            for other in fixed {
                let isLate = other.stage > made[place].stage && other.instant < time.instant
                let isEarly = other.stage < made[place].stage && other.instant > time.instant
                if isLate || isEarly { time = other }
            }
            // A day has no time, so that it may have to be the next one.
            let instant = max(latest ?? time.instant, time.instant)
            let told = Self.written(instant, like: time, in: made[place].form, after: latest)
            work += 1
            if fits(told.value, made[place].schemas) {
                (made[place].value, made[place].instant) = told
            }
            latest = max(latest ?? made[place].instant, made[place].instant)
        }
        for time in made { values[time.name] = time.value }
    }

    /// Tells whether schemas show a value, so that it is not made.
    private mutating func isShown(_ schemas: [Int]) -> Bool {
        let view = SchemaView(store)
        work += schemas.count
        return schemas.contains { schema in
            view.hasMark(schema) {
                !$0.examples.isEmpty || $0.defaultValue != nil || $0.constant != nil || $0.enumeration != nil
            }
        }
    }

    private static func time(_ value: JSON) -> (form: Form, instant: Instant)? {
        switch value {
        case .string(let text):
            if text.utf8.count == 10, let day = Instant(iso8601: text + "T00:00:00Z") { return (.date, day) }
            return text.utf8.count < 20 ? nil : Instant(iso8601: text).map { (.dateTime, $0) }
        case .integer(let number) where (100_000_000..<200_000_000_000_000_000).contains(number):
            let perSecond: Int64 = number < 100_000_000_000 ? 1 : number < 100_000_000_000_000 ? 1_000 : 1_000_000
            return (.number(perSecond: perSecond), Instant(seconds: number / perSecond))
        default: return nil
        }
    }

    /// An instant in a form: as another time has it, if that has the same form.
    private static func written(
        _ instant: Instant,
        like time: Time,
        in form: Form,
        after latest: Instant?
    ) -> (value: JSON, instant: Instant) {
        switch (form, time.form) {
        case (.dateTime, .dateTime) where time.instant == instant: return (time.value, instant)
        case (.dateTime, _): return (.string(instant.iso8601(.seconds)), Instant(seconds: instant.seconds))
        case (.date, _):
            var day = Instant(seconds: instant.seconds - instant.seconds % 86_400)
            if let latest, day < latest { day = Instant(seconds: day.seconds + 86_400) }
            return (.string(day.isoDay), day)
        case (.number(let perSecond), _): return (.integer(instant.seconds * perSecond), instant)
        }
    }
}
